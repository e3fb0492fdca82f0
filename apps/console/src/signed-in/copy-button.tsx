import { Button } from '@canvass/console-ui';
import { useState } from 'react';
import { useTexts } from '../i18n';

interface CopyButtonProps {
  text: string;
  /** Says what is copied. */
  label?: string;
  look?: 'quiet';
}

/** Copies a text, and says so until the text is another one. */
export function CopyButton({ text, label, look }: CopyButtonProps) {
  const texts = useTexts();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return (
    <Button {...(look && { look })} onClick={copy}>
      {copied === text ? texts.copied : (label ?? texts.copy)}
    </Button>
  );
}

/** Copies the id of a record, which programs need and people do not. */
export const CopyId = ({ id }: { id: string }) => {
  const { copyId } = useTexts();
  return <CopyButton text={id} label={copyId} look="quiet" />;
};
