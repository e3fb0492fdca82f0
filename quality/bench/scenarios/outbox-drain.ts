import { ownDatabase, ownVirtualHost } from '@canvass/stack';
import type { Scenario } from '../bench';
import { compare } from '../compare';
import type { OutboxApi } from '../processes/outbox';

/** A round is given by work: so many rows for each second that it may take. */
const rowsPerSecond = 8_000;
const maxRows = 100_000;

export const outboxDrain: Scenario = {
  name: 'outbox-drain',
  title: 'Draining the outbox',
  about:
    'Events of 1 KB, of as many entities, are committed at once; the dispatcher of one process publishes them with confirms into a quorum ' +
    'queue and moves them to `outbox_published`, order per entity kept.',
  async run(bench) {
    const { databaseUrl, amqpUrl, amqpManagementUrl } = (await bench.stack()).file;
    const name = 'bench_outbox';
    // Apart from the services, which would consume the events.
    const ownBroker = await ownVirtualHost(amqpUrl, amqpManagementUrl, name);
    const dispatcher = await bench.child<OutboxApi>('outbox', true);
    await dispatcher.call('start', await ownDatabase(databaseUrl, name), ownBroker);
    return compare(bench.options.seconds, {
      variants: [
        {
          name: 'drained',
          async run(seconds) {
            const operations = Math.min(maxRows, Math.round(rowsPerSecond * seconds));
            return { operations, seconds: await dispatcher.call('drain', operations), errors: 0 };
          },
        },
      ],
    });
  },
};
