import { Notice } from '@canvass/console-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n';
import { useOutageText } from '../outage-text';
import { useOutages } from './health';
import styles from './shell.module.css';

/** Names what does not work, and since when, above each page. When it works again, the page reads again. */
export function Outages() {
  const texts = useTexts();
  const textOf = useOutageText();
  const client = useQueryClient();
  const { isCut, outages } = useOutages();
  const isDown = isCut || outages.length > 0;
  const wasDown = useRef(isDown);
  useEffect(() => {
    if (wasDown.current && !isDown)
      void client.refetchQueries({ predicate: ({ state }) => state.status === 'error', type: 'active' });
    wasDown.current = isDown;
  }, [isDown, client]);
  if (!isDown) return null;
  return (
    <div className={styles.banner}>
      <Notice tone="warn">
        {isCut ? texts.notReachableText : textOf(outages)} {texts.outages.continues}
      </Notice>
    </div>
  );
}
