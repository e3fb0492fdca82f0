import { eventually } from '@canvass/testing';
import { startHarness, type Harness } from './harness';

const post = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"name":"x"}',
});
const keyed = { 'idempotency-key': 'k-1' };

describe('a write whose connection breaks', () => {
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startHarness();
  });
  afterAll(() => gateway.close());

  /**
   * Answers of the gateway and calls of the service when the first connection breaks after the body was read.
   */
  async function broken(path: string, init: RequestInit) {
    const bodies: string[] = [];
    gateway.services.Submissions.handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        if (bodies.length === 1) request.socket.destroy();
        else response.writeHead(201).end();
      });
    };
    const { status } = await fetch(gateway.url + path, init);
    return { status, bodies };
  }

  it('is sent a second time, whole, if it has an idempotency key', async () => {
    expect(await broken('/api/forms', post(keyed))).toEqual({
      status: 201,
      bodies: ['{"name":"x"}', '{"name":"x"}'],
    });
  });

  it.each<[string, string, RequestInit]>([
    ['without a key', '/api/forms', post()],
    ['where no key is taken', '/api/forms/1/submissions/2/status', post(keyed)],
    ['when it is no POST', '/api/forms/1', { ...post(keyed), method: 'PATCH' }],
  ])('is not sent again %s', async (_when, path, init) => {
    const { status, bodies } = await broken(path, init);
    expect([status, bodies.length]).toEqual([502, 1]);
  });
});

describe('the circuit breaker', () => {
  it('opens for a service that fails, leaves the others alone, and closes with its next answer', async () => {
    const gateway = await startHarness({ settings: { Breaker: { Failures: 3, OpenMs: 500 } } });
    const service = gateway.services.DataLists;
    const answer = service.handler;
    service.handler = (request) => void request.resume().once('end', () => request.socket.destroy());
    const call = () => fetch(`${gateway.url}/api/data-lists`, post());

    for (let failures = 0; failures < 3; failures += 1) expect((await call()).status).toBe(502);
    const refused = await eventually(async () => {
      const response = await call();
      expect(response.status).toBe(503); // between two probes
      return response;
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({
      errorCode: 'service_unavailable',
      detail: expect.stringContaining('is temporarily unavailable (circuit open)') as string,
    });
    const metrics = await (await fetch(`${gateway.internalUrl}/metrics`)).text();
    expect(metrics).toMatch(/^gateway_upstream_breaker_open{upstream="DataLists",.*} 1$/m);
    expect(metrics).toMatch(/^gateway_upstream_breaker_open{upstream="Identity",.*} 0$/m);
    expect(metrics).toMatch(
      /^gateway_upstream_rejected_total{upstream="DataLists",reason="circuit_open",.*} [1-9]/m,
    );
    expect(metrics).toMatch(/^gateway_upstream_requests{upstream="DataLists",state="queued",.*} 0$/m);
    expect((await fetch(`${gateway.url}/api/forms`)).status).toBe(200);

    service.handler = answer;
    await eventually(async () => expect((await call()).status).toBe(200));
    for (let calls = 0; calls < 5; calls += 1) expect((await call()).status).toBe(200);
    await gateway.close();
  });
});
