import { Notice } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { CopyButton } from '../copy-button';
import lists from '../list.module.css';

/** A text that is shown once and then unknown: a secret, a link. It can be copied. */
export function Once({ label, children, text }: { label: string; children: ReactNode; text: string }) {
  return (
    <div className={lists.start} role="group" aria-label={label}>
      <Notice tone="warn">{children}</Notice>
      <code className={lists.copied}>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
