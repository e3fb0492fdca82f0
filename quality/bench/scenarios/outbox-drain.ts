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
    'queue and moves them to `outbox_published`, order per entity kept. Against it: the same messages from memory in confirmed batches of ' +
    '1,000, without any database.',
  async run(bench) {
    const { databaseUrl, amqpUrl } = await bench.servers();
    const dispatcher = await bench.child<OutboxApi>('outbox', true);
    await dispatcher.call('start', await ownDatabase(databaseUrl, 'bench_outbox'), amqpUrl);
    const publisher = await bench.child<OutboxApi>('outbox');
    await publisher.call('connect', amqpUrl);
    const variant = (name: string, drain: (rows: number) => Promise<number>): Variant => ({
      name,
      async run(seconds) {
        const operations = Math.min(maxRows, Math.round(rowsPerSecond * seconds));
        return { operations, seconds: await drain(operations), errors: 0 };
      },
    });
    return compare(bench.options.seconds, {
      variants: [
        variant('one lane', (rows) => dispatcher.call('drain', rows, 1)),
        variant('all lanes', (rows) => dispatcher.call('drain', rows, 64)),
        variant('publish only', (rows) => publisher.call('publish', rows, rawBatch)),
      ],
      ratios: [
        ['one lane', 'publish only'],
        ['all lanes', 'publish only'],
      ],
    });
  },
};
