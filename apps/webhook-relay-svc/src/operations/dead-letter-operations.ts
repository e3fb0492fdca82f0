import { queues } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import { visitDeadLetters, type BrokerSettings, type DeadLetter, type Verdict } from '@canvass/messaging';
import type { Operation, OptionValues } from '@canvass/service-kit';

const limit = { about: 'Maximum number of messages to read.', kind: 'count', otherwise: '1000' } as const;
const chosen = {
  message: { about: 'Id of one message.', kind: 'text' },
  all: { about: 'All messages, up to the limit.', kind: 'flag' },
  limit,
} as const;

/** Operations on dead letters. A message that one of them holds is not visible to the others. */
export function deadLetterOperations({ Url: url }: BrokerSettings): Operation[] {
  const visit = (max: string | undefined, judge: (letter: DeadLetter) => Verdict) =>
    visitDeadLetters({ url, queue: queues.dead }, Number(max), judge);

  const doing = (verdict: 'requeue' | 'discard', done: string) =>
    async function ({ message, all, limit: max }: OptionValues) {
      if ((message === undefined) === (all === undefined))
        throw new Problem('validation_failed', { detail: 'Pass --message <id> or --all.' });
      const letters = await visit(max, ({ messageId }) =>
        message === undefined || messageId === message ? verdict : 'keep',
      );
      if (letters.length === 0 && message !== undefined) throw notFound('dead letter', message);
      return { rows: letters.map(shown), say: `${letters.length} ${done}.` };
    };

  return [
    {
      name: 'dead-letters',
      about: 'Lists dead letters, oldest first.',
      options: { limit },
      async run({ limit: max }) {
        const letters = await look(max);
        return { rows: letters.map(shown), say: `${letters.length} dead letters.` };
      },
    },
    {
      name: 'dead-letters show',
      about: 'Shows a dead letter with its body, for each queue that rejected it.',
      options: { message: { ...chosen.message, isRequired: true }, limit },
      showsContents: true,
      async run({ message, limit: max }) {
        const letters = (await look(max)).filter(({ messageId }) => messageId === message);
        if (letters.length === 0) throw notFound('dead letter', message);
        return { rows: letters.map((letter) => ({ ...shown(letter), body: letter.body.toString('utf8') })) };
      },
    },
    {
      name: 'dead-letters requeue',
      about: 'Returns dead letters to their queue.',
      options: chosen,
      changes: true,
      run: doing('requeue', 'requeued'),
    },
    {
      name: 'dead-letters discard',
      about: 'Deletes dead letters.',
      options: chosen,
      changes: true,
      run: doing('discard', 'deleted'),
    },
  ];

  async function look(max: string | undefined): Promise<DeadLetter[]> {
    const letters: DeadLetter[] = [];
    await visit(max, (letter) => {
      letters.push(letter);
      return 'keep';
    });
    return letters;
  }
}

const shown = ({ messageId, routingKey, queue, reason, diedAt, body }: DeadLetter) => ({
  messageId,
  routingKey,
  queue,
  reason,
  diedAt,
  bytes: body.length,
});
