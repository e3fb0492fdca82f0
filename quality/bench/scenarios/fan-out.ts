import { createBroker, type Broker } from '@canvass/messaging';
import { exchanges, serviceTopology } from '@canvass/contracts';
import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayClient, makeForms } from '../forms';
import type { BareSenderApi } from '../processes/bare-sender';
import type { SinkApi } from '../processes/sink';
import type { BenchRun } from '../bench-run';
import type { Watched } from '../process-usage';
import { startRelayGroup, type RelayGroup } from '../relay-group';
import type { Comparison, Contestant, Prepared, Scenario } from '../scenario';

/** As the relay sends to each form's endpoint at most five at a time, there are enough of them. */
const forms = 20;
const tenfold = 10;
const rawConnections = 50;
const quiet = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };

/** With its envelope about 2 KB as a message to the receiver. */
const jsonData = JSON.stringify({ answers: 'x'.repeat(1_500) });

const about =
  `turn each of them into a message with one or with ${tenfold} deliveries (over ${forms} forms), send them signed to a local receiver and record every attempt. ` +
  'Bodies of 2 KB. The clock stops when every delivery is recorded.';

/** What both scenarios run in: forms, a receiver, and events for whichever relays. */
async function setUp(run: BenchRun) {
  const stack = await run.stack();
  const sink = await run.child<SinkApi>('sink');
  const sinkUrl = await sink.call('listen');
  const client = await gatewayClient(stack.file);
  const one = Array.from({ length: forms }, (_, n) => [`${sinkUrl}/one/${n}`]);
  const ten = Array.from({ length: forms }, (_, n) =>
    Array.from({ length: tenfold }, (_, m) => `${sinkUrl}/ten/${n}/${m}`),
  );
  const formsOfOne = await makeForms(client, forms, one);
  const formsOfTen = await makeForms(client, forms, ten);
  const { databaseUrl, amqpUrl } = await run.addresses();
  const stackDatabase = await connect(databaseUrl);
  const versions = await versionsOf(stackDatabase, [...formsOfOne, ...formsOfTen]);
  await stackDatabase.end();
  const { postgres, rabbitmq } = await run.watchedServers();
  const receiver = { name: 'receiver', pid: sink.pid };
  const tenantId = stack.file.demo.tenantId;
  /** What a second was good for; learnt in the warm-up, so that a round lasts as long as it should. */
  const perSecond = new Map<string, number>();
  const endings: (() => Promise<void>)[] = [];

  const contestant = (
    name: string,
    about: string,
    watched: Watched[],
    go: (operations: number) => Promise<number>,
  ): Contestant => ({
    name,
    about,
    unit: 'deliveries',
    watched: () => watched,
    async run(seconds, warmUp) {
      const operations = warmUp ? 400 : Math.max(100, Math.round((perSecond.get(name) ?? 100) * seconds));
      const took = await go(operations);
      perSecond.set(name, operations / took);
      return { operations, seconds: took, errors: 0 };
    },
  });

  /** The contestants 1:1 and 1:10 of some relays. */
  const byRelays = async (
    { databaseUrl, amqpUrl, watched }: RelayGroup,
    words: string,
    suffix: string,
  ): Promise<Contestant[]> => {
    const database = await connect(databaseUrl);
    const options = { name: 'bench', topology: serviceTopology, logger: quiet };
    const broker = createBroker({ Url: amqpUrl }, options);
    await broker.whenConnected();
    endings.push(() => broker.close().then(() => database.end()));
    const deliver = async (formIds: string[], deliveries: number, each: number): Promise<number> => {
      const finished = await finishedDeliveries(database);
      await sink.call('reset', false);
      const started = performance.now();
      const events = Math.ceil(deliveries / each);
      await publishEvents(broker, { tenantId, formIds, versions, events });
      const wanted = events * each;
      const received = await sink.call('received', wanted, 120_000);
      if (received < wanted) throw new Error(`${received} of ${wanted} deliveries came`);
      while ((await finishedDeliveries(database)) - finished < wanted) await sleep(20);
      return (performance.now() - started) / 1000;
    };
    const all = [...watched, postgres, rabbitmq, receiver];
    return [
      contestant(`1:1${suffix}`, `${words}, one endpoint for each event`, all, (n) =>
        deliver(formsOfOne, n, 1),
      ),
      contestant(`1:10${suffix}`, `${words}, ten endpoints for each event`, all, (n) =>
        deliver(formsOfTen, n, tenfold),
      ),
    ];
  };

  const end = () => Promise.all(endings.map((each) => each())).then(() => undefined);
  return { addresses: { databaseUrl, amqpUrl }, sink, sinkUrl, receiver, contestant, byRelays, end };
}

export const fanOut: Scenario = {
  name: 'fan-out',
  title: 'Fan-out and delivery',
  about: `Events wait in RabbitMQ; one relay has to ${about} Against it: the same bodies through a bare undici pool, nothing written.`,
  async prepare(run) {
    const { addresses, sink, sinkUrl, receiver, contestant, byRelays, end } = await setUp(run);
    const watched = await run.watchedCopies('webhook-relay-svc');
    const relay = await byRelays({ ...addresses, watched }, 'one relay', '');
    const sender = await run.child<BareSenderApi>('bare-sender');
    const body = JSON.stringify({ Payload: dataOf('1', '1') });
    return {
      contestants: [
        ...relay,
        contestant(
          'bare undici',
          `undici pool, ${rawConnections} connections`,
          [{ name: 'sender', pid: sender.pid }, receiver],
          async (n) => {
            await sink.call('reset', false);
            return sender.call('send', sinkUrl, body, n, rawConnections);
          },
        ),
      ],
      comparisons: [
        { of: '1:1', to: 'bare undici', by: 'rate' },
        { of: '1:10', to: 'bare undici', by: 'rate' },
        { of: '1:10', to: '1:1', by: 'rate' },
      ],
      bounds: [{ of: '1:1', value: 'rate', atLeast: 1_500 }],
      notes: [],
      warmedUp: () => run.analyze(),
      end,
    };
  },
};

