import { Button } from '@canvass/console-ui';
import { useState } from 'react';
import { useTexts } from '../i18n';

/** Copies a text, and says so until the text is another one. */
export function CopyButton({ text }: { text: string }) {
  const texts = useTexts();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return <Button onClick={copy}>{copied === text ? texts.copied : texts.copy}</Button>;
}
