import { lostRelay, settledTenant } from './lost-relay';
import { startHarness, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** A relay without room, so that what it fans out is left to jobs. */
async function relayWithoutRoom() {
  const relay = lostRelay(world.db, { maxInFlight: 1 });
  await relay.leases.close();
  return relay;
}

it('an event that arrives twice at the same time makes one job', async () => {
  const tenant = await settledTenant(world, 'http://127.0.0.1/');
  const { take } = await relayWithoutRoom();
  const event = tenant.event();
  const jobs = await Promise.all([take(event), take(event)]);
  expect(jobs.flat()).toHaveLength(1);
});

it('a job that arrives twice at the same time takes one slot of its endpoint', async () => {
  const tenant = await settledTenant(world, 'http://127.0.0.1/');
  const { take } = await relayWithoutRoom();
  const [job] = await take(tenant.event());
  const { leases } = lostRelay(world.db);
  expect(await leases.byIds([job!, job!])).toHaveLength(1);
  expect(
    await world.db.query('select in_flight from endpoints where tenant_id = $1', [tenant.tenantId]),
  ).toEqual([{ in_flight: 1 }]);
});
