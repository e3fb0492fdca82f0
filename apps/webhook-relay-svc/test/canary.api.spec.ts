import { queues } from '@canvass/contracts';
import { createLogger, startService } from '@canvass/service-kit';
import { eventually, expectMalformedEvents, webhookSink } from '@canvass/testing';
import { service as relayService } from '../src/service';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** Every column of every table as text; bytes as the text they are, so that nothing hides in hexadecimal. */
async function dump(): Promise<string> {
  const columns = await world.db.query<{ table: string; column: string; type: string }>(
    `select c.table_name as table, c.column_name as column, c.data_type as type from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'webhooks' and t.table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    columns.map(({ table, column, type }) => {
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
      return world.db.query<{ text: string | null }>(`select ${text} as text from "${table}"`);
    }),
  );
  expect(columns.length).toBeGreaterThan(50);
  return texts
    .flat()
    .map(({ text }) => text ?? '')
    .join('\n');
}

/** Returns what lies in the queues, with headers. */
async function messages(): Promise<string> {
  const found = await Promise.all(
    Object.values(queues).map((queue) =>
      world.vhost.api('POST', `/queues/:vhost/${queue}/get`, {
        count: 1_000,
        ackmode: 'ack_requeue_true',
        encoding: 'auto',
      }),
    ),
  );
  return JSON.stringify(found);
}

it('a secret is sent in clear text to its receiver only', async () => {
  const canary = { apiKey: 'canary-api-key-93ae' };
  const lines: string[] = [];
  const config = world.settings({ deliverToJobQueue: true, webHooks: { RetryScheduleSeconds: [0.2] } });
  const service = await startService({
    service: relayService,
    config,
    logger: createLogger('webhook-relay-svc', {
      level: 'debug',
      destination: { write: (line) => void lines.push(line) },
    }),
  });
  await service.ready;

  const sink = await webhookSink();
  // A receiver that shows everything it was sent, and fails now and then.
  sink.respond((request) => ({
    status: sink.requests.length % 2 === 0 ? 200 : 503,
    body: `${JSON.stringify(request.headers)} ${request.headers['x-key']}`,
  }));
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url, newId(), { header: 'X-Key', apiKey: canary.apiKey });
  const broken = endpointAt('http://127.0.0.1:1/', newId(), { header: 'X-Key', apiKey: canary.apiKey });
  tenant.configure('SubmissionCompleted', [endpoint, broken]);
  await world.publish(tenant.settingsChanged());
  const log = api(world, service.url, tenant);
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  await eventually(() => log.get(path));
  const { secret: first } = await log.get(`${path}/secret`);
  const { secret: second } = await log.post(`${path}/rotate-secret`, 200, {}, { 'idempotency-key': 'k' });
  for (let n = 0; n < 3; n += 1) await world.publish(tenant.event());
  await log.post(`${path}/test`, 202);
  await eventually(async () =>
    expect((await log.get('/api/webhooks/deliveries?status=dead&total=exact')).total).toBeGreaterThanOrEqual(
      3,
    ),
  );
  await eventually(async () =>
    expect(
      (await log.get('/api/webhooks/deliveries?status=delivered&total=exact')).total,
    ).toBeGreaterThanOrEqual(1),
  );
  expect(sink.requests.every(({ headers }) => headers['x-key'] === canary.apiKey)).toBe(true);
  expectMalformedEvents();
  // An event that is not understood lies in the dead letters, whole.
  await world.publish({ ...tenant.event(), schemaVersion: 2 });

  const shown: unknown[] = [];
  const { items } = await log.get('/api/webhooks/deliveries?limit=200');
  for (const { id } of items) shown.push(await log.get(`/api/webhooks/deliveries/${id}`));
  for (const suffix of ['', '?state=enabled']) shown.push(await log.get(`/api/webhooks/endpoints${suffix}`));
  shown.push(await log.get(path));
  for (const wrong of ['x', '1', endpoint.endpointId])
    shown.push(await (await fetch(`${service.url}/api/webhooks/endpoints/${wrong}/secret`)).text());
  const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
  const details = await (await fetch(`${service.url}/health/detail`)).text();
  const everywhere = {
    logs: lines.join(''),
    'log API': JSON.stringify(shown),
    metrics,
    health: details,
    database: await dump(),
    queues: await messages(),
  };
  expect(everywhere.logs).toContain('listening');
  expect(everywhere.metrics).toContain('webhook_attempts_total');
  for (const [place, text] of Object.entries(everywhere)) {
    for (const secret of [canary.apiKey, first, second, first.slice(6), second.slice(6)])
      expect({ place, leaks: text.includes(secret) }).toEqual({ place, leaks: false });
  }
  await sink.close();
  await service.stop();
});
