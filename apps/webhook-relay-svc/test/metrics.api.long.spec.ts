import { eventually, webhookSink } from '@canvass/testing';
import { backlog, countEndpoints } from '../src/pipeline/backlog.sql';
import { openDatabase } from '../src/open-database';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** The samples of a scrape by name and labels; `service` is on all of them and left out. */
async function scrape(internalUrl: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    samples.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at).replace(/,?service="[^"]*"/, ''), Number(line.slice(at + 1))];
    }),
  );
}

it('reports the backlog, the endpoints by state and the openings of the circuit breaker', async () => {
  const relay = await world.relay({
    webHooks: {
      RetryScheduleSeconds: [3_600],
      Breaker: { Failures: 2, PauseSeconds: 600, MaxPauseSeconds: 600 },
    },
  });
  const [good, bad] = await Promise.all([webhookSink(), webhookSink()]);
  bad.respond(() => ({ status: 503 }));
  const tenant = newTenant(world.owner);
  const [healthy, degraded, disabled] = [
    endpointAt(good.url),
    endpointAt(bad.url),
    endpointAt(`${good.url}/off`),
  ];
  tenant.configure('SubmissionCompleted', [healthy, degraded, disabled]);
  await world.publish(tenant.settingsChanged());
  await eventually(async () =>
    expect(
      await world.db.query(
        'update endpoints set disabled_at = now() where tenant_id = $1 and id = $2 returning id',
        [tenant.tenantId, disabled.endpointId],
      ),
    ).toHaveLength(1),
  );
  await world.publish(tenant.event());
  await world.publish(tenant.event());
  await eventually(async () => {
    expect(await scrape(relay.internalUrl)).toMatchObject({
      'webhook_attempts_total{outcome="success"}': 2,
      'webhook_attempts_total{outcome="http_5xx"}': 2,
      'webhook_attempts_total{outcome="blocked_address"}': 0,
      'webhook_deliveries_total{status="dead"}': 0,
      'webhook_breaker_openings_total{}': 1,
      'webhook_deliveries_waiting{}': 4,
      'webhook_deliveries_due{}': 0,
      'webhook_oldest_due_seconds{endpoints="healthy"}': 0,
      'webhook_oldest_due_seconds{endpoints="degraded"}': 0,
      'webhook_endpoints{state="enabled"}': 1,
      'webhook_endpoints{state="slowed"}': 0,
      'webhook_endpoints{state="paused"}': 1,
      'webhook_endpoints{state="disabled"}': 1,
      'webhook_in_flight{}': 0,
      'broker_state{state="connected"}': 1,
      'broker_queue_messages{queue="service.dead"}': 0,
      'broker_queue_messages{queue="webhook.events.retry.5s"}': 0,
      'database_pool_waiting{}': 0,
    });
  });
  await relay.stop();

  for (const due of [
    `update endpoints set first_due = now() - interval '1 hour' where tenant_id = $1 and first_due is not null`,
    `update waiting set due_at = now() - interval '1 hour' where tenant_id = $1`,
  ])
    await world.db.query(due, [tenant.tenantId]);
  const [row] = await world.db.query(backlog());
  expect(row).toMatchObject({ waiting: 4, due: 2, oldest_healthy_seconds: 0 });
  expect(row!.oldest_degraded_seconds).toBeGreaterThanOrEqual(3_600);
  await Promise.all([good.close(), bad.close()]);
});

it('counts a large backlog by index, up to a limit', async () => {
  const tenant = newTenant(world.owner);
  const [endpoint] = await world.db.query<{ id: string }>(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, first_due)
     values ($1, next_id(), 'tenant', $1, 'https://receiver.example', now() - interval '120000 seconds') returning id`,
    [tenant.tenantId],
  );
  await world.db.query(
    `insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
     select $1, n, $2, 'form_updated', n, now(), now() - n * interval '1 second' from generate_series(1, 120000) n`,
    [tenant.tenantId, endpoint!.id],
  );
  const [row] = await world.db.query(backlog());
  expect(row).toMatchObject({ waiting: 100_000, due: 100_000 });
  expect(row!.oldest_healthy_seconds).toBeGreaterThanOrEqual(120_000);
  // Statistics of an empty table, which the planner has until the first analyze.
  const relayDb = openDatabase({ Url: world.database.url, PoolMax: 1 });
  const plan = (await relayDb.query<{ 'QUERY PLAN': string }>(`explain ${backlog.text}`))
    .map((line) => line['QUERY PLAN'])
    .join('\n');
  expect(plan).not.toMatch(/Seq Scan on waiting/);
  await relayDb.close();
  expect((await world.db.query(countEndpoints.text)).length).toBeGreaterThan(0);
});
