import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, testProxy, type TestProxy, webhookSink } from '@canvass/testing';
import { api } from './api';
import { endpointAt, newTenant, startHarness, type Harness } from './harness';

let world: Harness;
let via: TestProxy;
beforeAll(async () => {
  via = await testProxy();
  world = await startHarness();
});
afterAll(async () => {
  await world.close();
  await via.stop();
});

const events = 600;

it('restarts of the proxy lose nothing, and no endpoint is to blame', async () => {
  const sink = await webhookSink();
  const relay = await world.relay({
    webHooks: {
      // A fault that used up the schedule would end a delivery at once.
      RetryScheduleSeconds: [0.1],
      DisableAfterDays: 0.00001,
      Proxy: { Url: via.url, NoProxy: [], Addresses: 'checked' },
    },
  });
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url);
  tenant.configure('SubmissionCompleted', [endpoint]);
  const ids: string[] = [];
  const publishing = (async () => {
    for (let n = 0; n < events; n++) {
      const event = tenant.event();
      ids.push(event.id);
      await world.publish(event);
      if (n % 20 === 0) await sleep(100);
    }
  })();
  for (let restart = 0; restart < 5; restart++) {
    await sleep(400);
    await via.stop();
    await sleep(600);
    await via.start();
  }
  await publishing;
  const received = () => new Set(sink.requests.map(({ headers }) => headers['webhook-id']));
  await eventually(
    async () => {
      await world.makeDue(tenant.tenantId);
      expect(received().size).toBe(events);
    },
    { timeoutMs: 60_000 },
  );
  expect([...received()].sort()).toEqual([...ids].sort());

  const own = api(world, relay.url, tenant);
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  expect(await own.get(path)).toMatchObject({ state: 'enabled', failingSince: null });
  await eventually(async () => {
    const rows = await world.db.query<{ status: string; count: number }>(
      'select status, count(*)::integer as count from deliveries where tenant_id = $1 group by status',
      [tenant.tenantId],
    );
    expect(rows).toEqual([{ status: 'delivered', count: events }]);
  });
  const outcomes = await world.db.query<{ outcome: string }>(
    `select distinct a ->> 'outcome' as outcome from deliveries d, unnest(d.attempts) a
     where d.tenant_id = $1 order by 1`,
    [tenant.tenantId],
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['proxy_error', 'success']);
  await sink.close();
}, 120_000);
