import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import type { Client } from 'pg';
import { queues, serviceTopology } from '@canvass/contracts';
import { runOps } from '@canvass/stack';
import { brokerManagement, eventually } from '@canvass/testing';
import { withClient } from '../../session';
import type { FaultRecord } from '../records';
import type { Fault } from './faults';
import { managementUrlOf, type LinkName, type Targets } from './targets';

/** Faults after which an operator has to run a command (docs/operate/broker.md, docs/backup.md). */

/** No message is in a queue for longer: the longest partition, and the timeouts and retries after it. */
const maxInQueueMs = 240_000;
const operatorMs = 90_000;
/** Of a server that may be away. */
const connectMs = 5_000;

/** The queues that may be lost, with the links of their consumers. */
const consumers = {
  [queues.webhookEvents]: ['relay>rabbitmq', 'relay-2>rabbitmq'],
  [queues.webhookDeliveries]: ['relay>rabbitmq', 'relay-2>rabbitmq'],
  [queues.dataListForms]: ['datalists>rabbitmq'],
} as const satisfies Record<string, readonly LinkName[]>;
export type LossyQueue = keyof typeof consumers;
export const lossyQueues = Object.keys(consumers) as LossyQueue[];

/**
 * Deletes a queue, or all messages that wait in it. A deleted queue is back when its owner has declared it with
 * its bindings. Then events are sent again, as docs/operate/broker.md says. Jobs of `webhook.deliveries` need
 * nothing: the sweeps find their deliveries.
 *
 * @param waitMs consumers are cut off for this long before, so that messages wait in the queue
 */
export const loseQueue = (queue: LossyQueue, how: 'deleted' | 'purged', waitMs: number): Fault => ({
  kind: `queue-${how}`,
  description: `${queue} ${how}${waitMs > 0 ? `, its consumers cut off for ${waitMs} ms before` : ''}`,
  resource: 'rabbitmq',
  lastsMs: 2 * operatorMs,
  async inflict(targets, record) {
    const since = new Date(Date.now() - maxInQueueMs).toISOString();
    const { api } = brokerManagement(managementUrlOf(targets.stack));
    const path = `/queues/%2F/${queue}`;
    const links = waitMs > 0 ? consumers[queue] : [];
    for (const link of links) targets.proxies[link].become('cut');
    try {
      await sleep(waitMs);
      record.lostMessages = await lose(targets.stack.file.amqpUrl, queue, how);
    } finally {
      for (const link of links) targets.proxies[link].become('none');
    }
    const wanted = serviceTopology.queues.find(({ name }) => name === queue)!.bindings;
    await eventually(
      async () => {
        const bound = (await api('GET', `${path}/bindings`)) as { source: string; routing_key: string }[];
        return wanted.every(({ exchange, routingKey }) =>
          bound.some(({ source, routing_key: key }) => source === exchange && key === routingKey),
        );
      },
      { timeoutMs: operatorMs, message: `${queue} with its bindings` },
    );
    // The owner of all events in the other queues.
    const from = ['--service', 'submissions-svc', '--since', since];
    if (queue !== queues.webhookDeliveries) await operate(targets, 'outbox', 'republish', ...from);
  },
});

