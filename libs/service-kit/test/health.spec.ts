import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoint, HealthRegistry, type HealthCheck, type HealthReport, type HealthStatus } from '../src';
import { timeSpan } from '../src/health/report';
import { closeTestApps, testApp } from './harness';

afterEach(closeTestApps);

const check = (name: string, tags: string[], status: HealthStatus = 'Healthy'): HealthCheck => ({
  name,
  tags,
  check: () => Promise.resolve({ status }),
});

const registryOf = (...checks: HealthCheck[]): HealthRegistry => {
  const health = new HealthRegistry();
  for (const one of checks) health.register(one);
  return health;
};

const paths = ['/health', '/health/detail', '/health/ui', '/alive', '/ready'];

describe('health, as the specification says', () => {
  test('GET /health answers the overall status over all registered checks', async () => {
    const { url } = await testApp({
      health: registryOf(check('database', ['db', 'ready']), check('x', [], 'Degraded')),
    });
    const answer = await fetch(`${url}/health`);
    expect(await answer.text()).toBe('Degraded');
  });

  test.each([
    [['Healthy', 'Healthy'], 'Healthy', 200],
    [['Healthy', 'Degraded'], 'Degraded', 200],
    [['Degraded', 'Unhealthy'], 'Unhealthy', 503],
  ] as const)('checks %j give %s with HTTP %i', async (statuses, word, code) => {
    const health = registryOf(...statuses.map((status, index) => check(`c${index}`, ['ready'], status)));
    const { url } = await testApp({ health });
    for (const path of ['/health', '/ready']) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.text()]).toEqual([code, word]);
    }
    expect((await fetch(`${url}/health/detail`)).status).toBe(code);
    expect((await fetch(`${url}/health/ui`)).status).toBe(code);
    expect((await fetch(`${url}/alive`)).status).toBe(200);
  });

  test('GET /health/detail has exactly the fields of the report', async () => {
    const { url } = await testApp({
      health: registryOf({
        name: 'database',
        tags: ['db', 'ready'],
        check: () => Promise.resolve({ status: 'Healthy', description: 'fine', data: { pending: 3 } }),
      }),
    });
    const answer = await fetch(`${url}/health/detail`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const report = (await answer.json()) as HealthReport;
    const span = expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{7}$/) as string;
    expect(report).toEqual({
      status: 'Healthy',
      checks: [
        { name: 'service-self', status: 'Healthy', description: null, data: {}, duration: span },
        { name: 'database', status: 'Healthy', description: 'fine', data: { pending: 3 }, duration: span },
      ],
      totalDuration: span,
    });
    expect(Object.keys(report)).toEqual(['status', 'checks', 'totalDuration']);
  });

  test('service-self with tag self is always registered', () => {
    expect(new HealthRegistry().checks.map(({ name, tags }) => ({ name, tags }))).toEqual([
      { name: 'service-self', tags: ['self'] },
    ]);
  });

  test('/alive runs only checks tagged self or live, never the database', async () => {
    const ran: string[] = [];
    const noting = (name: string, tags: string[]): HealthCheck => ({
      name,
      tags,
      check: () => Promise.resolve({ status: ran.push(name) > 0 ? 'Healthy' : 'Healthy' }),
    });
    const health = registryOf(
      noting('database', ['db', 'ready']),
      noting('loop', ['live']),
      noting('none', []),
    );
    const { url } = await testApp({ health });
    await fetch(`${url}/alive`);
    expect(ran).toEqual(['loop']);
  });

  test('/ready runs only checks tagged ready', async () => {
    const { url } = await testApp({
      health: registryOf(check('database', ['ready']), check('other', [], 'Unhealthy')),
    });
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(503);
  });

  test('a custom check joins a probe only by its tag', async () => {
    const { url } = await testApp({
      health: registryOf(check('database', ['ready']), check('custom', ['mine'], 'Unhealthy')),
    });
    expect(await (await fetch(`${url}/alive`)).text()).toBe('Healthy');
    expect(await (await fetch(`${url}/ready`)).text()).toBe('Healthy');
    expect(await (await fetch(`${url}/health`)).text()).toBe('Unhealthy');
  });

  test('the paths are configurable; the report and the page are below the health path', async () => {
    const healthPaths = {
      HealthCheckPath: '/ops/status',
      LivenessPath: '/ops/live',
      ReadinessPath: '/ops/ready',
    };
    const { url } = await testApp({ health: registryOf(check('database', ['ready'])), healthPaths });
    for (const path of ['/ops/status', '/ops/status/detail', '/ops/status/ui', '/ops/live', '/ops/ready']) {
      expect((await fetch(url + path)).status).toBe(200);
    }
    for (const path of paths) expect((await fetch(url + path)).status).toBe(404);
  });

  test('a custom response writer replaces the default writer and receives the report and the probe', async () => {
    const health = registryOf(check('database', ['ready'], 'Unhealthy'));
    health.writer = (report, { probe }) => ({
      contentType: 'text/x-mine',
      body: `${probe}=${report.status}/${report.checks.length}`,
    });
    const { url } = await testApp({ health });
    const answer = await fetch(`${url}/health`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      503,
      'text/x-mine',
      'overall=Unhealthy/2',
    ]);
    expect(await (await fetch(`${url}/ready`)).text()).toBe('readiness=Unhealthy/1');
    expect(await (await fetch(`${url}/health/detail`)).json()).toMatchObject({ status: 'Unhealthy' });
  });
});

