import type { Dispatcher } from './dispatcher';

/** The shape of a health check that service-kit registers. */
export interface OutboxCheck {
  name: string;
  tags: string[];
  failureStatus: 'Degraded';
  check(): Promise<{
    status: 'Healthy' | 'Degraded';
    description: string | null;
    data: Record<string, unknown>;
  }>;
}

const lateSeconds = 60;

/**
 * Degraded while an event has waited for more than a minute: the broker, the leader of its lane, or a
 * consumer's full queue delays it. Never Unhealthy: the service still accepts requests.
 */
export function outboxCheck(dispatcher: Dispatcher): OutboxCheck {
  return {
    name: 'outbox',
    tags: [],
    failureStatus: 'Degraded',
    async check() {
      const { pending, oldestAgeSeconds, poisoned } = await dispatcher.stats();
      const isLate = oldestAgeSeconds > lateSeconds;
      return {
        status: isLate ? 'Degraded' : 'Healthy',
        description: isLate ? `Events have waited to be published for more than ${lateSeconds} s.` : null,
        data: { pending, oldestAgeSeconds: Math.round(oldestAgeSeconds), poisoned },
      };
    },
  };
}
