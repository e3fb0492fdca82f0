import { behindLock } from '@canvass/testing';
import { startHarness, type Harness } from './harness';
import { lostRelay, settledTenant } from './lost-relay';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** A tenant whose endpoint has a due delivery, and whose share of the relay is in flight. */
async function dueTenant() {
  const tenant = await settledTenant(world, 'http://127.0.0.1:1/');
  const { take, claimed } = lostRelay(world.db, { maxInFlight: 2 });
  await take(tenant.event());
  await take(tenant.event());
  expect(claimed).toHaveLength(1);
  const endpoint = () =>
    world.db.query('select ctid::text as version, first_due from endpoints where tenant_id = $1', [
      tenant.tenantId,
    ]);
  expect(await endpoint()).toEqual([expect.objectContaining({ first_due: expect.any(Date) })]);
  return { tenant, endpoint, take: () => take(tenant.event()) };
}

it('an event for an endpoint that is due already does not write its row', async () => {
  const { endpoint, take } = await dueTenant();
  const before = await endpoint();
  await take();
  expect(await endpoint()).toEqual(before);
});

it('an event makes its endpoint due, also if the due time is cleared while it waits for the lock', async () => {
  const { tenant, endpoint, take } = await dueTenant();
  const own = [tenant.tenantId];
  await behindLock(
    world.db,
    (tx) => tx.query('select from endpoints where tenant_id = $1 for update', own),
    [take],
    (tx) => tx.query('update endpoints set first_due = null where tenant_id = $1', own),
  );
  expect(await endpoint()).toEqual([expect.objectContaining({ first_due: expect.any(Date) })]);
});
