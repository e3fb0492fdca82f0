/** Runs `rabbitmqctl` with these words. */
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
 * Publishers are held up by the broker for this long. One call, in which the node itself ends the alarm: starting the
 * command takes seconds on a busy machine.
 */
export async function soundAlarm(control: BrokerControl, of: 'memory' | 'disk', ms: number): Promise<void> {
  const { set, raise, clear } = limits[of];
  await control('eval', `${set}(${raise}), timer:sleep(${ms}), ${set}(${clear}).`);
}

/** No alarm, whatever was before. */
export async function silenceAlarms(control: BrokerControl): Promise<void> {
  const calls = Object.values(limits).map(({ set, clear }) => `${set}(${clear})`);
  await control('eval', `${calls.join(', ')}.`);
}

/** Every AMQP connection ends as if an operator had closed it. */
export async function closeAllConnections(managementUrl: string): Promise<void> {
  const connections = (await call(managementUrl, 'GET', '/api/connections')) as { name: string }[];
  await Promise.all(
    connections.map(({ name }) =>
      call(managementUrl, 'DELETE', `/api/connections/${encodeURIComponent(name)}`).catch(() => undefined),
    ),
  );
}

const policy = '/api/policies/%2F/chaos-full';

/** A queue that takes `messages` and refuses more. */
export async function limitQueue(managementUrl: string, queue: string, messages: number): Promise<void> {
  await call(managementUrl, 'PUT', policy, {
    pattern: `^${queue.replaceAll('.', '\\.')}$`,
    definition: { 'max-length': messages, overflow: 'reject-publish' },
    'apply-to': 'queues',
    priority: 10,
  });
}

/** Takes the limit away, as often as it takes. */
export async function unlimitQueue(managementUrl: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await call(managementUrl, 'DELETE', policy);
      return;
    } catch (error) {
      if (String(error).includes('404')) return;
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** True when clients are served. */
export async function brokerAnswers(managementUrl: string): Promise<boolean> {
  try {
    const overview = (await call(managementUrl, 'GET', '/api/overview')) as {
      listeners?: { protocol: string }[];
    };
    return overview.listeners?.some(({ protocol }) => protocol === 'amqp') ?? false;
  } catch {
    return false;
  }
}

async function call(managementUrl: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const base = new URL(managementUrl);
  const login = Buffer.from(`${base.username}:${base.password}`).toString('base64');
  const answer = await fetch(`${base.origin}${path}`, {
    method,
    headers: { authorization: `Basic ${login}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? null : (JSON.parse(text) as unknown);
}
