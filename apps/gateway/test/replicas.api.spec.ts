import { eventually } from '@canvass/testing';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { configSchema } from '../src/config';
import { startHarness, type Harness, type TestUpstream } from './harness';

/** A time longer than any of these tests, so that no readiness probe explains what they observe. */
const never = { ReadinessIntervalMs: 3_600_000 };
const post = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"name":"x"}',
});
const streamed = () => ({
  method: 'POST',
  body: Readable.toWeb(Readable.from(['x'.repeat(100_000), 'y'])) as ReadableStream,
  headers: { 'content-type': 'application/json' },
  duplex: 'half',
});
const keyed = { 'idempotency-key': 'k-1' };

describe('a service with two replicas', () => {
  let gateway: Harness;
  let first: TestUpstream;
  let second: TestUpstream;
  async function start(settings: Record<string, unknown> = never): Promise<void> {
    gateway = await startHarness({ replicas: { Submissions: 2 }, settings });
    [first, second] = gateway.replicas.Submissions as [TestUpstream, TestUpstream];
  }
  afterEach(() => gateway.close());

  const served = (replica: TestUpstream) =>
    replica.seen.filter((line) => !/ \/(ready|health)$/.test(line)).length;
  const statuses = async (count: number, init?: RequestInit) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await fetch(`${gateway.url}/api/forms`, init)).status);
    return new Set(found);
  };

  it('gets its requests round robin', async () => {
    await start();
    expect(await statuses(10)).toEqual(new Set([200]));
    expect([served(first), served(second)]).toEqual([5, 5]);
  });

  it('gets a request at the replica with fewer requests in flight', async () => {
    await start();
    first.handler = () => undefined;
    const held = Array.from({ length: 2 }, () => fetch(`${gateway.url}/api/forms`).catch(() => null));
    await eventually(() => expect(served(first)).toBe(1));
    expect(await statuses(6)).toEqual(new Set([200]));
    expect(served(first)).toBe(1);
    await gateway.close();
    await Promise.all(held);
  });

  it.each<[string, () => RequestInit]>([
    ['a read', () => ({})],
    ['a write without a key', () => post()],
    ['a streamed write', () => streamed()],
  ])('takes %s while one replica is down: nothing was sent to it', async (_kind, request) => {
    await start();
    await first.close();
    const answers = [1, 2, 3].map(() => fetch(`${gateway.url}/api/forms`, request()));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    expect(served(second)).toBe(3);
  });

  it('gets a request at the other replica when a connection breaks, if it is repeatable', async () => {
    await start();
    let broken = 0;
    first.handler = (request, response) => {
      if (request.url === '/ready') return void response.end();
      broken += 1;
      request.resume().once('end', () => request.socket.destroy());
    };
    expect(await statuses(4)).toEqual(new Set([200]));
    expect(await statuses(4, post(keyed))).toEqual(new Set([200]));
    const before = broken + served(second);
    expect(await statuses(4, post())).toEqual(new Set([200, 502]));
    expect(broken + served(second) - before).toBe(4);
  });

  it('gets no requests at a replica that is not ready, and gets them again when it is', async () => {
    await start({ ReadinessIntervalMs: 50 });
    let ready = false;
    first.handler = (request, response) => {
      response.writeHead(request.url === '/ready' && !ready ? 503 : 200).end();
    };
    await eventually(async () => {
      const before = served(first);
      await statuses(4);
      expect(served(first)).toBe(before);
    });
    ready = true;
    await eventually(async () => {
      const before = served(first);
      await statuses(4);
      expect(served(first)).toBeGreaterThan(before);
    });
  });

  it('gets no requests at a replica that closes its connections: it is shutting down', async () => {
    await start();
    first.handler = (_request, response) => response.setHeader('Connection', 'close').end();
    await statuses(10);
    expect([served(first), served(second)]).toEqual([1, 9]);
  });

  it('keeps a ready replica in rotation after a HEAD, however that connection ends', async () => {
    // On a busy machine a replica must not look as if it were down.
    await start({ ReadinessIntervalMs: 50, ConnectTimeoutMs: 60_000, HealthTimeoutMs: 60_000 });
    second.handler = (_request, response) => response.writeHead(503).end('starting');
    await eventually(async () => expect(await statuses(4)).toEqual(new Set([200])));
    for (let n = 0; n < 10; n += 1) {
      const head = await fetch(`${gateway.url}/api/forms`, { method: 'HEAD' });
      expect([head.status, await statuses(2)]).toEqual([200, new Set([200])]);
    }
  });

  it('keeps a replica in rotation that closes a connection because of one request: a large body, a long head', async () => {
    await start();
    first.handler = (request, response) => {
      if (request.method === 'POST') response.writeHead(413, { connection: 'close' }).end();
      else response.end();
    };
    expect(await statuses(2, post())).toEqual(new Set([200, 413]));
    const before = served(first);
    await statuses(4);
    expect(served(first) - before).toBe(2);
  });

  it('opens the circuit of a replica that times out, and not that of the other', async () => {
    await gateway?.close();
    gateway = await startHarness({
      replicas: { Submissions: 2 },
      settings: { ...never, Breaker: { Failures: 2, OpenMs: 3_600_000 } },
      route: (route) => ({ ...route, timeoutMs: 1_500 }),
    });
    [first, second] = gateway.replicas.Submissions as [TestUpstream, TestUpstream];
    first.handler = (request, response) => void (request.url === '/ready' && response.end());
    expect(await statuses(4)).toEqual(new Set([200, 504]));
    expect(await statuses(6)).toEqual(new Set([200]));
  });

  it('returns what its replicas answer when none of them is ready', async () => {
    await start({ ReadinessIntervalMs: 50 });
    for (const replica of [first, second])
      replica.handler = (_request, response) => response.writeHead(503).end('starting');
    await eventually(() => expect(first.seen.length).toBeGreaterThan(2));
    const answer = await fetch(`${gateway.url}/api/forms`);
    expect([answer.status, await answer.text()]).toEqual([503, 'starting']);
  });

  it('is Degraded while one of them is down', async () => {
    await start();
    const check = async () => {
      const report = (await (await fetch(`${gateway.url}/health/detail`)).json()) as {
        checks: { name: string; status: string; description: string }[];
      };
      return report.checks.find(({ name }) => name === 'submissions-svc')!;
    };
    // On a busy machine an answer may be too late for a report.
    await eventually(async () =>
      expect(await check()).toMatchObject({ status: 'Healthy', description: '2 replicas are ready.' }),
    );
    await first.close();
    await eventually(async () =>
      expect(await check()).toMatchObject({
        status: 'Degraded',
        description: expect.stringContaining('1 of 2 replicas') as string,
      }),
    );
  });
});

