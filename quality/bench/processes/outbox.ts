/** The outbox as a service has it, with its table, dispatcher and broker. */
import { queues, serviceTopology } from '@canvass/contracts';
import { createBroker } from '@canvass/messaging';
import { createDispatcher, outboxSchema } from '@canvass/outbox';
import { createDatabase, migrate, nextIdSchema, schemaMigration, type Database } from '@canvass/postgres';
import { connect, type Channel } from 'amqplib';
import { serveApi } from '../../child';

const logger = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
const eventType = 'submission.completed';
const settings = JSON.stringify({ scope: 'form', scopeId: '7', version: '1' });
/** One kilobyte as a message. */
const data = JSON.stringify({
  id: '600000000000000001',
  formId: '7',
  isComplete: true,
  collectionStatus: 'complete',
  currentPage: 4,
  jsonData: JSON.stringify({ answers: 'x'.repeat(500) }),
  metadata: '{}',
  revision: '1',
});

let db: Database;
let channel: Channel;
let [published, wanted] = [0, Infinity];
let drained: () => void = () => undefined;
let wake: () => void = () => undefined;

/** Stands in for a registry: only the number of published events is of interest. */
const metrics = {
  counter: ({ name }: { name: string }) => ({
    inc(labels: unknown, value = 1) {
      if (name !== 'outbox_published_total') return;
      published += typeof labels === 'number' ? labels : value;
      if (published >= wanted) drained();
    },
  }),
  gauge: () => undefined,
};

const api = {
  /** Creates the outbox in a database, with a dispatcher that publishes to the broker. */
  async start(databaseUrl: string, amqpUrl: string): Promise<void> {
    await migrate(databaseUrl, [schemaMigration([nextIdSchema, outboxSchema], 2)]);
    db = createDatabase({ Url: databaseUrl });
    const broker = createBroker({ Url: amqpUrl }, { name: 'bench', topology: serviceTopology, logger });
    await broker.whenConnected();
    const dispatcher = createDispatcher({ db, broker, logger, metrics, keepHours: 24 });
    dispatcher.start();
    wake = () => dispatcher.wake();
    channel = await (await connect(amqpUrl)).createChannel();
  },

  /** Commits that many events of as many entities; returns the seconds until the last one is published. */
  async drain(rows: number): Promise<number> {
    await channel.purgeQueue(queues.webhookEvents);
    [published, wanted] = [0, rows];
    const done = new Promise<void>((resolve) => (drained = resolve));
    await db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, data)
       select 0, $2, 1, 'submission', n, 7, 1, $3, $4 from generate_series(1, $1::int) n`,
      [rows, eventType, settings, data],
    );
    const started = performance.now();
    wake();
    await done;
    return (performance.now() - started) / 1000;
  },
};

export type OutboxApi = typeof api;

serveApi(api);
