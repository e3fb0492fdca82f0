import { ownDatabase, type ServiceName } from '@canvass/stack';
import type { Scenario } from '../bench';
import { compare, type Sample } from '../compare';
import { watchCpu } from '../cpu';
import type { BareApi } from '../processes/bare';
import type { LoadApi } from '../processes/load';
import type { SinkApi } from '../processes/sink';
import { analyze, createForms, endpointsKnown } from '../setup';

const forms = 10;
const deliveryTimeoutMs = 20_000;
/** With two replicas, p99 was 720 ms in the first two seconds, 58 after eight, and 20 after thirty. */
const warmUpSeconds = 30;
const body = JSON.stringify({ jsonData: JSON.stringify({ answers: 'x'.repeat(500) }), isComplete: true });

export const completeToDelivered: Scenario = {
  name: 'complete-to-delivered',
  title: 'From a completed submission to its receiver',
  about:
    `Completed submissions at a steady rate that does not depend on the response times (200 a second, or --rate), over ${forms} forms with one endpoint each. The ` +
    'latency is from the answer of the API (which comes after the commit) to the whole request at the receiver. Against it: an insert, a ' +
    'confirmed publish, a consumer and an undici pool in one process, without an outbox, signature, log or retries.',
  async run(bench) {
    const { rate } = bench.options;
    const { gatewayUrl, databaseUrl, amqpUrl, services, replicas } = (await bench.stack()).file;
    const client = await bench.client();
    const [load, sink] = [await bench.child<LoadApi>('load'), await bench.child<SinkApi>('sink')];
    const sinkUrl = await sink.call('listen');
    const formIds = await createForms(
      client,
      Array.from({ length: forms }, (_, n) => [`${sinkUrl}/${n}`]),
    );
    await endpointsKnown(client, forms);
    const bare = await bench.child<BareApi>('bare');
    const chainUrl = await bare.call(
      'chain',
      await ownDatabase(databaseUrl, 'bench_chain'),
      amqpUrl,
      sinkUrl,
    );

    const measure = async (origin: string, paths: string[], seconds: number): Promise<Sample> => {
      await sink.call('reset', true);
      const request = { origin, method: 'POST' as const, paths, body, expect: 201 };
      const { ids, answeredAt, errors } = await load.call('open', request, rate, seconds);
      const received = await sink.call('received', ids.length, deliveryTimeoutMs);
      const receipts = await sink.call('receipts');
      // 0 where the receipt came before the answer.
      const latencies = ids.flatMap((id, n) =>
        receipts.has(id) ? [Math.max(0, receipts.get(id)! - answeredAt[n]!)] : [],
      );
      return {
        operations: latencies.length,
        seconds,
        latenciesMs: Float64Array.from(latencies),
        errors: errors + Math.max(0, ids.length - received),
      };
    };
    const paths = formIds.map((id) => `/api/forms/${id}/submissions`);
    const copies = Object.entries(services).flatMap(([name, first]) => [
      [name, first.pid!] as const,
      ...(replicas[name as ServiceName] ?? []).map(({ pid }, n) => [`${name} ${n + 2}`, pid!] as const),
    ]);
    const processes = [...copies, ['bare', bare.pid], ['load', load.pid], ['receiver', sink.pid]] as const;
    const cpu = await watchCpu(bench, 'event', processes, [
      {
        name: 'Canvass',
        about: 'gateway, submissions-svc, outbox, RabbitMQ, relay, receiver',
        unit: 'events',
        warmUpSeconds,
        run: (seconds) => measure(gatewayUrl, paths, seconds),
      },
      {
        name: 'bare chain',
        about: 'express, pg, RabbitMQ, undici, receiver; loses what fails',
        unit: 'events',
        run: (seconds) => measure(chainUrl, ['/'], seconds),
      },
    ]);
    const report = await compare(bench.options.seconds, {
      variants: cpu.variants,
      ratios: [],
      limits: [
        { of: 'Canvass', value: 'p50', below: 12 },
        { of: 'Canvass', value: 'p99', below: 40 },
      ],
      notes: [
        'The bare chain publishes before it answers, so part of its work is done when its latency begins.',
      ],
      warmedUp: () => analyze(bench),
    });
    return { ...report, notes: [...report.notes, ...cpu.notes()] };
  },
};
