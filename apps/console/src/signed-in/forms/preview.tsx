import { Button, Notice, Panel } from '@canvass/console-ui';
import { useEffect, useRef, useState } from 'react';
import { consolePath } from '../../base';
import { usePreferences } from '../../i18n';
import type { FromPreview } from '../../preview';
import { OneOf } from '../filters';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { languageNames } from '../language-name';
import { maxSeconds, openChannel, type PreviewChannel } from './preview-frame';
import lists from '../list.module.css';
import styles from './preview.module.css';

const widths = ['phone', 'desktop'] as const;
const pauseMs = 300;

interface PreviewProps {
  /** The text of the editor. */
  text: string;
  /** Returns whether it is no definition. An earlier text stays in sight then. */
  isBroken: boolean;
}

/** Returns whether the console is dark. */
function isDarkNow(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  if (colorScheme === 'light' || colorScheme === 'dark') return colorScheme === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

/** A definition as respondents see it, in a frame that reaches neither the session nor the network. */
export function Preview({ text, isBroken }: PreviewProps) {
  const texts = useFormTexts();
  const { number } = useFormats();
  const { language } = usePreferences();
  const frame = useRef<HTMLIFrameElement>(null);
  const count = useRef(0);
  const [definition, setDefinition] = useState('{}');
  if (!isBroken && text !== definition) setDefinition(text);
  const [channel, setChannel] = useState<PreviewChannel | null>(null);
  const [answer, setAnswer] = useState<FromPreview | null>(null);
  /** The definition that was not answered, which is not shown again unless the user asks for it. */
  const [stuckAt, setStuckAt] = useState<string | null>(null);
  const [width, setWidth] = useState<(typeof widths)[number]>('phone');
  const [isDark, setDark] = useState(isDarkNow);
  const [locale, setLocale] = useState('');
  const [locales, setLocales] = useState<string[]>([]);
  const codes = locale === '' || locales.includes(locale) ? locales : [...locales, locale];
  const isStuck = stuckAt === definition;
  const latest = useRef(definition);
  useEffect(() => {
    latest.current = definition;
  });

  useEffect(() => () => channel?.close(), [channel]);
  useEffect(() => {
    if (channel === null) return;
    const timer = setTimeout(() => {
      count.current += 1;
      channel.send({ kind: 'show', number: count.current, definition, locale, isDark });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [channel, definition, locale, isDark]);

  const open = () => {
    const receive = (next: FromPreview) => {
      // What belongs to an earlier definition is late.
      if (next.kind === 'alive' || next.number !== count.current) return;
      setAnswer(next);
      if (next.kind === 'shown') setLocales(next.locales.filter((name) => name !== 'default'));
    };
    const stop = () => {
      setStuckAt(latest.current);
      setChannel(null);
      setAnswer(null);
    };
    setChannel(openChannel(frame.current!.contentWindow!, receive, stop));
  };
  return (
    <Panel
      title={texts.preview}
      tools={
        <div className={lists.row}>
          <div className={lists.row} role="group" aria-label={texts.previewWidth}>
            {widths.map((name) => (
              <Button key={name} aria-pressed={name === width} onClick={() => setWidth(name)}>
                {texts.previewWidths[name]}
              </Button>
            ))}
          </div>
          <Button aria-pressed={isDark} onClick={() => setDark(!isDark)}>
            {texts.previewDark}
          </Button>
          <OneOf
            title={texts.previewLanguage}
            choices={{ '': texts.previewDefaultLanguage, ...languageNames(codes, language) }}
            value={locale}
            setValue={setLocale}
          />
          <Button disabled={channel === null} onClick={() => channel?.send({ kind: 'clear' })}>
            {texts.clearAnswers}
          </Button>
        </div>
      }
    >
      <div className={lists.work}>
        <p className={lists.soft}>{texts.previewHint}</p>
        <div role="status">
          {isBroken && <Notice tone="warn">{texts.previewOutdated}</Notice>}
          {answer?.kind === 'failed' && (
            <Notice tone="bad">
              {texts.previewFailed} <bdi>{answer.message}</bdi>
            </Notice>
          )}
          {answer?.kind === 'shown' && answer.errors.length > 0 && (
            <Notice tone="warn">
              {texts.previewErrors}
              <ul>
                {answer.errors.map((message, index) => (
                  <li key={index}>
                    <bdi>{message}</bdi>
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          {isStuck && <Notice tone="bad">{texts.previewStuck(number(maxSeconds))}</Notice>}
        </div>
        {isStuck && <Button onClick={() => setStuckAt(null)}>{texts.previewAgain}</Button>}
      </div>
      {!isStuck && (
        <div className={styles.scroll} role="group" aria-label={texts.preview} tabIndex={0}>
          <iframe
            ref={frame}
            className={styles[width]}
            title={texts.previewTitle}
            src={`${consolePath}/preview/index.html`}
            sandbox="allow-scripts"
            referrerPolicy="no-referrer"
            onLoad={open}
          />
        </div>
      )}
    </Panel>
  );
}
