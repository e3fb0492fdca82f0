import { startHarness, type Harness } from './harness';
import { lostRelay, settledTenant } from './lost-relay';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

it('an event for an endpoint that is due already does not write its row', async () => {
  const tenant = await settledTenant(world, 'http://127.0.0.1:1/');
  const { take, claimed } = lostRelay(world.db, { maxInFlight: 2 });
  const versions = () =>
    world.db.query('select ctid::text, first_due from endpoints where tenant_id = $1', [tenant.tenantId]);
  await take(tenant.event()); // the share of the tenant
  await take(tenant.event());
  expect(claimed).toHaveLength(1);
  const due = await versions();
  expect(due).toEqual([expect.objectContaining({ first_due: expect.any(Date) })]);
  await take(tenant.event());
  expect(await versions()).toEqual(due);
});
