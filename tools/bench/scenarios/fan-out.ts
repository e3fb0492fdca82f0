import { createBroker, type Broker } from '@canvass/messaging';
import { exchanges, serviceTopology } from '@canvass/contracts';
import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayClient, makeForms } from '../forms';
import type { BareSenderApi } from '../processes/bare-sender';
import type { SinkApi } from '../processes/sink';
import type { Contestant, Sample, Scenario } from '../scenario';

/** As the relay sends to each form's endpoint at most five at a time, there are enough of them. */
const forms = 20;
const tenfold = 10;
const rawConnections = 50;
const quiet = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };

/** With its envelope about 2 KB as a message to the receiver. */
const jsonData = JSON.stringify({ answers: 'x'.repeat(1_500) });

const words = { 1: 'one relay process turns', 2: 'two relay processes turn' };

const scenarioOf = (relays: 1 | 2): Scenario => ({
  name: relays === 1 ? 'fan-out' : 'fan-out-by-two',
  title: relays === 1 ? 'Fan-out and delivery' : 'Fan-out and delivery by two relays',
  about:
    `Events wait in RabbitMQ; ${words[relays]} each of them into a message with one or with ${tenfold} deliveries (over ${forms} forms), sends them signed to a local receiver and records every attempt. ` +
    'Bodies of 2 KB. The clock stops when every delivery is recorded. Against it: the same bodies through a bare undici pool, nothing written.',
  async prepare(run) {
    const stack = await run.stack({ 'webhook-relay-svc': relays });
    const { databaseUrl, amqpUrl } = await run.addresses();
    const sink = await run.child<SinkApi>('sink');
    const sinkUrl = await sink.call('listen');
    const client = await gatewayClient(stack.file);
    const one = Array.from({ length: forms }, (_, n) => [`${sinkUrl}/one/${n}`]);
    const ten = Array.from({ length: forms }, (_, n) =>
      Array.from({ length: tenfold }, (_, m) => `${sinkUrl}/ten/${n}/${m}`),
    );
    const formsOfOne = await makeForms(client, forms, one);
    const formsOfTen = await makeForms(client, forms, ten);
    const database = new Client({ connectionString: databaseUrl });
    database.on('error', () => undefined);
    await database.connect();
    const versions = await versionsOf(database, [...formsOfOne, ...formsOfTen]);
    const broker = createBroker(
      { Url: amqpUrl },
      { name: 'bench', topology: serviceTopology, logger: quiet },
    );
    await broker.whenConnected();
    const relay = await run.watchedCopies('webhook-relay-svc');
    const { postgres, rabbitmq } = await run.watchedServers();
    const sender = await run.child<BareSenderApi>('bare-sender');
    const processes = relays === 1 ? 'one relay' : 'two relays';
    const receiver = { name: 'receiver', pid: sink.pid };

    const tenantId = stack.file.demo.tenantId;
    /** What a second was good for; learnt in the warm-up, so that a round lasts as long as it should. */
    const perSecond = new Map<string, number>();
    const paced = async (
      name: string,
      seconds: number,
      warmUp: boolean,
      go: (n: number) => Promise<number>,
    ) => {
      const operations = warmUp ? 400 : Math.max(100, Math.round((perSecond.get(name) ?? 100) * seconds));
      const took = await go(operations);
      perSecond.set(name, operations / took);
      return { operations, seconds: took, errors: 0 } satisfies Sample;
    };
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
    const contestant = (
      name: string,
      about: string,
      watched: Contestant['watched'],
      go: (operations: number) => Promise<number>,
    ): Contestant => ({
      name,
      about,
      unit: 'deliveries',
      watched,
      run: (seconds, warmUp) => paced(name, seconds, warmUp, go),
    });
    const ours = () => [...relay, postgres, rabbitmq, receiver];
    const body = JSON.stringify({ Payload: dataOf('1', '1') });
    return {
      contestants: [
        contestant('1:1', `${processes}, one endpoint for each event`, ours, (n) =>
          deliver(formsOfOne, n, 1),
        ),
        contestant('1:10', `${processes}, ten endpoints for each event`, ours, (n) =>
          deliver(formsOfTen, n, tenfold),
        ),
        contestant(
          'bare undici',
          `undici pool, ${rawConnections} connections`,
          () => [{ name: 'sender', pid: sender.pid }, receiver],
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
      bounds: relays === 1 ? [{ of: '1:1', value: 'rate', atLeast: 1_500 }] : [],
      notes:
        relays === 1 ? [] : ['The factor is the ratio to bare undici here by the same ratio of one relay.'],
      warmedUp: () => run.analyze(),
      async end() {
        await broker.close();
        await database.end();
      },
    };
  },
});

export const fanOut = scenarioOf(1);
export const fanOutByTwo = scenarioOf(2);

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
