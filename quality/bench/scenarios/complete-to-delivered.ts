import type { OpenResult } from '../processes/load';
import type { BareChainApi } from '../processes/bare-chain';
import type { LoadApi } from '../processes/load';
import type { SinkApi } from '../processes/sink';
import { gatewayClient, makeForms } from '../forms';
import { ownDatabase } from '@canvass/stack';
import { settledEndpoints } from '../settled-endpoints';
import type { Contestant, Sample, Scenario } from '../scenario';

const rate = 200;
const forms = 10;
const settleMs = 20_000;
const jsonData = JSON.stringify({ answers: 'x'.repeat(500) });

export const completeToDelivered: Scenario = {
  name: 'complete-to-delivered',
  title: 'From a completed submission to its receiver',
  about:
    `${rate} completed submissions a second, at a steady rate whatever the answers take, over ${forms} forms with one endpoint each. The latency is from the answer of the API (which comes after the ` +
    'commit) to the whole request at the receiver. Against it: an insert, a confirmed publish, a consumer and an undici pool in one process, without an outbox, signature, log or retries.',
  async prepare(run) {
    const stack = await run.stack();
    const { gatewayUrl } = stack.file;
    const { databaseUrl, amqpUrl } = await run.addresses();
    const [load, sink] = [await run.child<LoadApi>('load'), await run.child<SinkApi>('sink')];
    const sinkUrl = await sink.call('listen');
    const client = await gatewayClient(stack.file);
    const urls = Array.from({ length: forms }, (_, n) => [`${sinkUrl}/${n}`]);
    const formIds = await makeForms(client, forms, urls);
    await settledEndpoints(client, forms);
    const chain = await run.child<BareChainApi>('bare-chain');
    const chainUrl = await chain.call(
      'listen',
      await ownDatabase(databaseUrl, 'bench_chain'),
      amqpUrl,
      sinkUrl,
    );
    const { postgres, rabbitmq } = await run.watchedServers();
    const services = await Promise.all(
      (['gateway', 'submissions-svc', 'webhook-relay-svc'] as const).map((name) => run.watchedService(name)),
    );

    const measure = async (origin: string, paths: string[], seconds: number): Promise<Sample> => {
      await sink.call('reset', true);
      const body = JSON.stringify({ jsonData, isComplete: true });
      const request = { origin, method: 'POST' as const, paths, body, expect: 201 };
      const sent = await load.call('open', request, rate, seconds);
      const received = await sink.call('received', sent.ids.length, settleMs);
      const receipts = await sink.call('receipts');
      const lost = sent.ids.length - received;
      const latenciesMs = latenciesOf(sent, receipts);
      return {
        operations: latenciesMs.length,
        seconds,
        latenciesMs,
        errors: sent.errors + Math.max(0, lost),
      };
    };
    const contestant = (
      name: string,
      about: string,
      watched: Contestant['watched'],
      go: (seconds: number) => Promise<Sample>,
    ): Contestant => ({ name, about, unit: 'events', watched, run: go });
    return {
      contestants: [
        contestant(
          'Canvass',
          'gateway, submissions-svc, outbox, RabbitMQ, relay, receiver',
          () => [...services, postgres, rabbitmq],
          (seconds) =>
            measure(
              gatewayUrl,
              formIds.map((id) => `/api/forms/${id}/submissions`),
              seconds,
            ),
        ),
        contestant(
          'bare chain',
          'express, pg, RabbitMQ, undici, receiver; loses what fails',
          () => [{ name: 'bare chain', pid: chain.pid }, postgres, rabbitmq],
          (seconds) => measure(chainUrl, ['/'], seconds),
        ),
      ],
      comparisons: [{ of: 'Canvass', to: 'bare chain', by: 'p50' }],
      bounds: [
        { of: 'Canvass', value: 'p50', below: 30 },
        { of: 'Canvass', value: 'p99', below: 150 },
      ],
      notes: [
        'The bare chain publishes before it answers, so that part of its way is over when its latency begins.',
      ],
      warmedUp: () => run.analyze(),
      end: () => Promise.resolve(),
    };
  },
};

/** From each answer to the first receipt of its submission; 0 where the receipt came before the answer. */
function latenciesOf(sent: OpenResult, receipts: { ids: string[]; at: Float64Array }): Float64Array {
  const firstAt = new Map<string, number>();
  receipts.ids.forEach((id, index) => {
    if (!firstAt.has(id)) firstAt.set(id, receipts.at[index]!);
  });
  const latencies: number[] = [];
  sent.ids.forEach((id, index) => {
    const at = firstAt.get(id);
    if (at !== undefined) latencies.push(Math.max(0, at - sent.answeredAt[index]!));
  });
  return Float64Array.from(latencies);
}
