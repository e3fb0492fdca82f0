import type { ServiceName } from '@canvass/stack';
import type { Scenario } from '../bench';
import { compare, type Sample } from '../compare';
import { watchCpu } from '../cpu';
import type { LoadApi } from '../processes/load';
import type { SinkApi } from '../processes/sink';
import { createForms, endpointsKnown } from '../stack-client';

const forms = 10;
const deliveryTimeoutMs = 20_000;
/** With two replicas, p99 was 720 ms in the first two seconds, 58 after eight, and 20 after thirty. */
const warmUpSeconds = 30;
const body = JSON.stringify({ jsonData: JSON.stringify({ answers: 'x'.repeat(500) }), isComplete: true });

export const completeToDelivered: Scenario = {
  name: 'complete-to-delivered',
  title: 'From a completed submission to its receiver',
  about:
    `Completed submissions at a steady rate (200 a second, or --rate), over ${forms} forms with one endpoint each. The latency is from the ` +
    'answer of the API, which comes after the commit, to the whole request at the receiver.',
  async run(bench) {
    const { rate } = bench.options;
    const { gatewayUrl, services, replicas } = (await bench.stack()).file;
    const client = await bench.client();
    const [load, sink] = [await bench.child<LoadApi>('load'), await bench.child<SinkApi>('sink')];
    const sinkUrl = await sink.call('listen');
    const endpoints = Array.from({ length: forms }, (_, n) => [`${sinkUrl}/${n}`]);
    const formIds = await createForms(client, endpoints);
    await endpointsKnown(client, forms);
    const paths = formIds.map((id) => `/api/forms/${id}/submissions`);
    const request = { origin: gatewayUrl, method: 'POST' as const, paths, body, expect: 201 };

    const run = async (seconds: number): Promise<Sample> => {
      await sink.call('reset', true);
      const { ids, answeredAt, errors } = await load.call('open', request, rate, seconds);
      const received = await sink.call('received', ids.length, deliveryTimeoutMs);
      const receipts = await sink.call('receipts');
      // 0 where the receipt came before the answer.
      const latencies = ids.flatMap((id, n) =>
        receipts.has(id) ? [Math.max(0, receipts.get(id)! - answeredAt[n]!)] : [],
      );
      const missing = Math.max(0, ids.length - received);
      const latenciesMs = Float64Array.from(latencies);
      return { operations: latencies.length, seconds, latenciesMs, errors: errors + missing };
    };
    const copies = Object.entries(services).flatMap(([name, first]) => [
      [name, first.pid!] as const,
      ...(replicas[name as ServiceName] ?? []).map(({ pid }, n) => [`${name} ${n + 2}`, pid!] as const),
    ]);
    const cpu = await watchCpu(bench, { name: 'events', warmUpSeconds, run }, copies);
    const report = await compare(bench.options.seconds, {
      variants: [cpu.variant],
      limits: { 'events, p50': 12, 'events, p99': 60 },
      warmedUp: () => bench.analyze(),
    });
    return { ...report, figures: [...report.figures, ...cpu.figures()] };
  },
};
