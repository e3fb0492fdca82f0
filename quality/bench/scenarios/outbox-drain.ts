import { ownDatabase } from '@canvass/stack';
import type { Scenario } from '../bench';
import { compare, type Variant } from '../compare';
import type { OutboxApi } from '../processes/outbox';

/** A round is given by work: so many rows for each second that it may take. */
const rowsPerSecond = 8_000;
const maxRows = 100_000;
const rawBatch = 1_000;

export const outboxDrain: Scenario = {
  name: 'outbox-drain',
  title: 'Draining the outbox',
  about:
    'Events of 1 KB, of as many entities, are committed at once; the dispatcher of one process publishes them with confirms into a quorum ' +
    'queue and moves them to `outbox_published`, order per entity kept. Against it: the same messages from memory in confirmed batches of 1,000, without any ' +
    'database.',
  async run(bench) {
    const { databaseUrl, amqpUrl } = await bench.servers();
    const dispatcher = await bench.child<OutboxApi>('outbox');
    await dispatcher.call('start', await ownDatabase(databaseUrl, 'bench_outbox'), amqpUrl);
    const publisher = await bench.child<OutboxApi>('outbox');
    await publisher.call('connect', amqpUrl);
    const variant = (
      name: string,
      about: string,
      unit: string,
      drain: (rows: number) => Promise<number>,
    ): Variant => ({
      name,
      about,
      unit,
      async run(seconds, warmUp) {
        const operations = warmUp ? 2_000 : Math.min(maxRows, Math.round(rowsPerSecond * seconds));
        return { operations, seconds: await drain(operations), errors: 0 };
      },
    });
    const drain = (lanes: 1 | 64) => (rows: number) => dispatcher.call('drain', rows, lanes);
    const publish = (atOnce: number) => (rows: number) => publisher.call('publish', rows, rawBatch, atOnce);
    return compare(bench.options.seconds, {
      variants: [
        variant('one lane', 'dispatcher, all events in one lane', 'rows', drain(1)),
        variant('all lanes', 'dispatcher, events in all 64 lanes', 'rows', drain(64)),
        variant('publish only', 'amqplib, one batch after the other', 'messages', publish(1)),
        variant('publish only ×4', 'amqplib, four batches at a time', 'messages', publish(4)),
      ],
      ratios: [
        { of: 'one lane', to: 'publish only', by: 'rate', atLeast: 0.8 },
        { of: 'all lanes', to: 'publish only ×4', by: 'rate' },
      ],
      limits: [{ of: 'one lane', value: 'rate', atLeast: 8_000 }],
    });
  },
};
