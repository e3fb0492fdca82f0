import { Button, Notice } from '@canvass/console-ui';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n';
import styles from './people.module.css';

/** A text that is shown once and then unknown: a secret, a link. It can be copied. */
export function Once({ label, children, text }: { label: string; children: ReactNode; text: string }) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={styles.once} role="group" aria-label={label}>
      <Notice tone="warn">{children}</Notice>
      <code>{text}</code>
      <Button onClick={() => void copy()}>{isCopied ? texts.copied : texts.copy}</Button>
    </div>
  );
}
