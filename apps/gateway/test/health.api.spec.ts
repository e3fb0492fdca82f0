import { eventually } from '@canvass/testing';
import type { ServerResponse } from 'node:http';
import { startHarness, type Harness } from './harness';

interface Report {
  status: string;
  checks: { name: string; status: string; description: string | null; data: { failing?: unknown } }[];
}

describe('health of the gateway', () => {
  let gateway: Harness;
  beforeEach(async () => {
    gateway = await startHarness({ settings: { HealthTimeoutMs: 500 } });
  });
  afterEach(() => gateway.close());

  const report = async (): Promise<Report> =>
    (await fetch(`${gateway.url}/health/detail`)).json() as Promise<Report>;
  const statusOf = (name: string, { checks }: Report) => checks.find((check) => check.name === name)?.status;
  const notReady = {
    handler: (_: unknown, response: ServerResponse) => response.writeHead(503).end(),
  };

  it('asks every service whether it is ready', async () => {
    await eventually(async () => {
      const response = await fetch(`${gateway.url}/health`);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('Healthy');
    });
    const names = (await report()).checks.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'service-self',
        'routing',
        'submissions-svc',
        'datalists-svc',
        'identity-svc',
        'webhook-relay-svc',
      ]),
    );
    expect([...new Set(gateway.services.Identity.seen)].sort()).toEqual(['GET /health/detail', 'GET /ready']);
  });

  it('asks a service at the paths configured for it, and the others at the common ones', async () => {
    await gateway.close();
    gateway = await startHarness({
      settings: {
        HealthTimeoutMs: 500,
        ReadinessPath: '/common/ready',
        Probes: {
          Submissions: { ReadinessPath: '/forms/ready', HealthCheckPath: '/forms/health' },
          DataLists: { HealthCheckPath: '/lists/health' },
        },
      },
      replicas: { Submissions: 2 },
    });
    await eventually(async () => expect((await report()).status).toBe('Healthy'));
    const asked = (name: 'Submissions' | 'DataLists' | 'Identity') =>
      [...new Set(gateway.replicas[name].flatMap(({ seen }) => seen))].sort();
    // With two replicas the readiness also decides which one gets a request.
    expect(asked('Submissions')).toEqual(['GET /forms/health/detail', 'GET /forms/ready']);
    expect(asked('DataLists')).toEqual(['GET /common/ready', 'GET /lists/health/detail']);
    expect(asked('Identity')).toEqual(['GET /common/ready', 'GET /health/detail']);
  });

  it('is Degraded while some services are down or not ready, and still ready itself', async () => {
    await gateway.services.DataLists.close();
    Object.assign(gateway.services.WebHookRelay, notReady);
    gateway.services.Identity.handler = () => undefined; // silent
    // On a busy machine a healthy service may also miss the time limit.
    await eventually(async () => {
      const found = await report();
      expect(found.status).toBe('Degraded');
      expect(statusOf('submissions-svc', found)).toBe('Healthy');
      for (const name of ['datalists-svc', 'webhook-relay-svc', 'identity-svc']) {
        expect(statusOf(name, found)).toBe('Degraded');
      }
      const overall = await fetch(`${gateway.url}/health`);
      expect([overall.status, await overall.text()]).toEqual([200, 'Degraded']);
    });
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/alive`)).status).toBe(200);
  });

  it('is Degraded when a service serves but says that something is wrong', async () => {
    gateway.services.Submissions.handler = (request, response) =>
      void response.end(request.url === '/health/detail' ? '{"status":"Degraded"}' : 'Healthy');
    await eventually(async () => {
      const found = await report();
      expect([found.status, statusOf('submissions-svc', found)]).toEqual(['Degraded', 'Degraded']);
    });
  });

  it('names the checks of a service that fail, and since when', async () => {
    const since = '2026-11-20T09:31:02.114Z';
    const checks = [
      { name: 'service-self', status: 'Healthy', description: null, data: {} },
      { name: 'database', status: 'Unhealthy', description: 'The check failed.', data: { since } },
    ];
    gateway.services.Submissions.handler = (request, response) =>
      void response
        .writeHead(503)
        .end(
          request.url === '/health/detail' ? JSON.stringify({ status: 'Unhealthy', checks }) : 'Unhealthy',
        );
    await eventually(async () => {
      const check = (await report()).checks.find(({ name }) => name === 'submissions-svc');
      expect(check?.data.failing).toEqual([{ name: 'database', status: 'Unhealthy', since }]);
    });
  });

  it('is Unhealthy when no service is left, and still alive and ready', async () => {
    await Promise.all(Object.values(gateway.services).map((service) => service.close()));
    const overall = await fetch(`${gateway.url}/health`);
    expect([overall.status, await overall.text()]).toEqual([503, 'Unhealthy']);
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/alive`)).status).toBe(200);
  });

  it('shows no addresses in its report', async () => {
    await gateway.services.DataLists.close();
    const text = JSON.stringify(await report());
    for (const service of Object.values(gateway.services))
      expect(text).not.toContain(new URL(service.url).port);
  });

  it('has a page for people', async () => {
    const page = await fetch(`${gateway.url}/health/ui`);
    expect(page.headers.get('content-type')).toMatch('text/html');
    expect(await page.text()).toContain('webhook-relay-svc');
  });
});
