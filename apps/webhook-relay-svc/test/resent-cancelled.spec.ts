import { idAt } from '@canvass/postgres';
import { storeSettings } from '../src/endpoints/store-settings';
import { resend } from '../src/log/log.sql';
import { readDeliveries } from '../src/log/read-deliveries';
import { endpointAt, newTenant, startHarness, type Harness } from './harness';
import { box } from './lost-relay';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

it('lists have a delivery once that was cancelled without an attempt and is sent again', async () => {
  const tenant = newTenant(world.owner);
  const { tenantId } = tenant;
  const endpoints = [endpointAt('http://127.0.0.1:9/')];
  const ref = tenant.configure('SubmissionCompleted', endpoints);
  const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
  await storeSettings(world.db, box, { tenantId, ...ref, events });
  const id = idAt(new Date());
  await world.db.query(
    `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
     values ($1, 1, 'form_updated', 'form', 'updated', '{}', now())`,
    [tenantId],
  );
  await world.db.query(
    `insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, status,
       attempt_count, attempts)
     select $1, $2, 1, id, 'form_updated', 1, now(), now(), 'cancelled', 0, '{}' from endpoints where tenant_id = $1`,
    [tenantId, id],
  );
  const [endpoint] = await world.db.query<{ id: string }>('select id from endpoints where tenant_id = $1', [
    tenantId,
  ]);
  expect(await world.db.query(resend({ tenantId, endpointId: endpoint!.id, id }))).toEqual([
    { isRemoved: false, isDisabled: false, isResent: true },
  ]);
  expect(await readDeliveries(world.db, { tenantId }, { limit: 10, total: 'exact' })).toMatchObject({
    items: [{ id, status: 'pending' }],
    total: 1,
    totalIsExact: true,
  });
});
