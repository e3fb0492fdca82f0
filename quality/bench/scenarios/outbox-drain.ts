import { SetupError } from '@canvass/infra';
import { ownDatabase } from '@canvass/stack';
import type { Bench, Scenario } from '../bench';
import type { Child } from '../child';
import { compare, type Variant } from '../compare';
import { bindToCores, usableCores } from '../cores';
import { watchCpu } from '../cpu';
import type { OutboxApi } from '../processes/outbox';

/** A round is given by work: so many rows for each second that it may take. */
const rowsPerSecond = 8_000;
const maxRows = 100_000;
const rawBatch = 1_000;

export const outboxDrain: Scenario = {
  name: 'outbox-drain',
  title: 'Draining the outbox',
  about:
    'Events of 1 KB, of as many entities, are committed at once; the dispatcher of one process publishes them with confirms into a quorum ' +
    'queue and moves them to `outbox_published`, order per entity kept. Against it: the same messages from memory in confirmed batches of 1,000, without any ' +
    'database. RabbitMQ has half of the cores for itself, as on a machine of its own; what is named "shared" runs with all cores for all processes. ' +
    'The CPU time of Postgres includes the commit.',
  async run(bench) {
    const { databaseUrl, amqpUrl } = await bench.servers();
    const dispatcher = await bench.child<OutboxApi>('outbox');
    await dispatcher.call('start', await ownDatabase(databaseUrl, 'bench_outbox'), amqpUrl);
    const publisher = await bench.child<OutboxApi>('outbox');
    await publisher.call('connect', amqpUrl);
    const place = await corePlacement(bench, [dispatcher, publisher]);
    const variant = (
      name: string,
      about: string,
      unit: string,
      drain: (rows: number) => Promise<number>,
      isShared = false,
    ): Variant => ({
      name,
      about,
      unit,
      async run(seconds) {
        place(isShared);
        const operations = Math.min(maxRows, Math.round(rowsPerSecond * seconds));
        return { operations, seconds: await drain(operations), errors: 0 };
      },
    });
    const drain = (lanes: 1 | 64) => (rows: number) => dispatcher.call('drain', rows, lanes);
    const publish = (atOnce: number) => (rows: number) => publisher.call('publish', rows, rawBatch, atOnce);
    const processes = [
      ['dispatcher', dispatcher.pid],
      ['publisher', publisher.pid],
    ] as const;
    const cpu = await watchCpu(bench, 'event', processes, [
      variant('one lane', 'dispatcher, all events in one lane', 'rows', drain(1)),
      variant('all lanes', 'dispatcher, events in all 64 lanes', 'rows', drain(64)),
      variant('publish only', 'amqplib, one batch after the other', 'messages', publish(1)),
      variant('publish only ×4', 'amqplib, four batches at a time', 'messages', publish(4)),
      variant('one lane, shared', 'as above', 'rows', drain(1), true),
      variant('publish only, shared', 'as above', 'messages', publish(1), true),
    ]);
    const report = await compare(bench.options.seconds, {
      variants: cpu.variants,
      ratios: [
        { of: 'one lane', to: 'publish only', by: 'rate', atLeast: 0.9 },
        { of: 'all lanes', to: 'publish only ×4', by: 'rate' },
        { of: 'one lane, shared', to: 'publish only, shared', by: 'rate' },
      ],
      limits: [{ of: 'one lane', value: 'rate', atLeast: 8_000 }],
    });
    return { ...report, notes: [...report.notes, ...cpu.notes()] };
  },
};

/**
 * Returns a function that binds RabbitMQ and the other processes to their halves of the cores, or all
 * processes to all cores. Throws where that is not possible.
 */
async function corePlacement(bench: Bench, children: readonly Child<OutboxApi>[]) {
  const { postgres, rabbitmq } = (await bench.servers()).infra;
  const cores = usableCores();
  if (postgres.pid === null || rabbitmq.pid === null || cores.length < 2)
    throw new SetupError(
      'outbox-drain needs Linux with two cores, and servers that the bench starts itself.',
    );
  const broker = [rabbitmq.pid];
  const others = [postgres.pid, ...children.map(({ pid }) => pid)];
  const half = Math.floor(cores.length / 2);
  let wasShared: boolean | undefined;
  return (isShared: boolean): void => {
    if (isShared === wasShared) return;
    wasShared = isShared;
    bindToCores(broker, isShared ? cores : cores.slice(0, half));
    bindToCores(others, isShared ? cores : cores.slice(half));
  };
}
