import { eventually, listen } from '@canvass/testing';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** Twenty times as many as may be in flight for an endpoint. */
const events = 100;
/** Sweeps that nothing wakes are 8 to 12 s apart. */
const sweepIntervalMs = 10_000;

it.each([
  ['without jobs', false],
  ['with jobs', true],
])(
  'a backlog of an endpoint waits for its receiver, not for sweeps: %s',
  async (_name, deliverToJobQueue) => {
    const relay = await world.relay({ deliverToJobQueue, webHooks: { SweepIntervalMs: sweepIntervalMs } });
    const receivedAt: number[] = [];
    const receiver = await listen((request, response) => {
      receivedAt.push(performance.now());
      request.resume();
      setTimeout(() => response.writeHead(204).end(), 10 + 20 * Math.random());
    });
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(receiver.url)]);
    await Promise.all(Array.from({ length: events }, () => world.publish(tenant.event())));
    await eventually(() => expect(receivedAt).toHaveLength(events));
    const pauses = receivedAt.slice(1).map((at, n) => at - receivedAt[n]!);
    expect(Math.max(...pauses)).toBeLessThan(sweepIntervalMs / 2);
    await Promise.all([relay.stop(), receiver.close()]);
  },
);
