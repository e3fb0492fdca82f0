/**
 * The outbox as a service has it, with its table, dispatcher and broker; and its raw limit: the same
 * messages from memory, in confirmed batches, without a database.
 */
import { exchanges, queues, serviceTopology } from '@canvass/contracts';
import { createBroker } from '@canvass/messaging';
import { createDispatcher, envelopeBytes, outboxSchema } from '@canvass/outbox';
import { createDatabase, migrate, nextIdSchema, schemaMigration, type Database } from '@canvass/postgres';
import { connect, type ConfirmChannel } from 'amqplib';
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
let channel: ConfirmChannel;
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
    await api.connect(amqpUrl);
  },

  /** Connects to the broker alone. */
  async connect(amqpUrl: string): Promise<void> {
    channel = await (await connect(amqpUrl, { noDelay: true })).createConfirmChannel();
  },

  /**
   * Commits that many events of as many entities, spread over so many lanes, and drains them; returns the
   * seconds from the commit to the last deletion.
   */
  async drain(rows: number, laneCount: 1 | 64): Promise<number> {
    await channel.purgeQueue(queues.webhookEvents);
    [published, wanted] = [0, rows];
    const done = new Promise<void>((resolve) => (drained = resolve));
    await db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, data)
       select n % $2, $3, 1, 'submission', n, 7, 1, $4, $5 from generate_series(1, $1::int) n`,
      [rows, laneCount, eventType, settings, data],
    );
    const started = performance.now();
    wake();
    await done;
    return (performance.now() - started) / 1000;
  },

  /** Publishes that many messages, one batch after the other; returns the seconds. */
  async publish(messages: number, batchSize: number): Promise<number> {
    await channel.purgeQueue(queues.webhookEvents);
    const bodies = Array.from({ length: messages }, (_, n) => bodyOf(n));
    const started = performance.now();
    for (let from = 0; from < messages; from += batchSize)
      await publishBatch(bodies.slice(from, from + batchSize), from);
    return (performance.now() - started) / 1000;
  },
};

const bodyOf = (n: number): Buffer =>
  envelopeBytes({
    id: String(n),
    eventId: String(600_000_000_000_000_000n + BigInt(n)),
    eventType,
    tenantId: '1',
    entity: 'submission',
    entityId: String(n),
    formId: '7',
    revision: '1',
    settings,
    traceparent: null,
    data,
    createdAt: new Date(),
  });

/** Resolves when the broker has confirmed all of them. */
function publishBatch(bodies: readonly Buffer[], from: number): Promise<void> {
  const common = { mandatory: true, persistent: true, contentType: 'application/json' };
  const headers = { tenant: '1', 'schema-version': 1 };
  return new Promise((resolve, reject) => {
    let open = bodies.length;
    bodies.forEach((body, index) => {
      const properties = { ...common, messageId: String(from + index), headers };
      channel.publish(exchanges.events, eventType, body, properties, (error: Error | null) => {
        if (error) reject(error);
        else if (--open === 0) resolve();
      });
    });
  });
}

export type OutboxApi = typeof api;

serveApi(api);
