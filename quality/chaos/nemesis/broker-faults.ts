import { brokerManagement, eventually } from '@canvass/testing';

/** Runs `rabbitmqctl` with these arguments. */
export type BrokerControl = (...args: string[]) => Promise<void>;

const limits = {
  memory: {
    set: 'vm_memory_monitor:set_vm_memory_high_watermark',
    raise: '{absolute, 1000000}',
    clear: '{absolute, 1000000000}',
  },
  disk: { set: 'rabbit_disk_monitor:set_disk_free_limit', raise: '900000000000000', clear: '200000000' },
};

/**
 * The broker blocks publishers for this long. The node itself ends the alarm within the same call, because
 * starting the command takes seconds on a busy machine.
 */
export async function raiseAlarm(control: BrokerControl, of: 'memory' | 'disk', ms: number): Promise<void> {
  const { set, raise, clear } = limits[of];
  await control('eval', `${set}(${raise}), timer:sleep(${ms}), ${set}(${clear}).`);
}

/** Ends all alarms. */
export async function clearAlarms(control: BrokerControl): Promise<void> {
  const calls = Object.values(limits).map(({ set, clear }) => `${set}(${clear})`);
  await control('eval', `${calls.join(', ')}.`);
}

const policy = '/policies/%2F/chaos-full';

/** Makes a queue refuse what exceeds this number of messages. */
export async function limitQueue(managementUrl: string, queue: string, messages: number): Promise<void> {
  await brokerManagement(managementUrl).api('PUT', policy, {
    pattern: `^${queue.replaceAll('.', '\\.')}$`,
    definition: { 'max-length': messages, overflow: 'reject-publish' },
    'apply-to': 'queues',
    priority: 10,
  });
}

/** Removes the limit; retries until the broker answers. */
export async function unlimitQueue(managementUrl: string): Promise<void> {
  await eventually(async () => {
    await brokerManagement(managementUrl)
      .api('DELETE', policy)
      .catch((error: unknown) => {
        if (!String(error).includes('404')) throw error;
      });
  });
}

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
