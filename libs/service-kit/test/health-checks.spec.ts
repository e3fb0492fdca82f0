import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { HealthRegistry, type HealthCheck, type HealthReport } from '../src';
import { closeTestApps, testApp } from './harness';

afterEach(() => {
  jest.restoreAllMocks();
  return closeTestApps();
});

/** Mocks the clock of the runner, so that a busy machine does not affect the test. */
function stopTheClock(): (milliseconds: number) => void {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return (milliseconds) => (now += milliseconds);
}

const never = () => new Promise<never>(() => undefined);

async function reportOf(...checks: HealthCheck[]): Promise<HealthReport> {
  const health = new HealthRegistry();
  for (const check of checks) health.register(check);
  return health.overall();
}

const entry = (report: HealthReport, name: string) => report.checks.find((check) => check.name === name);

describe('running checks', () => {
  test('checks run in parallel: all start before the first ends', async () => {
    let begun = 0;
    const together = (name: string): HealthCheck => ({
      name,
      tags: [],
      check: async () => {
        begun += 1;
        while (begun < 3) await delay(5);
        return { status: 'Healthy' };
      },
    });
    expect((await reportOf(together('a'), together('b'), together('c'))).status).toBe('Healthy');
  });

  test('a check that does not answer within 800 ms is Unhealthy, and its signal is aborted', async () => {
    let aborted = false;
    const report = await reportOf({
      name: 'stuck',
      tags: [],
      check: (signal) => (signal.addEventListener('abort', () => (aborted = true)), never()),
    });
    expect(entry(report, 'stuck')).toMatchObject({
      status: 'Unhealthy',
      description: 'The check did not answer within 800 ms.',
    });
    expect(aborted).toBe(true);
    expect(report.totalDuration >= '00:00:00.7900000').toBe(true);
  });

  test('a check may have a shorter deadline but not a longer one', async () => {
    const report = await reportOf(
      { name: 'short', tags: [], timeoutMs: 50, check: never },
      { name: 'long', tags: [], timeoutMs: 60_000, check: never },
    );
    expect(entry(report, 'short')?.description).toBe('The check did not answer within 50 ms.');
    expect(entry(report, 'long')?.description).toBe('The check did not answer within 800 ms.');
  });

  test('failureStatus Degraded: a throw and a timeout count as Degraded', async () => {
    const report = await reportOf(
      { name: 'throws', tags: [], failureStatus: 'Degraded', check: () => Promise.reject(new Error('x')) },
      { name: 'late', tags: [], failureStatus: 'Degraded', timeoutMs: 20, check: never },
    );
    expect(report.status).toBe('Degraded');
    expect(report.checks.map(({ status }) => status)).toEqual(['Healthy', 'Degraded', 'Degraded']);
  });

  test('a check that fails says since when', async () => {
    const pass = stopTheClock();
    let status: 'Healthy' | 'Unhealthy' = 'Healthy';
    const health = new HealthRegistry();
    health.register({ name: 'database', tags: [], check: () => ({ status, data: { pending: 3 } }) });
    const data = async () => {
      pass(1_001);
      await delay(5);
      return entry(await health.overall(), 'database')!.data;
    };
    expect(await data()).toEqual({ pending: 3 });
    const before = Date.now();
    status = 'Unhealthy';
    const failing = await data();
    expect(failing).toEqual({ pending: 3, since: expect.any(String) as string });
    expect(Date.parse(String(failing['since']))).toBeGreaterThanOrEqual(before);
    expect(await data()).toEqual(failing);
    status = 'Healthy';
    expect(await data()).toEqual({ pending: 3 });
  });

  test('callers within one second share one run', async () => {
    const pass = stopTheClock();
    let runs = 0;
    const health = new HealthRegistry();
    health.register({
      name: 'database',
      tags: ['ready'],
      check: async () => {
        runs += 1;
        await delay(20);
        return { status: 'Healthy' };
      },
    });
    const { url } = await testApp({ health });
    await Promise.all(
      ['/health', '/ready', '/health/detail', '/health/ui', '/health'].map((path) => fetch(url + path)),
    );
    pass(999);
    await fetch(`${url}/health`);
    expect(runs).toBe(1);
    pass(1);
    await fetch(`${url}/ready`);
    expect(runs).toBe(2);
  });

  test('a check that missed its deadline is called again only after a pause', async () => {
    const pass = stopTheClock();
    let calls = 0;
    const health = new HealthRegistry();
    let release = () => undefined as void;
    health.register({
      name: 'stuck',
      tags: [],
      timeoutMs: 20,
      check: () => ((calls += 1), new Promise((resolve) => (release = () => resolve({ status: 'Healthy' })))),
    });
    await health.overall();
    pass(1000);
    expect(entry(await health.overall(), 'stuck')).toMatchObject({
      status: 'Unhealthy',
      description: 'An earlier call of the check has not ended yet.',
    });
    expect(calls).toBe(1);
    release();
    await delay(0);
    pass(1000);
    const third = health.overall();
    release();
    expect((await third).status).toBe('Healthy');
    expect(calls).toBe(2);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('secret text'))],
    [
      'throws at once',
      () => {
        throw new Error('secret text');
      },
    ],
    ['rejects with nothing', () => Promise.reject(undefined as unknown as Error)],
    ['gives no result', () => Promise.resolve(undefined as never)],
    ['gives an unknown status', () => Promise.resolve({ status: 'Fine' } as never)],
    ['gives data that is no object', () => Promise.resolve({ status: 'Healthy', data: [1] } as never)],
  ])('a check that %s is Unhealthy with a fixed sentence', async (_, check) => {
    const report = await reportOf({ name: 'bad', tags: [], check });
    expect(entry(report, 'bad')).toMatchObject({
      status: 'Unhealthy',
      description: 'The check failed.',
      data: {},
    });
  });
});

