import type { components } from '@canvass/client';
import { Button, ForeignText, Notice, Panel, State } from '@canvass/console-ui';
import { useState } from 'react';
import { Outcome } from '../delivery-state';
import { Facts } from '../facts';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { Moment } from '../moment';
import { CompareAttempts } from './compare-attempts';
import styles from './desk.module.css';
import { phaseNames, phasesOf } from './phases';
import { useDeskTexts } from './texts';
import { useWebhookTexts } from '../webhook-texts';

type Attempt = components['schemas']['WebhookAttempt'];

/** The attempts of a delivery, newest first, with their phases on one scale. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const texts = useDeskTexts();
  const webhook = useWebhookTexts();
  const [isCompared, setCompared] = useState(false);
  const longest = Math.max(1, ...attempts.map(({ milliseconds }) => milliseconds.total));
  return (
    <Panel
      title={webhook.attempts}
      tools={
        <span className={lists.row}>
          <Legend />
          {attempts.length > 1 && (
            <Button aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
              {texts.compareAttempts}
            </Button>
          )}
        </span>
      }
    >
      {isCompared && attempts.length > 1 && <CompareAttempts attempts={attempts} />}
      {attempts.length === 0 ? (
        <State title={texts.noAttempts} />
      ) : (
        <ol className={styles.attempts} reversed>
          {[...attempts].reverse().map((attempt, index) => (
            <li key={attempt.number}>
              <details open={index === 0}>
                <summary>
                  <strong>{texts.attempt(attempt.number)}</strong>
                  <Moment at={attempt.startedAt} />
                  <Outcome outcome={attempt.outcome} statusCode={attempt.statusCode} />
                  <Bar attempt={attempt} longest={longest} />
                </summary>
                <Exchange attempt={attempt} />
              </details>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** Explains what the colours of the bars mean. */
function Legend() {
  const { phases } = useDeskTexts();
  return (
    <ul className={styles.legend} aria-hidden="true">
      {phaseNames.map((phase) => (
        <li key={phase}>
          <span className={styles.swatch} data-phase={phase} />
          {phases[phase]}
        </li>
      ))}
    </ul>
  );
}

function Bar({ attempt, longest }: { attempt: Attempt; longest: number }) {
  const { phases: names } = useDeskTexts();
  const { milliseconds } = attempt;
  const phases = phasesOf(milliseconds);
  const { duration: number } = useFormats();
  const sentence = phases.map(([phase, own]) => `${names[phase]} ${number(own)}`).join(', ');
  return (
    <span className={styles.measure}>
      <span className={styles.bar} role="img" aria-label={sentence} title={sentence}>
        {phases.map(([phase, own]) => (
          <span key={phase} data-phase={phase} style={{ inlineSize: `${(own / longest) * 100}%` }} />
        ))}
      </span>
      <span className={styles.total}>{number(milliseconds.total)}</span>
    </span>
  );
}

/** The request and the answer of an attempt. */
function Exchange({ attempt }: { attempt: Attempt }) {
  const texts = useDeskTexts();
  const { duration } = useFormats();
  const { url, remoteAddress, error, requestHeaders, responseHeaders, statusCode } = attempt;
  return (
    <div className={styles.exchange}>
      {error !== null && (
        <Notice tone="warn">
          <ForeignText>{error}</ForeignText>
        </Notice>
      )}
      <Facts
        facts={[
          [texts.request, <ForeignText>{`POST ${url}`}</ForeignText>],
          [texts.remoteAddress, remoteAddress ?? '–'],
          ...phasesOf(attempt.milliseconds).map(
            ([phase, own]) => [texts.phases[phase], duration(own)] as const,
          ),
          [texts.totalTime, duration(attempt.milliseconds.total)],
        ]}
      />
      <h3>{texts.requestHeaders}</h3>
      <Headers headers={requestHeaders} />
      <h3>{texts.response}</h3>
      {statusCode === null ? <p className={lists.note}>{texts.noResponse}</p> : <Body attempt={attempt} />}
      {responseHeaders !== null && (
        <>
          <h3>{texts.responseHeaders}</h3>
          <Headers headers={responseHeaders} />
        </>
      )}
    </div>
  );
}

function Headers({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  return (
    <Facts
      facts={Object.entries(headers).map(([name, value]) => [
        <ForeignText>{name}</ForeignText>,
        <code>
          <ForeignText>{String(value)}</ForeignText>
        </code>,
      ])}
    />
  );
}

function Body({ attempt: { responseBody, responseBodyBase64, responseTruncated } }: { attempt: Attempt }) {
  const texts = useDeskTexts();
  if (responseBody === '' && responseBodyBase64 === null) {
    return <p className={lists.note}>{texts.emptyBody}</p>;
  }
  return (
    <>
      {responseBodyBase64 !== null && <p className={lists.note}>{texts.binary}</p>}
      <pre className={styles.body} tabIndex={0} aria-label={texts.response}>
        <ForeignText>{responseBodyBase64 ?? responseBody}</ForeignText>
      </pre>
      {responseTruncated && <p className={lists.note}>{texts.cut}</p>}
    </>
  );
}
