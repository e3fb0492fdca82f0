import { setTimeout as sleep } from 'node:timers/promises';
import { brokerManagement } from '@canvass/testing';
import type { FaultRecord } from '../records';
import { longestInQueueMs, operate } from './operator-faults';
import { managementUrlOf, type Targets } from './targets';

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
      await operate(
        targets,
        'outbox',
        'republish',
        '--since',
        new Date(since - longestInQueueMs).toISOString(),
      );
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
