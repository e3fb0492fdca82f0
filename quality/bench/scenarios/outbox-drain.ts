import { ownDatabase } from '@canvass/stack';
import type { DispatcherApi } from '../processes/dispatcher';
import type { PublisherApi } from '../processes/publisher';
import type { Contestant, Scenario } from '../scenario';

/** Rows of a round, for each second it may take; a round is given by work, not by time. */
const rowsPerSecond = 8_000;
const mostRows = 100_000;

const batchOfRaw = 1_000;

export const outboxDrain: Scenario = {
  name: 'outbox-drain',
  title: 'Draining the outbox',
  about:
    'Events of 1 KB, of as many entities, are committed at once; the dispatcher of one process publishes them with confirms into a quorum queue and deletes them, ' +
    'order per entity kept. Against it: the same messages from memory in confirmed batches of 1,000, without any database.',
  async prepare(run) {
    const { databaseUrl, amqpUrl, watched } = await run.servers();
    const dispatcher = await run.child<DispatcherApi>('dispatcher');
    await dispatcher.call('start', await ownDatabase(databaseUrl, 'bench_outbox'), amqpUrl);
    const publisher = await run.child<PublisherApi>('publisher');
    await publisher.call('start', amqpUrl);
    const { postgres, rabbitmq } = watched;

    const contestant = (
      name: string,
      about: string,
      processes: Contestant['watched'],
      drain: (rows: number) => Promise<number>,
      unit = 'rows',
    ): Contestant => ({
      name,
      about,
      unit,
      watched: processes,
      async run(seconds, warmUp) {
        const operations = warmUp ? 2_000 : Math.min(mostRows, Math.round(rowsPerSecond * seconds));
        return { operations, seconds: await drain(operations), errors: 0 };
      },
    });
    const ours = () => [{ name: 'dispatcher', pid: dispatcher.pid }, postgres, rabbitmq];
    const raw = () => [{ name: 'publisher', pid: publisher.pid }, rabbitmq];
    return {
      contestants: [
        contestant('one lane', 'dispatcher, all events in one lane', ours, (rows) =>
          dispatcher.call('drain', rows, 1),
        ),
        contestant('four lanes', 'dispatcher, events in all four lanes', ours, (rows) =>
          dispatcher.call('drain', rows, 4),
        ),
        contestant(
          'publish only',
          'amqplib, one batch after the other',
          raw,
          (rows) => publisher.call('publish', rows, batchOfRaw, 1),
          'messages',
        ),
        contestant(
          'publish only ×4',
          'amqplib, four batches at a time',
          raw,
          (rows) => publisher.call('publish', rows, batchOfRaw, 4),
          'messages',
        ),
      ],
      comparisons: [
        { of: 'one lane', to: 'publish only', by: 'rate', target: { atLeast: 0.5 } },
        { of: 'four lanes', to: 'publish only ×4', by: 'rate' },
      ],
      bounds: [{ of: 'one lane', value: 'rate', atLeast: 8_000 }],
      notes: ['The CPU of the servers includes filling the tables.'],
      end: () => Promise.resolve(),
    };
  },
};
