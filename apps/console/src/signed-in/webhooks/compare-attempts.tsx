import type { components } from '@canvass/client';
import { ForeignText, Table, type Column } from '@canvass/console-ui';
import { useState } from 'react';
import { column } from '../columns';
import { useDeliveryTexts } from '../delivery-texts';
import { OneOf } from '../filters';
import { useFormats } from '../formats';
import { Difference } from '../forms/difference';
import lists from '../list.module.css';
import { useWebhookTexts } from '../webhook-texts';
import { differences, formatted, headersOf, type Compared } from './compared';
import styles from './desk.module.css';
import { phasesOf } from './phases';
import { useDeskTexts } from './texts';

type Attempt = components['schemas']['WebhookAttempt'];

/** Shows what differs between two attempts of a delivery: at first the last two. */
export function CompareAttempts({ attempts }: { attempts: readonly Attempt[] }) {
  const texts = useDeskTexts();
  const numbers = attempts.map(({ number }) => String(number));
  const [chosen, setChosen] = useState({ first: numbers.at(-2)!, second: numbers.at(-1)! });
  const membersOf = useMembers();
  const attemptOf = (number: string) => attempts.find((own) => String(own.number) === number)!;
  const [first, second] = [attemptOf(chosen.first), attemptOf(chosen.second)];
  const rows = differences(membersOf(first), membersOf(second));
  const [before, after] = [textOf(first), textOf(second)];
  const choices = Object.fromEntries(numbers.map((own) => [own, texts.attempt(Number(own))]));
  const columns: Column<Compared>[] = [
    column('name', texts.member, ({ name }) => <ForeignText>{name}</ForeignText>),
    column('first', texts.attempt(first.number), (row) => <ForeignText>{row.first || '–'}</ForeignText>),
    column('second', texts.attempt(second.number), (row) => <ForeignText>{row.second || '–'}</ForeignText>),
  ];
  return (
    <div className={styles.compare}>
      <div className={styles.picks}>
        {(['first', 'second'] as const).map((place) => (
          <OneOf
            key={place}
            title={texts.comparedAttempts[place]}
            choices={choices}
            value={chosen[place]}
            setValue={(own) => setChosen({ ...chosen, [place]: own })}
          />
        ))}
      </div>
      {rows.length === 0 ? (
        <p className={lists.note}>{texts.sameAttempts}</p>
      ) : (
        <Table label={texts.differences} columns={columns} rows={rows} keyOf={({ name }) => name} />
      )}
      {before === after ? (
        <p className={lists.note}>{texts.sameResponses}</p>
      ) : (
        <Difference label={texts.responseDifference} before={before} after={after} />
      )}
    </div>
  );
}

/** The members of an attempt as texts, without the body of the response. */
function useMembers(): (attempt: Attempt) => Record<string, string> {
  const texts = useDeskTexts();
  const webhook = useWebhookTexts();
  const { outcomes } = useDeliveryTexts();
  const { full, duration: number } = useFormats();
  return (attempt) => ({
    [texts.startedAt]: full(attempt.startedAt),
    [webhook.outcome]: outcomes[attempt.outcome] ?? attempt.outcome,
    [webhook.statusCode]: attempt.statusCode === null ? '' : String(attempt.statusCode),
    [texts.error]: attempt.error ?? '',
    [texts.request]: `POST ${attempt.url}`,
    [texts.remoteAddress]: attempt.remoteAddress ?? '',
    ...Object.fromEntries(
      phasesOf(attempt.milliseconds).map(([phase, own]) => [texts.phases[phase], number(own)]),
    ),
    [texts.totalTime]: number(attempt.milliseconds.total),
    ...headersOf('→', attempt.requestHeaders),
    ...headersOf('←', attempt.responseHeaders),
  });
}

const textOf = ({ responseBody, responseBodyBase64 }: Attempt): string =>
  responseBodyBase64 ?? formatted(responseBody ?? '');
