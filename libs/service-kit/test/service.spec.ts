import { createServiceTokens } from '@canvass/auth';
import { eventually } from '@canvass/testing';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createLogger,
  endpoint,
  ListenError,
  ok,
  startService,
  type Endpoint,
  type HealthCheck,
  type HostingSettings,
  type RunningService,
  type ServiceParts,
} from '../src';

const running: RunningService[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((service) => service.stop()))));

const hosting: HostingSettings = {
  Host: '127.0.0.1',
  Port: 0,
  InternalPort: 0,
  HealthCheckPath: '/health',
  LivenessPath: '/alive',
  ReadinessPath: '/ready',
  PublicHealthDetails: true,
  MaxConnections: 1000,
  DrainSeconds: 0,
  ShutdownSeconds: 10,
};

const database: HealthCheck = {
  name: 'database',
  tags: ['db', 'ready'],
  check: () => Promise.resolve({ status: 'Healthy' }),
};

async function start(
  parts: Partial<ServiceParts> = {},
  settings: Partial<HostingSettings> = {},
): Promise<RunningService> {
  const service = await startService({
    service: {
      name: 'test-svc',
      create: (_config, { health }) => {
        health.register(database);
        return { endpoints: [], ...parts };
      },
    },
    config: { Hosting: { ...hosting, ...settings }, Logging: { Level: 'info' } },
    logger: createLogger('test', { level: 'error', destination: { write: () => undefined } }),
  });
  running.push(service);
  return service;
}

/** An endpoint that responds when `release` is called. */
function gate(): { slow: Endpoint; arrived: () => boolean; release: () => void } {
  let release = (): void => undefined;
  let arrived = false;
  const opened = new Promise<void>((resolve) => (release = resolve));
  const slow = endpoint.read({
    method: 'get',
    path: '/api/slow',
    operationId: 'slow',
    summary: '',
    answers: null,
    access: 'anonymous',
    handle: async () => {
      arrived = true;
      await opened;
      return ok('done');
    },
  });
  return { slow, arrived: () => arrived, release: () => release() };
}

const status = (url: string) => fetch(url).then((answer) => answer.status);

