import { exchanges, type EventEnvelope, type FormView, type Topology } from '@canvass/contracts';
import { createBroker, type Broker, type Log } from '@canvass/messaging';
import {
  createDatabase,
  migrate,
  nextIdSchema,
  schemaMigration,
  type Database,
  type Tx,
} from '@canvass/postgres';
import { testDatabase, testVhost, type TestVhost } from '@canvass/testing';
import {
  append,
  createDispatcher,
  laneSql,
  outboxSchema,
  type Dispatcher,
  type DispatcherOptions,
} from '../src';

interface LogLine {
  level: string;
  message: string;
  details: Record<string, unknown>;
}

const migrations = [schemaMigration([nextIdSchema, outboxSchema], 7)];

/** All events go to `seen`, but `tenant.*` has no queue. */
const topology: Topology = {
  exchanges: [exchanges.events, exchanges.queues].map((name) => ({ name, type: 'topic', arguments: {} })),
  queues: [
    {
      name: 'seen',
      arguments: { 'x-queue-type': 'quorum' },
      bindings: ['form.*', 'submission.*', 'datalist.*'].map((routingKey) => ({
        exchange: exchanges.events,
        routingKey,
      })),
    },
  ],
};

export interface OutboxFixture {
  db: Database;
  admin: Database;
  vhost: TestVhost;
  broker: Broker;
  lines: LogLine[];
  /** Envelopes in order of arrival. */
  seen: EventEnvelope[];
  headers: Record<string, unknown>[];
  /** A dispatcher with its own pool and application name, stopped at the end. */
  dispatcher(name?: string, overrides?: Partial<DispatcherOptions>): Dispatcher;
  newBroker(): Broker;
  /** Begins to take events from the queue. */
  consume(): void;
  /** Ends the sessions in which the dispatcher of that name leads; returns their number. */
  killLeaders(name: string): Promise<number>;
  pending(): Promise<number>;
  end(): Promise<void>;
}

/** @param consumes whether events go to `seen` at once, or only after `consume()` */
export async function outboxFixture({ consumes = true } = {}): Promise<OutboxFixture> {
  const database = await testDatabase({
    template: 'with things',
    migrations,
    schema: 'outbox_spec',
    async prepare(url) {
      await migrate(url, migrations);
      const setup = createDatabase({ Url: url });
      await setup.query('create table things (id bigint primary key, revision bigint not null default 0)');
      await setup.close();
    },
  });
  const vhost = await testVhost();
  const lines: LogLine[] = [];
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, message, details: { ...details } });
  const logger: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const databases: Database[] = [];
  const brokers: Broker[] = [];
  const dispatchers: Dispatcher[] = [];
  const open = (url: string, applicationName: string) => {
    const db = createDatabase({ Url: url }, { applicationName });
    databases.push(db);
    return db;
  };
  const newBroker = () => {
    const broker = createBroker({ Url: vhost.url }, { name: 'outbox-spec', topology, logger });
    brokers.push(broker);
    return broker;
  };
  const db = open(database.url, 'writer');
  const admin = open(database.adminUrl, 'admin');
  const broker = newBroker();
  const seen: EventEnvelope[] = [];
  const headers: Record<string, unknown>[] = [];
  const known = new Set<string>();
  await broker.whenConnected();
  const consume = () =>
    void broker.consume('seen', { prefetch: 500 }, (message) => {
      // Redelivered by the broker to a consumer that lost its connection, not sent again by the outbox.
      if (!message.redelivered || !known.has(message.messageId)) {
        known.add(message.messageId);
        seen.push(JSON.parse(message.body.toString()) as EventEnvelope);
        headers.push({ ...message.headers, messageId: message.messageId, routingKey: message.routingKey });
      }
      return Promise.resolve('ack');
    });
  if (consumes) consume();
  return {
    db,
    admin,
    vhost,
    broker,
    lines,
    seen,
    headers,
    newBroker,
    consume,
    dispatcher(name = 'dispatcher', overrides = {}) {
      const dispatcher = createDispatcher({ db: open(database.url, name), broker, logger, ...overrides });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    async killLeaders(name) {
      const killed = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = $1 and datname = current_database()`,
        [`${name} outbox`],
      );
      return killed.length;
    },
    async pending() {
      return (await db.query<{ pending: number }>('select count(*)::int as pending from outbox'))[0]!.pending;
    },
    async end() {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
      await Promise.all(brokers.map((each) => each.close()));
      await Promise.all(databases.map((each) => each.close()));
      await vhost.drop();
      await database.drop();
    },
  };
}

/** Changes a thing like a service: first lock and revision, last the event. Returns the id of the event. */
export function change(db: Database, id: string, tenantId = '1'): Promise<string> {
  return db.transaction((tx) => changeIn(tx, id, tenantId));
}

/** The same in a transaction of the caller. */
export async function changeIn(tx: Tx, id: string, tenantId = '1'): Promise<string> {
  const [row] = await tx.query<{ revision: string }>(
    `insert into things (id, revision) values ($1, 1)
     on conflict (id) do update set revision = things.revision + 1 returning revision`,
    [id],
  );
  return append(tx, {
    type: 'form.updated',
    tenantId,
    entity: 'form',
    entityId: id,
    formId: id,
    revision: row!.revision,
    settings: null,
    traceparent: null,
    data: formView(id, row!.revision),
  });
}

export function formView(id: string, revision: string): FormView {
  return {
    id,
    name: 'Name',
    description: null,
    isEnabled: true,
    isPublic: true,
    limitOnePerUser: false,
    definition: {},
    submissionTokenExpiryHours: null,
    retentionDays: null,
    opensAt: null,
    closesAt: null,
    maxSubmissions: null,
    slug: null,
    page: null,
    answerCheck: 'off',
    dataListIds: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    modifiedAt: '2026-01-01T00:00:00.000Z',
    revision,
  };
}

/** Inserts `count` events, `perEntity` for each of consecutive entities from `firstId`. */
export async function fill(db: Database, count: number, perEntity = 1, firstId = 1_000): Promise<void> {
  await db.query(
    `insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, data)
     select ${laneSql('e')}, 'form.updated', 1, 'form', e, e, (n - 1) % $2 + 1, $4::json
       from (select n, $3::bigint + (n - 1) / $2 as e from generate_series(1, $1::int) as n) as made
      order by n`,
    [count, perEntity, firstId, JSON.stringify(formView('1', '1'))],
  );
}

/** The revisions of each entity in order of arrival, without repeated arrivals. */
export function revisionsByEntity(envelopes: EventEnvelope[]): Map<string, number[]> {
  const ids = new Set<string>();
  const revisions = new Map<string, number[]>();
  for (const { id, entityId, revision } of envelopes) {
    if (ids.has(id)) continue;
    ids.add(id);
    revisions.set(entityId, [...(revisions.get(entityId) ?? []), Number(revision)]);
  }
  return revisions;
}
