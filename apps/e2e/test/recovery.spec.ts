import { eventually } from '@canvass/testing';
import { signIn, type Callers } from '../src/client';
import { healthOf, statusOf } from '../src/health';
import { startReceiver, type Receiver } from '../src/receiver';
import { killService, stackFile, startServer, stopServer, type ServiceName } from '../src/stack';

/** A time longer than the start of a broker on a busy machine. */
const patient = { timeoutMs: 120_000 };

describe('when parts of the stack fail', () => {
  let callers: Callers;
  let receiver: Receiver;
  let submissions: string;

  beforeAll(async () => {
    callers = await signIn();
    receiver = await startReceiver();
    const form = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Recovery',
      isEnabled: true,
      webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
    });
    submissions = `/api/forms/${form.id}/submissions`;
    await receiver.trust(callers.admin);
  });
  afterAll(() => receiver.sink.close());

  /** Submits like a client that retries after a 503. */
  const submit = () =>
    eventually(async () => {
      const answer = await callers.anonymous.call<{ id: string }>('POST', submissions, { isComplete: true });
      if (answer.status === 201) return answer.body.id;
      expect([502, 503, 504]).toContain(answer.status);
      throw new Error(`answered ${answer.status}`);
    }, patient);

  const delivered = (id: string) => receiver.message(({ Payload }) => Payload['submissionId'] === id);

  const allHealthy = () =>
    eventually(async () => {
      const { gatewayUrl, services } = await stackFile();
      const reports = await Promise.all(
        [gatewayUrl, ...Object.values(services).map(({ url }) => url)].map(healthOf),
      );
      expect(reports.map((report) => report?.status)).toEqual(reports.map(() => 'Healthy'));
    }, patient);

  it.each<ServiceName>(['webhook-relay-svc', 'submissions-svc', 'datalists-svc', 'identity-svc'])(
    'survives a kill -9 of %s: visible on the health pages, restarted, nothing lost',
    async (name) => {
      const { gatewayUrl, services } = await stackFile();
      const { url, pid } = services[name];
      await killService(name);
      const meanwhile = submit();
      let unreachable = false;
      // A restart can be faster than the second for which a health report is cached: then it is killed again.
      await eventually(async () => {
        const own = await healthOf(url);
        unreachable ||= own === null;
        if (unreachable && statusOf(await healthOf(gatewayUrl), name) === 'Degraded') return true;
        if (own !== null) await killService(name);
        return false;
      }, patient);

      await delivered(await meanwhile);
      await allHealthy();
      expect((await stackFile()).services[name].pid).not.toBe(pid);
      await delivered(await submit());
    },
  );

  it('survives a kill -9 of the gateway', async () => {
    const { gatewayUrl } = await stackFile();
    await killService('gateway');
    await eventually(async () => (await healthOf(gatewayUrl)) === null, patient);
    const meanwhile = eventually(
      () => callers.anonymous.expect<{ id: string }>(201, 'POST', submissions, { isComplete: true }),
      patient,
    );
    await delivered((await meanwhile).id);
    await allHealthy();
  });

  it('accepts submissions while RabbitMQ is stopped, is Degraded, and delivers them afterwards', async () => {
    const { gatewayUrl, services } = await stackFile();
    await stopServer('rabbitmq');
    try {
      const answer = await callers.anonymous.call<{ id: string }>('POST', submissions, { isComplete: true });
      expect(answer.status).toBe(201);
      await eventually(async () => {
        for (const name of ['submissions-svc', 'webhook-relay-svc'] as const) {
          const report = await healthOf(services[name].url);
          expect([report?.status, statusOf(report, 'rabbitmq')]).toEqual(['Degraded', 'Degraded']);
          expect((await fetch(`${services[name].url}/ready`)).status).toBe(200);
        }
        const gateway = await healthOf(gatewayUrl);
        expect([gateway?.status, statusOf(gateway, 'submissions-svc')]).toEqual(['Degraded', 'Degraded']);
      }, patient);
      await startServer('rabbitmq');
      await delivered(answer.body.id);
    } finally {
      await startServer('rabbitmq');
    }
    await allHealthy();
  });

  it('is not ready while Postgres is stopped, returns 503 instead of 500, and recovers afterwards', async () => {
    const { gatewayUrl, services } = await stackFile();
    await stopServer('postgres');
    try {
      await eventually(async () => {
        expect((await fetch(`${services['submissions-svc'].url}/ready`)).status).toBe(503);
        expect(statusOf(await healthOf(services['submissions-svc'].url), 'database')).toBe('Unhealthy');
        expect((await fetch(`${services['submissions-svc'].url}/alive`)).status).toBe(200);
        expect((await healthOf(gatewayUrl))?.status).not.toBe('Healthy');
      }, patient);
      const answer = await callers.anonymous.call('POST', submissions, { isComplete: true });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await startServer('postgres');
    }
    await delivered(await submit());
    await allHealthy();
  });
});
