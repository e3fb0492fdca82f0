import { eventually, listen } from '@canvass/testing';
import { api } from './api';
import { worstWindow } from './proofs/windows';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** A receiver that remembers when each message came. */
async function receiver() {
  const received: { id: string; at: number }[] = [];
  const server = await listen((request, response) => {
    received.push({ id: String(request.headers['webhook-id']), at: performance.now() });
    request.resume().on('end', () => response.writeHead(204).end());
  });
  return { ...server, received };
}

/** Low, so that a machine that stands still for seconds leaves some of them to be sent. */
const limit = 2;

describe('the rate limit of an endpoint', () => {
  it.each([
    ['without jobs', false],
    ['with jobs', true],
  ])(
    'holds across two relays, loses nothing, and does not delay other endpoints: %s',
    async (_name, deliverToJobQueue) => {
      const relays = await Promise.all([
        world.relay({ deliverToJobQueue }),
        world.relay({ deliverToJobQueue }),
      ]);
      const [slow, quick] = await Promise.all([receiver(), receiver()]);
      const tenant = newTenant(world.owner);
      const endpoints = [endpointAt(slow.url), endpointAt(quick.url)];
      tenant.configure('SubmissionCompleted', endpoints);
      const path = `/api/webhooks/endpoints/${endpoints[0]!.endpointId}`;
      const calls = api(world, relays[0]!.url, tenant);
      await world.publish(tenant.settingsChanged());
      await eventually(async () =>
        expect((await calls.get('/api/webhooks/endpoints?total=exact')).total).toBe(2),
      );
      expect(await calls.patch(path, 200, { maxPerSecond: limit })).toMatchObject({ maxPerSecond: limit });

      const events = Array.from({ length: 15 }, () => tenant.event());
      await Promise.all(events.map((event) => world.publish(event)));
      const ids = events.map(({ id }) => id).sort();
      await eventually(() => expect(quick.received).toHaveLength(ids.length));
      expect(slow.received.length).toBeLessThan(ids.length);
      await eventually(() => expect(slow.received).toHaveLength(ids.length));
      expect(slow.received.map(({ id }) => id).sort()).toEqual(ids);
      expect(worstWindow(slow.received.map(({ at }) => at))).toBeLessThanOrEqual(limit + 1);

      const metrics = await Promise.all(
        relays.map(async ({ internalUrl }) => (await fetch(`${internalUrl}/metrics`)).text()),
      );
      expect(metrics.join()).toMatch(/webhook_throttled_total\{turn="awaited"[^}]*\} [1-9]/);
      await Promise.all([...relays.map((relay) => relay.stop()), slow.close(), quick.close()]);
    },
  );

  it('is set with WebHooks.Manage, validated, limited to the own tenant, survives edits and can be removed', async () => {
    const relay = await world.relay();
    const tenant = newTenant(world.owner);
    const endpoint = endpointAt('http://127.0.0.1:9/');
    tenant.configure('SubmissionCompleted', [endpoint]);
    const calls = api(world, relay.url, tenant);
    const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
    await world.publish(tenant.settingsChanged());
    await eventually(async () => expect(await calls.get(path)).toMatchObject({ maxPerSecond: null }));

    await calls.patch(path, 200, { maxPerSecond: 10 });
    for (const maxPerSecond of [0, 1_001, 1.5, '10 ']) await calls.patch(path, 400, { maxPerSecond });
    expect(await calls.patch(path, 200, {})).toMatchObject({ maxPerSecond: 10 });
    await api(world, relay.url, tenant, ['Viewer']).patch(path, 403, { maxPerSecond: 1 });
    await api(world, relay.url, newTenant(world.owner)).patch(path, 404, { maxPerSecond: 1 });

    tenant.configure('FormUpdated', [endpoint]);
    await world.publish(tenant.settingsChanged());
    await eventually(async () =>
      expect(await calls.get(path)).toMatchObject({ events: ['form_updated'], maxPerSecond: 10 }),
    );
    expect(await calls.patch(path, 200, { maxPerSecond: null })).toMatchObject({ maxPerSecond: null });
    await relay.stop();
  });
});
