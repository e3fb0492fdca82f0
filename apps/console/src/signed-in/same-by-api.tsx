import { Button, ForeignText } from '@canvass/console-ui';
import { useState } from 'react';
import { pathPrefix } from '../base';
import { useTexts } from '../i18n';
import { curlOf } from './curl';
import { useReads } from './requests';
import styles from './shell.module.css';

/** The commands that read what the page shows, without the token. */
export function SameByApi() {
  const texts = useTexts();
  const reads = useReads();
  const [isCopied, setCopied] = useState(false);
  if (reads.length === 0) return null;
  const text = reads.map((address) => curlOf(location.origin + pathPrefix, address)).join('\n');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <details className={styles.sameByApi} onToggle={() => setCopied(false)}>
      <summary>{texts.sameByApi}</summary>
      <pre tabIndex={0} aria-label={texts.sameByApi}>
        <ForeignText>{text}</ForeignText>
      </pre>
      <Button onClick={copy}>{isCopied ? texts.copied : texts.copy}</Button>
    </details>
  );
}