describe('content that a report omits', () => {
  const failing = (error: unknown): HealthCheck => ({
    name: 'bad',
    tags: [],
    check: () => Promise.reject(error as Error),
  });

  test('only the code of an error, not its message', async () => {
    const error = Object.assign(new Error('connect postgres://u:p@db:5432/x'), { code: 'ECONNREFUSED' });
    expect(entry(await reportOf(failing(error)), 'bad')?.description).toBe(
      'The check failed (ECONNREFUSED).',
    );
  });

  test('the code of the cause and of the first of several errors', async () => {
    const inner = Object.assign(new Error('x'), { code: '57P03' });
    expect(entry(await reportOf(failing(new Error('y', { cause: inner }))), 'bad')?.description).toContain(
      '57P03',
    );
    expect(entry(await reportOf(failing(new AggregateError([inner]))), 'bad')?.description).toContain(
      '57P03',
    );
  });

  test('a code that is a text of a library is omitted', async () => {
    const error = Object.assign(new Error('x'), { code: 'password is hunter2' });
    expect(entry(await reportOf(failing(error)), 'bad')?.description).toBe('The check failed.');
  });

  test('connection strings, secrets and stack traces are removed from descriptions and data', async () => {
    const report = await reportOf({
      name: 'chatty',
      tags: [],
      check: () =>
        Promise.resolve({
          status: 'Degraded',
          description:
            'cannot reach amqp://guest:guest@rabbit:5672/ with password=hunter2\n    at Socket.<anonymous>',
          data: {
            url: 'postgres://user:hunter2@db/canvass',
            dsn: 'Server=db;User Id=sa;Password=hunter2',
            apiKey: 'hunter2',
            nested: [{ error: new Error('at amqp://guest:hunter2@rabbit'), big: 5n }],
            lag: 3,
          },
        }),
    });
    const text = JSON.stringify(entry(report, 'chatty'));
    expect(text).not.toMatch(/hunter2|guest|rabbit:5672|db\/canvass|anonymous|stack| at /);
    expect(entry(report, 'chatty')?.data).toMatchObject({ apiKey: '********', lag: 3 });
  });
});

describe('the page', () => {
  const chatty: HealthCheck = {
    name: '<script>alert(1)</script>',
    tags: ['ready'],
    check: () =>
      Promise.resolve({
        status: 'Degraded',
        description: '"><img src=x onerror=alert(2)>',
        data: { '<b>': `'&"`, list: [1, 2], none: null },
      }),
  };

  async function page(...checks: HealthCheck[]): Promise<{ html: string; headers: Headers }> {
    const health = new HealthRegistry();
    for (const check of checks) health.register(check);
    const { url } = await testApp({ health, name: 'submissions-svc' });
    const answer = await fetch(`${url}/health/ui`);
    return { html: await answer.text(), headers: answer.headers };
  }

  test('lists each check with its status and duration', async () => {
    const { html, headers } = await page({
      name: 'database',
      tags: [],
      check: () => Promise.resolve({ status: 'Healthy' }),
    });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<h1>submissions-svc</h1>');
    for (const name of ['service-self', 'database']) {
      const item = html.slice(html.indexOf(`<h2>${name}</h2>`)).split('</li>')[0];
      expect(item).toMatch(/Healthy/);
      expect(item).toMatch(/title="00:00:00\.\d{7}">\d+\.\d ms/);
    }
  });

  test('all texts of a check are escaped', async () => {
    const { html } = await page(chatty);
    expect(html).not.toMatch(/<script|<img|<b>/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('&lt;b&gt;');
    expect(html).toContain('[1,2]');
  });

  test('has no scripts and makes no requests', async () => {
    const { html, headers } = await page(chatty);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(/);
  });

  test('is accessible: language, viewport, both colour schemes, a word beside each colour', async () => {
    const { html } = await page(chatty);
    for (const part of [
      '<html lang="en">',
      'name="viewport"',
      'prefers-color-scheme:dark',
      '<title>Degraded',
    ]) {
      expect(html).toContain(part);
    }
  });
});
