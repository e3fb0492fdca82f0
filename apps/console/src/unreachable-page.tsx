import { Button, State } from '@canvass/console-ui';
import { useEffect, useState } from 'react';
import { Fault, outagesOf, readHealth, type HealthReport } from './api';
import { useTexts } from './i18n';
import { useOutageText } from './outage-text';
import { CardPage, session } from './session';

/** The pause between two attempts, in milliseconds. */
const pause = 3_000;

/** The page while no session can be begun: what does not work, and since when. It continues by itself. */
export function UnreachablePage() {
  const texts = useTexts();
  const outageText = useOutageText();
  const [health, setHealth] = useState<HealthReport | 'cut' | null>(null);
  useEffect(() => {
    let isOver = false;
    let timer = 0;
    const look = async () => {
      const next = await readHealth().catch((error: unknown) =>
        error instanceof Fault && error.status === 0 ? ('cut' as const) : null,
      );
      if (isOver) return;
      setHealth(next);
      timer = window.setTimeout(() => void again(), pause);
    };
    const again = async () => {
      await session.start();
      if (!isOver) await look();
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  const [title, text] =
    health === 'cut'
      ? [texts.notReachableTitle, texts.notReachableText]
      : [texts.downNow, outageText(outagesOf(health)) || texts.downText];
  return (
    <CardPage title="Canvass" name={title}>
      <State
        tone="bad"
        title={title}
        actions={<Button onClick={() => void session.start()}>{texts.retry}</Button>}
      >
        {text} {texts.outages.retries}
      </State>
    </CardPage>
  );
}
