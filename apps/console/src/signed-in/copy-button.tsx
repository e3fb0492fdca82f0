import { Button, toast } from '@canvass/console-ui';
import { useTexts } from '../i18n';

interface CopyButtonProps {
  text: string;
  /** Says what is copied. */
  label?: string;
  look?: 'quiet';
}

/** Copies a text, and says so. */
export function CopyButton({ text, label, look }: CopyButtonProps) {
  const texts = useTexts();
  const copy = () => void navigator.clipboard.writeText(text).then(() => toast(texts.copied));
  return (
    <Button {...(look && { look })} onClick={copy}>
      {label ?? texts.copy}
    </Button>
  );
}

/** Copies the id of a record, which programs need and people do not. */
export const CopyId = ({ id }: { id: string }) => {
  const { copyId } = useTexts();
  return <CopyButton text={id} label={copyId} look="quiet" />;
};
