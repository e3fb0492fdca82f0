import { eventually, webhookSink } from '@canvass/testing';
import { api } from './api';
import { ControlledClock } from './clock';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

const clock = new ControlledClock();
let world: Harness;
beforeAll(async () => {
  world = await startHarness({ atClock: clock.install });
});
afterAll(() => world.close());

const hour = 3_600;

async function failingEndpoint(
  breaker: Partial<{ Failures: number; PauseSeconds: number; MaxPauseSeconds: number }>,
) {
  const relay = await world.relay({
    webHooks: {
      RetryScheduleSeconds: Array(30).fill(hour) as number[],
      Breaker: { Failures: 3, PauseSeconds: 600, MaxPauseSeconds: 600, ...breaker },
    },
  });
  const sink = await webhookSink();
  sink.respond(() => ({ status: 503 }));
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url);
  tenant.configure('SubmissionCompleted', [endpoint]);
  const log = api(world, relay.url, tenant);
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  const end = async () => {
    await sink.close();
    await relay.stop();
  };
  return { sink, tenant, log, path, end };
}

it('a failing endpoint is paused: new deliveries wait, one delivery tests it, and a success resumes all', async () => {
  const { sink, tenant, log, path, end } = await failingEndpoint({});
  for (let n = 0; n < 3; n += 1) await world.publish(tenant.event());
  await eventually(async () =>
    expect(await log.get(path)).toMatchObject({ pausedUntil: expect.any(String) }),
  );
  const tried = sink.requests.length;
  expect(tried).toBe(3);
  for (let n = 0; n < 8; n += 1) await world.publish(tenant.event());
  await eventually(async () =>
    expect((await log.get('/api/webhooks/deliveries?status=pending&total=exact')).total).toBe(8),
  );
  await new Promise((resolve) => setTimeout(resolve, 300)); // several sweeps
  expect(sink.requests).toHaveLength(tried);
  // Parked, not held: no lease and no attempt is spent on them.
  expect(await world.leased(tenant.tenantId)).toBe(0);

  let inFlight = 0;
  let firstProbes = 0;
  sink.respond(async () => {
    firstProbes = Math.max(firstProbes, (inFlight += 1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    inFlight -= 1;
    return { status: 503 };
  });
  await clock.advance(601);
  await eventually(() => expect(sink.requests).toHaveLength(tried + 1));
  await eventually(async () =>
    expect(await log.get(path)).toMatchObject({ pausedUntil: expect.any(String) }),
  );
  expect({ sent: sink.requests.length, firstProbes }).toEqual({ sent: tried + 1, firstProbes: 1 });

  sink.respond(() => ({ status: 200 }));
  await clock.advance(601);
  await eventually(async () =>
    expect((await log.get('/api/webhooks/deliveries?status=delivered&total=exact')).total).toBe(7),
  );
  expect(await log.get(path)).toMatchObject({ state: 'enabled', pausedUntil: null, failingSince: null });
  await clock.advance(1.3 * hour);
  await eventually(async () =>
    expect((await log.get('/api/webhooks/deliveries?status=delivered&total=exact')).total).toBe(11),
  );
  await end();
});

it('an endpoint without a success for five days is disabled; deliveries are recorded and sent once it is enabled', async () => {
  const { sink, tenant, log, path, end } = await failingEndpoint({ Failures: 100 });
  await world.publish(tenant.event());
  await eventually(async () =>
    expect(await log.get(path)).toMatchObject({ failingSince: expect.any(String) }),
  );
  await clock.advance(5 * 24 * hour - 600);
  await eventually(() => expect(sink.requests).toHaveLength(2));
  await eventually(async () =>
    expect((await log.get('/api/webhooks/deliveries')).items[0]).toMatchObject({ attemptCount: 2 }),
  );
  expect(await log.get(path)).toMatchObject({ state: 'enabled' });
  await clock.advance(1.3 * hour);
  await eventually(async () =>
    expect(await log.get(path)).toMatchObject({ state: 'disabled', disabledReason: 'failing' }),
  );
  const sent = sink.requests.length;
  await world.publish(tenant.event());
  await eventually(async () => expect((await log.get('/api/webhooks/deliveries?total=exact')).total).toBe(2));
  expect(sink.requests).toHaveLength(sent);
  sink.respond(() => ({ status: 200 }));
  await clock.advance(1.3 * hour);
  expect(await log.post(`${path}/enable`)).toMatchObject({
    state: 'enabled',
    failingSince: null,
    pausedUntil: null,
  });
  await eventually(async () =>
    expect((await log.get('/api/webhooks/deliveries?status=delivered&total=exact')).total).toBe(2),
  );
  await end();
});

it.each([400, 302])(
  'an endpoint that answers nothing but %s for five days is disabled too, without ever being paused',
  async (status) => {
    const { sink, tenant, log, path, end } = await failingEndpoint({ Failures: 1 });
    sink.respond(() => ({ status }));
    await world.publish(tenant.event());
    const attemptCount = (count: number) =>
      eventually(async () =>
        expect((await log.get('/api/webhooks/deliveries')).items[0]).toMatchObject({ attemptCount: count }),
      );
    await attemptCount(1);
    await clock.advance(5 * 24 * hour - 600);
    await attemptCount(2);
    expect(await log.get(path)).toMatchObject({ state: 'enabled', pausedUntil: null });
    await clock.advance(1.3 * hour);
    await eventually(async () =>
      expect(await log.get(path)).toMatchObject({ state: 'disabled', disabledReason: 'failing' }),
    );
    await end();
  },
);
