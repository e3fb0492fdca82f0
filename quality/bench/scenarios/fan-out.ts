import { setTimeout as sleep } from 'node:timers/promises';
import { exchanges, serviceTopology } from '@canvass/contracts';
import { createBroker } from '@canvass/messaging';
import { eventually } from '@canvass/testing';
import type { Bench, Scenario } from '../bench';
import { compare, type Variant } from '../compare';
import { watchCpu } from '../cpu';
import type { SinkApi } from '../processes/sink';
import { createForms } from '../stack-client';

/** The relay sends at most five at a time to the endpoint of a form, so there are enough forms. */
const forms = 20;
const logger = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
/** About 2 KB as a message to the receiver. */
const jsonData = JSON.stringify({ answers: 'x'.repeat(1_500) });

export const fanOut: Scenario = {
  name: 'fan-out',
  title: 'Delivery of events',
  about:
    `Events wait in RabbitMQ; one relay has to turn each of them into a message with one delivery (over ${forms} forms), send it ` +
    'signed to a local receiver and record every attempt. Bodies of 2 KB. The clock stops when every delivery is recorded.',
  async run(bench) {
    const { file } = await bench.stack();
    const sink = await bench.child<SinkApi>('sink');
    const sinkUrl = await sink.call('listen');
    const urls = Array.from({ length: forms }, (_, form) => [`${sinkUrl}/${form}`]);
    const formIds = await createForms(await bench.client(), urls);
    const versions = await settingsVersions(bench, formIds);
    const database = await bench.database();
    const delivered = async () => {
      const { rows } = await database.query<{ count: number }>(
        `select count(*)::int from webhooks.deliveries where status = 'delivered'`,
      );
      return rows[0]!.count;
    };
    const broker = createBroker({ Url: file.amqpUrl }, { name: 'bench', topology: serviceTopology, logger });
    await broker.whenConnected();
    bench.atEnd(() => broker.close());

    /** Publishes events and returns the seconds until all their deliveries are recorded. */
    const deliver = async (wanted: number) => {
      const before = await delivered();
      await sink.call('reset');
      const started = performance.now();
      // As an outbox does: confirmed, persistent, each event once.
      const events = Array.from({ length: wanted }, (_, n) =>
        eventOf(n, formIds[n % formIds.length]!, file.demo.tenantId, versions),
      );
      const failed = (await broker.publish(events)).find(({ ok }) => !ok);
      if (failed) throw new Error(`an event was not published: ${JSON.stringify(failed)}`);
      const received = await sink.call('received', wanted, 120_000);
      if (received < wanted) throw new Error(`${received} of ${wanted} deliveries came`);
      while ((await delivered()) - before < wanted) await sleep(20);
      return (performance.now() - started) / 1000;
    };
    let perSecond = 100;
    /** A round is given by work: as many deliveries as the last round could do in that time. */
    const run: Variant['run'] = async (seconds, warmUp) => {
      const operations = warmUp ? 400 : Math.max(100, Math.round(perSecond * seconds));
      const took = await deliver(operations);
      perSecond = operations / took;
      return { operations, seconds: took, errors: 0 };
    };
    const relay = file.services['webhook-relay-svc'].pid!;
    const cpu = await watchCpu(bench, { name: '1:1', run }, [['relay', relay]]);
    const report = await compare(bench.options.seconds, {
      variants: [cpu.variant],
      warmedUp: () => bench.analyze(),
    });
    return { ...report, figures: [...report.figures, ...cpu.figures()] };
  },
};

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
    data: {
      id,
      formId,
      isComplete: true,
      collectionStatus: 'complete',
      currentPage: 4,
      jsonData,
      metadata: '{}',
      revision: '1',
    },
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
