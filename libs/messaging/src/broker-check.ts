import type { Broker } from './broker';

/** Shape of a health check as service-kit registers it. */
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
 * Degraded, never Unhealthy, while the broker cannot be used: the service goes on taking requests, and what it has to
 * publish waits in its outbox.
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
          ? 'RabbitMQ takes no messages for the moment (memory or disk alarm).'
          : state !== 'connected'
            ? 'There is no connection to RabbitMQ.'
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
