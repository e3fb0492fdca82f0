import { Button, ForeignText, Panel } from '@canvass/console-ui';
import { useState, type ReactNode } from 'react';
import { usePreferences } from '../../i18n';
import { CopyButton } from '../copy-button';
import lists from '../list.module.css';
import { useWebhookTexts } from '../webhook-texts';
import { formatted } from './compared';
import styles from './desk.module.css';
import { useDeskTexts } from './texts';

interface MessageBodyProps {
  text: string;
  /** The comparison with another one. Without it none is offered. */
  comparison?: ReactNode;
}

/** The message as it was signed and sent, or formatted for reading. */
export function MessageBody({ text, comparison }: MessageBodyProps) {
  const texts = useDeskTexts();
  const webhook = useWebhookTexts();
  const { language } = usePreferences();
  const [isRaw, setRaw] = useState(false);
  const [isCompared, setCompared] = useState(false);
  const bytes = new TextEncoder().encode(text).length.toLocaleString(language);
  const tools = (
    <span className={lists.row}>
      <span className={lists.soft}>{texts.size(bytes)}</span>
      <Button aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
        {isRaw ? texts.pretty : texts.raw}
      </Button>
      {comparison !== undefined && (
        <Button aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
          {texts.compareBody}
        </Button>
      )}
      <CopyButton text={text} />
    </span>
  );
  return (
    <Panel title={webhook.message} tools={tools}>
      {isCompared && comparison}
      <pre className={styles.body} tabIndex={0} aria-label={webhook.message}>
        <ForeignText>{isRaw ? text : formatted(text)}</ForeignText>
      </pre>
    </Panel>
  );
}
