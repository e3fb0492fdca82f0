import { eventually, listen, webhookSink } from '@canvass/testing';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

const queued = 300;
const slotsOfAnEndpoint = 5;

it.each([
  ['without jobs', false],
  ['with jobs', true],
])(
  'an endpoint that hangs holds its own slots and nothing else, however much waits for it: %s',
  async (_name, deliverToJobQueue) => {
    // A tenant may hold half of the room: were its endpoint to hold more, nothing else would be sent.
    const relay = await world.relay({
      deliverToJobQueue,
      webHooks: { MaxInFlight: 2 * slotsOfAnEndpoint, TimeoutSeconds: 40, LeaseSeconds: 45 },
    });
    const hanging = await listen(() => undefined);
    const sink = await webhookSink();
    const [stuck, well] = [newTenant(world.owner), newTenant(world.owner)];
    stuck.configure('SubmissionCompleted', [endpointAt(hanging.url)]);
    well.configure('SubmissionCompleted', [endpointAt(sink.url), endpointAt(`${sink.url}/2`)]);
    const countOf = async (rows: string) => {
      const [row] = await world.db.query<{ count: string }>(`select count(*) from ${rows}`);
      return Number(row!.count);
    };
    await Promise.all(Array.from({ length: queued }, () => world.publish(stuck.event())));
    const ofStuck = `where tenant_id = ${stuck.tenantId}`;
    await eventually(async () => expect(await countOf(`waiting ${ofStuck}`)).toBe(queued));
    await eventually(async () => expect(await world.leased(stuck.tenantId)).toBe(slotsOfAnEndpoint));

    const events = Array.from({ length: 30 }, () => well.event());
    await Promise.all(events.map((event) => world.publish(event)));
    await eventually(() => expect(sink.requests).toHaveLength(2 * events.length));
    // It still hangs: none of its deliveries has ended, and it has no more of them in flight than before.
    expect(await countOf(`deliveries ${ofStuck}`)).toBe(0);
    expect(await world.leased(stuck.tenantId)).toBe(slotsOfAnEndpoint);
    await hanging.close();
    await sink.close();
    await relay.stop();
  },
);