/** Returns how many messages were in the queue that no client had consumed. */
async function lose(amqpUrl: string, queue: string, how: 'deleted' | 'purged'): Promise<number> {
  const connection = await connect(amqpUrl);
  connection.on('error', () => undefined); // the call reports it
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    const lost = await (how === 'deleted' ? channel.deleteQueue(queue) : channel.purgeQueue(queue));
    return lost.messageCount;
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/**
 * Sets the copy of the forms in datalists-svc back to its state some time before, as the restore of a backup
 * does. Then the owner sends all forms again, as docs/backup.md says.
 */
export const restoreCopy = (ms: number): Fault => ({
  kind: 'restored-copy',
  description: `the copy of the forms set back by ${ms} ms`,
  resource: 'copy of the forms',
  lastsMs: ms + 2 * operatorMs,
  async inflict(targets) {
    const url = targets.stack.file.databaseUrl;
    const read = async (client: Client) => {
      const { rows } = await client.query<{ copy: string }>(
        `select coalesce(json_agg(f), '[]')::text as copy from datalists.form_lists f`,
      );
      return rows[0]!.copy;
    };
    const copy = await eventually(() => withClient(url, read, connectMs), { timeoutMs: operatorMs });
    await sleep(ms);
    const restore = async (client: Client) => {
      await client.query('begin; lock table datalists.form_lists in exclusive mode');
      await client.query('delete from datalists.form_lists');
      await client.query(
        `insert into datalists.form_lists
         select * from json_populate_recordset(null::datalists.form_lists, $1::json)`,
        [copy],
      );
      await client.query('commit');
    };
    await eventually(() => withClient(url, restore, connectMs), { timeoutMs: operatorMs });
    await operate(targets, 'resync', 'forms');
  },
});

/** Other faults may interrupt the command; then the operator runs it again. */
async function operate({ dir }: Targets, ...operation: string[]): Promise<void> {
  await eventually(() => runOps(dir, ...operation), { timeoutMs: operatorMs });
}

const pollMs = 10_000;
/** RabbitMQ knows no state of its queues for some seconds after it started. */
const pollsUntilDamaged = 3;

interface QueueStatus {
  name: string;
  type?: string;
  state?: string;
}

/**
 * Repairs queues that RabbitMQ 3.10 damaged, as an operator does (docs/operate/broker.md, "RabbitMQ damaged a
 * queue"): deletes each, and sends the events of that time again. It is not a fault of the plan: RabbitMQ does
 * this if it is killed right after a queue was deleted and declared again.
 */
export function repairDamagedQueues(targets: Targets, say: (line: string) => void) {
  const { api } = brokerManagement(managementUrlOf(targets.stack));
  const records: FaultRecord[] = [];
  const stopped = new AbortController();
  const polls = new Map<string, { since: number; times: number }>();

  async function damaged(): Promise<string[]> {
    const queues = (await api('GET', '/queues/%2F?columns=name,type,state')) as QueueStatus[];
    return queues
      .filter(({ type, state }) => type === 'quorum' && state === undefined)
      .map(({ name }) => name);
  }

  async function repair(queue: string, since: number): Promise<void> {
    const description = `${queue} damaged by RabbitMQ, deleted`;
    const record: FaultRecord = {
      description,
      kind: 'queue-damaged',
      startedAt: since,
      backAt: null,
      error: null,
    };
    records.push(record);
    try {
      await api('DELETE', `/queues/%2F/${encodeURIComponent(queue)}`);
      await operate(targets, 'outbox', 'republish', '--since', new Date(since - maxInQueueMs).toISOString());
      record.backAt = Date.now();
    } catch (error) {
      record.error = error instanceof Error ? error.message : String(error);
    }
    say(`  ${description}: ${record.error ?? 'repaired'}`);
  }

  async function poll(): Promise<void> {
    // While RabbitMQ is away nothing is known of its queues.
    const names = await damaged().catch((): string[] => []);
    for (const name of polls.keys()) if (!names.includes(name)) polls.delete(name);
    for (const name of names) {
      const { since, times } = polls.get(name) ?? { since: Date.now(), times: 0 };
      polls.set(name, { since, times: times + 1 });
      if (times + 1 < pollsUntilDamaged) continue;
      polls.delete(name);
      await repair(name, since);
    }
  }

  const running = (async () => {
    while (!stopped.signal.aborted) {
      await sleep(pollMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopped.signal.aborted) await poll();
    }
  })();

  return {
    records: records as readonly FaultRecord[],
    async stop(): Promise<void> {
      stopped.abort();
      await running;
    },
  };
}
