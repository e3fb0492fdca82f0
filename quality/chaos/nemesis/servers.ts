import { brokerManagement } from '@canvass/testing';

/** True if the broker accepts clients. */
export async function isServingAmqp(managementUrl: string): Promise<boolean> {
  const overview = (await brokerManagement(managementUrl).api('GET', '/overview')) as {
    listeners?: { protocol: string }[];
  };
  return overview.listeners?.some(({ protocol }) => protocol === 'amqp') ?? false;
}

/**
 * Returns the number of messages by queue. A queue without numbers was just restarted and counts as one
 * message.
 */
export async function messagesByQueue(managementUrl: string): Promise<Map<string, number>> {
  const path = '/queues?columns=name,messages';
  const queues = (await brokerManagement(managementUrl).api('GET', path)) as {
    name: string;
    messages?: number;
  }[];
  return new Map(queues.map(({ name, messages }) => [name, messages ?? 1]));
}
