import { Button, Icon, toast } from '@canvass/console-ui';
import { useTexts } from '../i18n';
import type { Fact } from './facts';
import lists from './list.module.css';

/** Returns the function that copies a text, and says so. */
function useCopy(text: string) {
  const { copied } = useTexts();
  return () => void navigator.clipboard.writeText(text).then(() => toast(copied));
}

export function CopyButton({ text, look }: { text: string; look?: 'quiet' }) {
  const texts = useTexts();
  return (
    <Button {...(look && { look })} onClick={useCopy(text)}>
      {texts.copy}
    </Button>
  );
}

/** Copies the id of a record, which programs need and people do not. */
export function CopyId({ id }: { id: string }) {
  const { copyId } = useTexts();
  return (
    <Button look="quiet" className={lists.copyId!} aria-label={copyId} title={copyId} onClick={useCopy(id)}>
      <Icon name="copy" />
    </Button>
  );
}

/** The id of a record, or its start if it is long, with the way to copy it. */
export const ShownId = ({ id }: { id: string }) => (
  <span title={id}>
    <code>{id.length > 24 ? `${id.slice(0, 8)}…` : id}</code>&nbsp;
    <CopyId id={id} />
  </span>
);

/** The id of a record, as a fact about it. Its name is the same in all languages. */
export const idFact = (id: string): Fact => ['Id', <ShownId id={id} />];
