import { ForeignText } from '@canvass/console-ui';
import { pathPrefix } from '../base';
import { useTexts } from '../i18n';
import { CopyButton } from './copy-button';
import { curlOf } from './curl';
import { useReads } from './requests';
import styles from './shell.module.css';

/** The commands that read what the page shows, without the token. */
export function SameByApi() {
  const texts = useTexts();
  const reads = useReads();
  if (reads.length === 0) return null;
  const text = reads.map((address) => curlOf(location.origin + pathPrefix, address)).join('\n');
  return (
    <details className={styles.sameByApi}>
      <summary>{texts.sameByApi}</summary>
      <pre tabIndex={0} aria-label={texts.sameByApi}>
        <ForeignText>{text}</ForeignText>
      </pre>
      <CopyButton text={text} />
    </details>
  );
}