/** Relays of a comparison, with a database and a virtual host of their own. */
interface Side {
  name: string;
  count: number;
  env?: Record<string, string>;
  /** What the report calls them, and what it adds to the names of their contestants. */
  words: string;
  suffix: string;
}

/** Sets up both sides; the rate of the second is told as a share of the first's. */
async function compareRelays(
  run: BenchRun,
  sides: readonly [Side, Side],
  target?: Comparison['target'],
): Promise<Prepared> {
  const { byRelays, end } = await setUp(run);
  const groups: RelayGroup[] = [];
  const contestants: Contestant[] = [];
  for (const { name, count, env, words, suffix } of sides) {
    const group = await startRelayGroup(run, name, count, env);
    groups.push(group);
    contestants.push(...(await byRelays(group, words, suffix)));
  }
  const [first, second] = sides;
  return {
    contestants,
    comparisons: ['1:1', '1:10'].map((each) => ({
      of: `${each}${second.suffix}`,
      to: `${each}${first.suffix}`,
      by: 'rate',
      ...(target && { target }),
    })),
    notes: [],
    async warmedUp() {
      for (const { databaseUrl } of groups) {
        const database = await connect(databaseUrl);
        await database.query('analyze');
        await database.end();
      }
    },
    end,
  };
}

export const fanOutByTwo: Scenario = {
  name: 'fan-out-by-two',
  title: 'Fan-out and delivery by two relays',
  about: `Events wait in RabbitMQ; one relay, or two that share the work, ${about} One and two take turns in the same run, each with a database and a virtual host of its own.`,
  prepare: (run) =>
    compareRelays(
      run,
      [
        { name: 'alone', count: 1, words: 'one relay', suffix: ' by one' },
        { name: 'pair', count: 2, words: 'two relays', suffix: ' by two' },
      ],
      { atLeast: 1 },
    ),
};

export const fanOutByJobs: Scenario = {
  name: 'fan-out-by-jobs',
  title: 'Fan-out and delivery through the job queue',
  about: `Events wait in RabbitMQ; one relay, with Service:Outbox:DeliverToJobQueue off or on, has to ${about} Off and on take turns in the same run, each with a database and a virtual host of its own.`,
  prepare: (run) =>
    compareRelays(run, [
      { name: 'inline', count: 1, words: 'one relay, sends what it has taken', suffix: ' inline' },
      {
        name: 'jobs',
        count: 1,
        env: { Service__Outbox__DeliverToJobQueue: 'true' },
        words: 'one relay, one job for each delivery',
        suffix: ' by jobs',
      },
    ]),
};

async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const dataOf = (id: string, formId: string) => ({
  id,
  formId,
  isComplete: true,
  collectionStatus: 'complete',
  currentPage: 4,
  jsonData,
  metadata: '{}',
  revision: '1',
});

/** Version of the settings in force, by form, once the relay has all of them: no measured event has to fetch any. */
async function versionsOf(database: Client, formIds: readonly string[]): Promise<Map<string, string>> {
  for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
    const { rows } = await database.query<{ scope_id: string; version: string }>(
      `select scope_id, version from webhooks.settings_current where scope = 'form'`,
    );
    const versions = new Map(rows.map(({ scope_id, version }) => [scope_id, version]));
    if (formIds.every((id) => versions.has(id))) return versions;
    if (Date.now() > deadline) throw new Error('the relay did not learn of all forms within a minute');
  }
}

async function finishedDeliveries(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `select count(*) from webhooks.deliveries where status = 'delivered'`,
  );
  return Number(rows[0]?.count);
}

/** Publishes as an outbox would: confirmed, persistent, each event once. */
async function publishEvents(
  broker: Broker,
  options: { tenantId: string; formIds: string[]; versions: Map<string, string>; events: number },
): Promise<void> {
  const { tenantId, formIds, versions, events } = options;
  const messages = Array.from({ length: events }, (_, n) => {
    const formId = formIds[n % formIds.length]!;
    const id = String((BigInt(Date.now()) << 22n) + BigInt(n));
    const envelope = {
      id,
      type: 'submission.completed',
      schemaVersion: 1,
      tenantId,
      entity: 'submission',
      entityId: id,
      formId,
      revision: '1',
      occurredAt: new Date().toISOString(),
      settings: { scope: 'form', scopeId: formId, version: versions.get(formId) },
      traceparent: null,
      data: dataOf(id, formId),
    };
    return {
      exchange: exchanges.events,
      routingKey: envelope.type,
      messageId: id,
      body: Buffer.from(JSON.stringify(envelope)),
    };
  });
  const results = await broker.publish(messages);
  const failed = results.find(({ ok }) => !ok);
  if (failed) throw new Error(`an event was not published: ${JSON.stringify(failed)}`);
}
