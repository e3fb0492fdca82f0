import { eventually } from '@canvass/testing';

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

/** Closes every AMQP connection as an operator would. */
export async function closeAllConnections(managementUrl: string): Promise<void> {
  const connections = (await manage(managementUrl, 'GET', '/api/connections')) as { name: string }[];
  const paths = connections.map(({ name }) => `/api/connections/${encodeURIComponent(name)}`);
  await Promise.allSettled(paths.map((path) => manage(managementUrl, 'DELETE', path)));
}

const policy = '/api/policies/%2F/chaos-full';

/** Makes a queue refuse what exceeds this number of messages. */
export async function limitQueue(managementUrl: string, queue: string, messages: number): Promise<void> {
  await manage(managementUrl, 'PUT', policy, {
    pattern: `^${queue.replaceAll('.', '\\.')}$`,
    definition: { 'max-length': messages, overflow: 'reject-publish' },
    'apply-to': 'queues',
    priority: 10,
  });
}

/** Removes the limit; retries until the broker answers. */
export async function unlimitQueue(managementUrl: string): Promise<void> {
  await eventually(async () => {
    await manage(managementUrl, 'DELETE', policy).catch((error: unknown) => {
      if (!String(error).includes('404')) throw error;
    });
  });
}

/** True if the broker accepts clients. */
export async function isServingAmqp(managementUrl: string): Promise<boolean> {
  const overview = (await manage(managementUrl, 'GET', '/api/overview')) as {
    listeners?: { protocol: string }[];
  };
  return overview.listeners?.some(({ protocol }) => protocol === 'amqp') ?? false;
}

/**
 * Returns the number of messages by queue. A queue without numbers was just restarted and counts as one
 * message.
 */
export async function messagesByQueue(managementUrl: string): Promise<Map<string, number>> {
  const path = '/api/queues?columns=name,messages';
  const queues = (await manage(managementUrl, 'GET', path)) as { name: string; messages?: number }[];
  return new Map(queues.map(({ name, messages }) => [name, messages ?? 1]));
}

/** One request to the management API. @throws {Error} with the status if it is not 2xx */
async function manage(managementUrl: string, method: string, path: string, body?: object): Promise<unknown> {
  const { origin, username, password } = new URL(managementUrl);
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