describe('a streamed upload', () => {
  it('whose service is down and whose client then disconnects affects no other request', async () => {
    const gateway = await startHarness();
    await gateway.services.DataLists.close();
    const upload = httpRequest(`${gateway.url}/api/data-lists/1/import`, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
    });
    const answered = new Promise<number>((resolve) =>
      upload.on('response', ({ statusCode = 0 }) => resolve(statusCode)),
    );
    upload.on('error', () => undefined).write('value\r\n');
    expect(await answered).toBe(503);
    upload.destroy();
    expect((await fetch(`${gateway.url}/api/forms`)).status).toBe(200);
    await gateway.close();
  });
});

describe('the base URLs of a service', () => {
  const faults = (submissions: unknown) =>
    configSchema.validate({
      Service: {
        Hosting: {},
        Logging: {},
        Gateway: { Services: { Submissions: submissions, DataLists: 'http://d', WebHookRelay: 'http://w' } },
      },
    }).error?.message;

  it.each([['http://a:1'], [['http://a:1']], [['http://a:1', 'http://a:2']]])('%j is taken', (value) => {
    expect(faults(value)).toBeUndefined();
  });

  it.each([[[]], [['http://a:1', 'http://a:1/']], ['http://a/path'], [['http://a', 'b']], [7]])(
    '%j is refused',
    (value) => {
      expect(faults(value)).toBeDefined();
    },
  );
});