describe('starting', () => {
  test('the listeners open before the dependencies are available, and health reports the state', async () => {
    let finish = (): void => undefined;
    const { slow, release } = gate();
    release();
    const service = await start({
      endpoints: [slow],
      start: () => new Promise((resolve) => (finish = resolve)),
    });
    expect(await status(`${service.url}/alive`)).toBe(200);
    expect(await status(`${service.url}/ready`)).toBe(503);
    expect(await status(`${service.url}/api/slow`)).toBe(503);
    const report = (await (await fetch(`${service.url}/health/detail`)).json()) as {
      checks: { description: string }[];
    };
    expect(report.checks[0]?.description).toContain('waits for its dependencies');
    finish();
    await service.ready;
    expect(await status(`${service.url}/ready`)).toBe(200);
    expect(await status(`${service.url}/api/slow`)).toBe(200);
  });

  test('health and metrics are on the internal listener, metrics only there', async () => {
    const service = await start();
    await service.ready;
    for (const path of ['/health', '/health/detail', '/health/ui', '/alive', '/ready']) {
      expect(await status(service.internalUrl + path)).toBe(200);
      expect(await status(service.url + path)).toBe(200);
    }
    const metrics = await fetch(`${service.internalUrl}/metrics`);
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(await metrics.text()).toContain('process_resident_memory_bytes{service="test-svc"}');
    expect(await status(`${service.url}/metrics`)).toBe(404);
  });

  test('internal endpoints are on the internal listener and require a service token', async () => {
    const serviceTokens = createServiceTokens('a secret of at least thirty-two bytes');
    const inner = endpoint.read({
      method: 'get',
      path: '/internal/settings',
      operationId: 'settings',
      summary: '',
      answers: null,
      access: 'internal',
      handle: ({ callingService }) => Promise.resolve(ok(callingService)),
    });
    const service = await start({ internalEndpoints: [inner], serviceTokens });
    await service.ready;
    const headers = { Authorization: `Bearer ${serviceTokens.sign('relay')}` };
    expect(await (await fetch(`${service.internalUrl}/internal/settings`, { headers })).json()).toBe('relay');
    expect(await status(`${service.internalUrl}/internal/settings`)).toBe(401);
    expect((await fetch(`${service.url}/internal/settings`, { headers })).status).toBe(404);
    await expect(start({ endpoints: [inner], serviceTokens })).rejects.toThrow(
      'belongs among the internalEndpoints',
    );
  });

  test('a port in use is reported as one sentence that names the key', async () => {
    const { port } = await start();
    const second = start({}, { Port: port });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port} (Service:Hosting:Port): another process uses this port.`,
    );
  });

  test('ready rejects if the start fails, and stop still closes', async () => {
    let stopped = false;
    const service = await start({
      start: () => Promise.reject(new Error('no database')),
      stop: () => Promise.resolve(void (stopped = true)),
    });
    await expect(service.ready).rejects.toThrow('no database');
    expect(await service.stop()).toBe(true);
    expect(stopped).toBe(true);
  });
});

it('the details of the health are on the internal port only, if configured so', async () => {
  const service = await start({}, { PublicHealthDetails: false });
  await service.ready;
  for (const path of ['/health/detail', '/health/ui']) {
    expect((await fetch(`${service.url}${path}`)).status).toBe(404);
    expect((await fetch(`${service.internalUrl}${path}`)).status).toBe(200);
  }
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
});

describe('a handler in place of endpoints', () => {
  test('serves the entire public port; the internal port keeps health and metrics', async () => {
    const service = await start({
      handler: (request, response) => response.end(`handler: ${request.url}`),
    });
    await service.ready;
    for (const path of ['/health', '/api/things']) {
      expect(await (await fetch(service.url + path)).text()).toBe(`handler: ${path}`);
    }
    expect(await status(`${service.internalUrl}/health`)).toBe(200);
    expect(await status(`${service.internalUrl}/metrics`)).toBe(200);
  });
});

describe('stopping', () => {
  test('order: not ready at once, requests in progress complete, then stop(), then the listeners close', async () => {
    const { slow, arrived, release } = gate();
    const order: string[] = [];
    const service = await start({
      endpoints: [
        {
          ...slow,
          handle(input) {
            // Recorded by the server, because the client may read the response later.
            input.response.once('finish', () => order.push('answered'));
            return slow.handle(input);
          },
        },
      ],
      stop: () => Promise.resolve(void order.push('stop()')),
    });
    await service.ready;
    const answer = fetch(`${service.url}/api/slow`);
    await eventually(arrived);
    const stopped = service.stop('test');
    expect(await status(`${service.internalUrl}/ready`)).toBe(503);
    expect(await status(`${service.internalUrl}/alive`)).toBe(200);
    await eventually(() => expect(status(`${service.url}/alive`)).rejects.toThrow());
    release();
    expect((await answer).status).toBe(200);
    expect((await answer).headers.get('connection')).toBe('close');
    expect(await stopped).toBe(true);
    expect(order).toEqual(['answered', 'stop()']);
    await expect(status(`${service.internalUrl}/alive`)).rejects.toThrow();
  });

  test('while draining, new connections are served and /ready is 503', async () => {
    const service = await start({}, { DrainSeconds: 4 });
    await service.ready;
    const stopped = service.stop();
    const answer = await fetch(`${service.url}/ready`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
    expect(await stopped).toBe(true);
  });

  test('idle keep-alive connections do not delay the stop', async () => {
    const service = await start();
    await service.ready;
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve, reject) => {
      request(`${service.url}/alive`, { agent }, (response) => void response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    const silent = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await delay(50);
    expect(await service.stop()).toBe(true); // false: it waited for them until the deadline
    agent.destroy();
    silent.destroy();
  });

  test('requests that are unfinished after ShutdownSeconds are cut off, and stop resolves to false', async () => {
    const { slow, arrived, release } = gate();
    const service = await start({ endpoints: [slow] }, { ShutdownSeconds: 1 });
    await service.ready;
    const answer = fetch(`${service.url}/api/slow`);
    const failed = answer.then(
      () => false,
      () => true,
    );
    await eventually(arrived);
    expect(await service.stop()).toBe(false);
    expect(await failed).toBe(true);
    release();
  });

  test('a stop() that hangs does not keep the process alive', async () => {
    const service = await start({ stop: () => new Promise(() => undefined) }, { ShutdownSeconds: 1 });
    await service.ready;
    expect(await service.stop()).toBe(false);
  });

  test('stopping during the start aborts the signal', async () => {
    let aborted = false;
    const service = await startService({
      service: {
        name: 'test-svc',
        create: (_config, { signal }) => ({
          endpoints: [],
          start: () =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => ((aborted = true), reject(signal.reason as Error)));
            }),
        }),
      },
      config: { Hosting: hosting, Logging: { Level: 'error' } },
    });
    expect(await service.stop()).toBe(true);
    expect(aborted).toBe(true);
  });

  test('two calls of stop are one stop', async () => {
    let stops = 0;
    const service = await start({ stop: () => Promise.resolve(void (stops += 1)) });
    await service.ready;
    await Promise.all([service.stop(), service.stop()]);
    expect(stops).toBe(1);
  });
});

describe('bytes that are not a request', () => {
  const raw = (port: number, text: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (answer += String(chunk))).on('close', () => resolve(answer));
    });

  test.each([
    ['nonsense\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(25_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400, 'malformed_request'],
    [
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('%j', async (text, code, errorCode) => {
    const { port } = await start();
    const answer = await raw(port, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain(`"errorCode":"${errorCode}"`);
  });
});
