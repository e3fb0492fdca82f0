/** The outbox as a service has it: its table, its dispatcher, its broker; the bench fills, the dispatcher drains. */
import { queues, serviceTopology } from '@canvass/contracts';
import { createBroker } from '@canvass/messaging';
import { createDispatcher, outboxMigration } from '@canvass/outbox';
import { createDatabase, migrate, nextIdMigration, type Database } from '@canvass/postgres';
import { serveApi } from '../child';
import { eventData, eventSettings, eventType } from '../outbox-event';
import { purge } from '../purge';

const quiet = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };

let db: Database;
let amqp = '';
let published = 0;
let wanted = Infinity;
let drained: () => void = () => undefined;
let wake: () => void = () => undefined;

const count = (_labels: unknown, value = 1) => {
  published += typeof _labels === 'number' ? _labels : value;
  if (published >= wanted) drained();
};
/** Stands in for a registry: only what was published is of interest. */
const metrics = {
  counter: ({ name }: { name: string }) => ({
    inc: name === 'outbox_published_total' ? count : () => undefined,
  }),
  gauge: () => undefined,
};

const api = {
  async start(databaseUrl: string, amqpUrl: string): Promise<void> {
    await migrate(databaseUrl, [nextIdMigration('next_id', 2), outboxMigration('outbox')]);
    db = createDatabase({ Url: databaseUrl });
    amqp = amqpUrl;
    const broker = createBroker(
      { Url: amqpUrl },
      { name: 'bench', topology: serviceTopology, logger: quiet },
    );
    await broker.whenConnected();
    const dispatcher = createDispatcher({ db, broker, logger: quiet, metrics });
    dispatcher.start();
    wake = () => dispatcher.wake();
  },

  /**
   * Commits that many events of as many entities, spread over so many lanes, and drains them; gives the seconds from
   * the commit to the last deletion.
   */
  async drain(rows: number, laneCount: 1 | 4): Promise<number> {
    await purge(amqp, queues.webhookEvents);
    [published, wanted] = [0, rows];
    const done = new Promise<void>((resolve) => (drained = resolve));
    await db.query(
      `insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, data)
       select n % $2, $3, 1, 'submission', n, 7, 1, $4, $5 from generate_series(1, $1::int) n`,
      [rows, laneCount, eventType, eventSettings, eventData],
    );
    const started = performance.now();
    wake();
    await done;
    return (performance.now() - started) / 1000;
  },
};

export type DispatcherApi = typeof api;

serveApi(api);
