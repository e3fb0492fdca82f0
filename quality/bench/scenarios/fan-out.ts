import { exchanges, serviceTopology } from '@canvass/contracts';
import { createBroker } from '@canvass/messaging';
import { eventually } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { compare, type Variant } from '../compare';
import { watchCpu } from '../cpu';
import type { BareApi } from '../processes/bare';
import type { SinkApi } from '../processes/sink';
import { startRelayGroup, type RelayAddresses } from '../relay-group';
import { analyze, createForms } from '../setup';

/** The relay sends at most five at a time to the endpoint of a form, so there are enough forms. */
const forms = 20;
const tenfold = 10;
const rawConnections = 50;
const logger = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
/** About 2 KB as a message to the receiver. */
const jsonData = JSON.stringify({ answers: 'x'.repeat(1_500) });

const about =
  `turn each of them into a message with one or with ${tenfold} deliveries (over ${forms} forms), send them signed to a local receiver and ` +
  'record every attempt. Bodies of 2 KB. The clock stops when every delivery is recorded.';

/** Forms with one and with ten endpoints, a receiver, and the variants of any relays. */
async function setUp(bench: Bench) {
  const { file } = await bench.stack();
  const sink = await bench.child<SinkApi>('sink');
  const sinkUrl = await sink.call('listen');
  const client = await bench.client();
  const urls = (form: number, count: number) =>
    Array.from({ length: count }, (_, n) => `${sinkUrl}/${count}/${form}/${n}`);
  const formsWith = (count: number) =>
    createForms(
      client,
      Array.from({ length: forms }, (_, form) => urls(form, count)),
    );
  const [ofOne, ofTen] = [await formsWith(1), await formsWith(tenfold)];
  const versions = await settingsVersions(bench, [...ofOne, ...ofTen]);

  /** A round is given by work: as many operations as the last round could do in that time. */
  const variant = (name: string, words: string, go: (operations: number) => Promise<number>): Variant => {
    let perSecond = 100;
    return {
      name,
      about: words,
      unit: 'deliveries',
      async run(seconds, warmUp) {
        const operations = warmUp ? 400 : Math.max(100, Math.round(perSecond * seconds));
        const took = await go(operations);
        perSecond = operations / took;
        return { operations, seconds: took, errors: 0 };
      },
    };
  };

  /** The variants 1:1 and 1:10 of some relays. */
  const byRelays = async (relays: RelayAddresses, words: string, suffix: string): Promise<Variant[]> => {
    const database = await bench.database(relays.databaseUrl);
    const delivered = async () => {
      const { rows } = await database.query<{ count: number }>(
        `select count(*)::int from webhooks.deliveries where status = 'delivered'`,
      );
      return rows[0]!.count;
    };
    const broker = createBroker(
      { Url: relays.amqpUrl },
      { name: 'bench', topology: serviceTopology, logger },
    );
    await broker.whenConnected();
    bench.atEnd(() => broker.close());
    const deliver = async (formIds: readonly string[], deliveries: number, each: number) => {
      const before = await delivered();
      await sink.call('reset', false);
      const started = performance.now();
      // As an outbox does: confirmed, persistent, each event once.
      const events = Array.from({ length: Math.ceil(deliveries / each) }, (_, n) =>
        eventOf(n, formIds[n % formIds.length]!, file.demo.tenantId, versions),
      );
      const failed = (await broker.publish(events)).find(({ ok }) => !ok);
      if (failed) throw new Error(`an event was not published: ${JSON.stringify(failed)}`);
      const wanted = events.length * each;
      const received = await sink.call('received', wanted, 120_000);
      if (received < wanted) throw new Error(`${received} of ${wanted} deliveries came`);
      while ((await delivered()) - before < wanted) await sleep(20);
      return (performance.now() - started) / 1000;
    };
    return [
      variant(`1:1${suffix}`, `${words}, one endpoint for each event`, (n) => deliver(ofOne, n, 1)),
      variant(`1:10${suffix}`, `${words}, ten endpoints for each event`, (n) => deliver(ofTen, n, tenfold)),
    ];
  };
  return { sink, sinkUrl, variant, byRelays };
}

export const fanOut: Scenario = {
  name: 'fan-out',
  title: 'Fan-out and delivery',
  about: `Events wait in RabbitMQ; one relay has to ${about} Against it: the same bodies through a bare undici pool, nothing written.`,
  async run(bench) {
    const { sink, sinkUrl, variant, byRelays } = await setUp(bench);
    const bare = await bench.child<BareApi>('bare');
    const body = JSON.stringify({ Payload: dataOf('1', '1') });
    const relays = await byRelays(await bench.servers(), 'one relay', '');
    const relay = (await bench.stack()).file.services['webhook-relay-svc'].pid!;
    const processes = [
      ['relay', relay],
      ['receiver', sink.pid],
      ['publisher', process.pid],
    ] as const;
    const cpu = await watchCpu(bench, 'delivery', processes, relays);
    const report = await compare(bench.options.seconds, {
      variants: [
        ...cpu.variants,
        variant('bare undici', `undici pool, ${rawConnections} connections`, async (n) => {
          await sink.call('reset', false);
          return bare.call('send', sinkUrl, body, n, rawConnections);
        }),
      ],
      ratios: [
        { of: '1:1', to: 'bare undici', by: 'rate' },
        { of: '1:10', to: 'bare undici', by: 'rate' },
        { of: '1:10', to: '1:1', by: 'rate' },
      ],
      limits: [{ of: '1:1', value: 'rate', atLeast: 1_500 }],
      warmedUp: () => analyze(bench),
    });
    return { ...report, notes: [...report.notes, ...cpu.notes()] };
  },
};

export const fanOutByTwo: Scenario = {
  name: 'fan-out-by-two',
  title: 'Fan-out and delivery by two relays',
  about:
    `Events wait in RabbitMQ; one relay, or two that share the work, ${about} One and two take turns in the same run, each with a database ` +
    'and a virtual host of its own.',
  async run(bench) {
    const { byRelays } = await setUp(bench);
    const one = await startRelayGroup(bench, 'alone', 1);
    const two = await startRelayGroup(bench, 'pair', 2);
    return compare(bench.options.seconds, {
      variants: [
        ...(await byRelays(one, 'one relay', ' by one')),
        ...(await byRelays(two, 'two relays', ' by two')),
      ],
      ratios: ['1:1', '1:10'].map((each) => ({
        of: `${each} by two`,
        to: `${each} by one`,
        by: 'rate',
        atLeast: 1,
      })),
      warmedUp: () => Promise.all([one, two].map(({ databaseUrl }) => analyze(bench, databaseUrl))),
    });
  },
};

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

function eventOf(n: number, formId: string, tenantId: string, versions: ReadonlyMap<string, string>) {
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
  const body = Buffer.from(JSON.stringify(envelope));
  return { exchange: exchanges.events, routingKey: envelope.type, messageId: id, body };
}

/** Version of the settings by form, once the relay has all of them: no measured event has to fetch any. */
async function settingsVersions(bench: Bench, formIds: readonly string[]): Promise<Map<string, string>> {
  const database = await bench.database();
  return eventually(async () => {
    const { rows } = await database.query<{ scope_id: string; version: string }>(
      `select scope_id, version from webhooks.settings_current where scope = 'form'`,
    );
    const versions = new Map(rows.map(({ scope_id, version }) => [scope_id, version]));
    if (!formIds.every((id) => versions.has(id))) throw new Error('the relay does not know all forms');
    return versions;
  });
}
