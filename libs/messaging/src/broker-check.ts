import type { Broker } from './broker';

/** The shape of a health check that service-kit registers. */
export interface BrokerCheck {
  name: string;
  tags: string[];
  check(signal: AbortSignal): Promise<{
    status: 'Healthy' | 'Degraded' | 'Unhealthy';
    description: string | null;
    data: Record<string, unknown>;
  }>;
}

/**
 * Degraded, never Unhealthy, while the broker is unavailable: the service still accepts requests, and its
 * events wait in the outbox.
 */
export function brokerCheck(broker: Broker): BrokerCheck {
  return {
    name: 'rabbitmq',
    tags: [],
    check() {
      const state = broker.state();
      const faults = broker.faults();
      const description =
        state === 'blocked'
          ? 'RabbitMQ is blocked by a memory or disk alarm.'
          : state !== 'connected'
            ? 'Not connected to RabbitMQ.'
            : faults.length > 0
              ? faults.join('; ')
              : null;
      return Promise.resolve({
        status: description === null ? 'Healthy' : 'Degraded',
        description,
        data: { state, faults },
      });
    },
  };
}