describe('health, as decided for every process', () => {
  test.each(['/health', '/alive', '/ready'])('%s returns the status as text/plain', async (path) => {
    const { url } = await testApp({ health: registryOf(check('database', ['ready'])) });
    const answer = await fetch(url + path);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe('Healthy');
  });

  test.each(paths)('%s is never cached, not even with If-None-Match', async (path) => {
    const { url } = await testApp({ health: registryOf(check('database', ['ready'])) });
    const answer = await fetch(url + path, { headers: { 'If-None-Match': '*' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store, no-cache');
    expect(answer.headers.get('etag')).toBeNull();
  });

  test.each(paths)('HEAD %s returns the headers without a body', async (path) => {
    const { url } = await testApp({ health: registryOf(check('database', ['ready'])) });
    const answer = await fetch(url + path, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
  });

  test.each(paths)('other methods on %s return 405 with Allow', async (path) => {
    const { url } = await testApp();
    const answer = await fetch(url + path, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await answer.json()).toMatchObject({ errorCode: 'method_not_allowed' });
  });

  test.each(paths)(
    '%s needs no authentication, is not redirected, limited or logged, and stands before the gates',
    async (path) => {
      const refuse = endpoint.read({
        method: 'get',
        path,
        operationId: 'refuse',
        summary: 'Fails.',
        access: 'anonymous',
        answers: null,
        handle: () => Promise.reject(new Error('an endpoint saw a health request')),
      });
      const { url, lines } = await testApp({
        health: registryOf(check('database', ['ready'])),
        endpoints: [refuse],
        ready: () => false,
      });
      for (const suffix of ['', '/', '?']) {
        const answer = await fetch(url + path + suffix, {
          redirect: 'manual',
          headers: { Authorization: 'Bearer nonsense', 'X-Forwarded-Proto': 'http' },
        });
        expect(answer.status).toBe(200);
      }
      expect(lines).toEqual([]);
    },
  );

  // datalust/seq-input-healthcheck PR 14, louislam/uptime-kuma#3479, elastic/beats#38550
  test.each(paths)('%s ignores what a monitor adds to its address', async (path) => {
    const { url } = await testApp({ health: registryOf(check('database', ['ready'])) });
    for (const suffix of ['?probe=1', '?t=1700000000000', '?a&a=%ZZ', '/?_=1', '?'])
      for (const method of ['GET', 'HEAD']) {
        const { status } = await fetch(url + path + suffix, { method });
        expect([method, suffix, status]).toEqual([method, suffix, 200]);
      }
  });

  test.each(paths)('OPTIONS %s names the methods', async (path) => {
    const { url } = await testApp();
    const answer = await fetch(`${url}${path}?x=1`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('/alive stays 200 with the database down and while draining', async () => {
    const down: HealthCheck = {
      name: 'database',
      tags: ['ready'],
      check: () => Promise.reject(new Error('down')),
    };
    const { url, health } = await testApp({ health: registryOf(down) });
    expect((await fetch(`${url}/health`)).status).toBe(503);
    expect((await fetch(`${url}/alive`)).status).toBe(200);
    health.state = 'draining';
    expect((await fetch(`${url}/alive`)).status).toBe(200);
  });

  test.each(['starting', 'draining'] as const)('/ready is 503 while the process is %s', async (state) => {
    const { url, health } = await testApp({ health: registryOf(check('database', ['ready'])) });
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    health.state = state;
    const answer = await fetch(`${url}/ready`);
    expect([answer.status, await answer.text()]).toEqual([503, 'Unhealthy']);
  });

  test('/ready is 503 if the shutdown starts while its checks run', async () => {
    let release = () => undefined as void;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const { url, health } = await testApp({
      health: registryOf({
        name: 'slow',
        tags: ['ready'],
        check: async () => (await slow, { status: 'Healthy' }),
      }),
    });
    const answer = fetch(`${url}/ready`);
    await delay(50);
    health.state = 'draining';
    release();
    expect((await answer).status).toBe(503);
  });

  test('/ready is 503 if no check is tagged ready', async () => {
    const { url } = await testApp({ health: registryOf(check('rabbitmq', [])) });
    expect([(await fetch(`${url}/ready`)).status, (await fetch(`${url}/health`)).status]).toEqual([503, 200]);
  });

  test('two checks with the same name are rejected', () => {
    expect(() => registryOf(check('a', []), check('a', []))).toThrow('already a health check named a');
    expect(() => registryOf(check('service-self', []))).toThrow('already');
  });

  test('every response has the request id of the request', async () => {
    const { url } = await testApp();
    const answer = await fetch(`${url}/alive`, { headers: { 'X-Request-Id': 'probe-1' } });
    expect(answer.headers.get('x-request-id')).toBe('probe-1');
  });

  test('a hundred concurrent connections are served', async () => {
    const { url } = await testApp({ health: registryOf(check('database', ['ready'])) });
    const get = () =>
      new Promise<number>((resolve, reject) => {
        request(`${url}/health`, { agent: false }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        })
          .on('error', reject)
          .end();
      });
    expect(new Set(await Promise.all(Array.from({ length: 100 }, get)))).toEqual(new Set([200]));
  });
});

describe('time spans', () => {
  test.each([
    [0, '00:00:00.0000000'],
    [1.2345, '00:00:00.0012345'],
    [800, '00:00:00.8000000'],
    [61_001, '00:01:01.0010000'],
    [3_600_000, '01:00:00.0000000'],
    [999.99999, '00:00:01.0000000'],
    [-1, '00:00:00.0000000'],
  ])('%d ms is %s', (milliseconds, text) => expect(timeSpan(milliseconds)).toBe(text));
});
