import type { SubmissionsConfig } from '../src/config';
import { operate } from '../src/operate';
import { startHarness, tenantOf, type Harness } from './harness';
import { endpointsOf, none, resolved, settings } from './settings-calls';

let test: Harness;
beforeEach(async () => {
  test = await startHarness();
});
afterEach(() => test.close());

/** Runs `ops …` on the command line. Returns what it writes to the screen. */
async function ops(...argv: string[]): Promise<string> {
  let said = '';
  const config = {
    Database: { Url: test.databaseUrl },
    Quotas: {},
  } as Pick<SubmissionsConfig, 'Database' | 'Quotas'>;
  const screen = { write: (text: string) => (said += text) };
  expect(await operate([...argv, '--yes'], config, { output: { write: () => true }, screen })).toBe(0);
  return said;
}

const oneEndpoint = settings({ Url: 'https://public.example/a', Authentication: none });

it('ops resync forms sends each form as it is, and then a mark per tenant', async () => {
  const [one, other] = [tenantOf(test), tenantOf(test)];
  const id = await one.form({ name: 'First' });
  await one.admin.patch(`/api/forms/${id}`, { name: 'Second' });
  const deleted = await one.form();
  await one.admin.delete(`/api/forms/${deleted}`);
  // One after another: on a busy machine, so many at once wait too long for a connection.
  const many: string[] = [];
  while (many.length < 201) many.push(await other.form());
  await test.db.query('delete from outbox');

  expect(await ops('resync', 'forms')).toContain('Sent 202 forms of 2 tenants.');
  const events = await test.events({ tenantId: one.id });
  expect(events).toMatchObject([
    { type: 'form.resynced', entityId: id, revision: '2', settings: null, data: { id, name: 'Second' } },
    { type: 'tenant.forms_resynced', entityId: one.id, revision: '1' },
  ]);
  const eventIds = await test.db.query<{ id: string }>(
    `select event_id as id from outbox where event_type = 'form.resynced'`,
  );
  const { since } = events[1]!.data as { since: string };
  expect(eventIds.every((event) => BigInt(event.id) > BigInt(since))).toBe(true);
  const others = await test.events({ tenantId: other.id });
  expect(new Set(others.slice(0, -1).map(({ entityId }) => entityId))).toEqual(new Set(many));
});

it('ops resync settings sends the settings in force as newer versions, with the same endpoints', async () => {
  const tenant = tenantOf(test);
  const id = await tenant.form({ webHookSettingsJson: oneEndpoint });
  const without = await tenant.form();
  await tenant.admin.put('/api/tenant/webhook-settings', { webHookSettingsJson: oneEndpoint });
  await tenant.admin.put('/api/tenant/webhook-settings', { webHookSettingsJson: null });
  const before = await resolved(test, tenant, ['form', id]);
  const tenantBefore = await resolved(test, tenant, ['tenant', tenant.id]);
  await test.db.query('delete from outbox');

  expect(await ops('resync', 'settings')).toContain('Sent the settings of 1 tenants and 1 forms.');
  const after = await resolved(test, tenant, ['form', id]);
  const tenantAfter = await resolved(test, tenant, ['tenant', tenant.id]);
  expect(BigInt(after.version) > BigInt(before.version)).toBe(true);
  expect(BigInt(tenantAfter.version) > BigInt(tenantBefore.version)).toBe(true);
  expect(endpointsOf(after)).toEqual(endpointsOf(before));
  expect(tenantAfter.events).toEqual({});
  const refs = [
    { scope: 'tenant', scopeId: tenant.id, version: tenantAfter.version },
    { scope: 'form', scopeId: id, version: after.version },
  ];
  const resynced = await test.events({ tenantId: tenant.id });
  expect(resynced.slice(0, -1)).toMatchObject(
    refs.map((data) => ({ type: `${data.scope}.webhook_settings_changed`, data })),
  );
  // The last event names all that have settings. None of the new versions is older than its mark.
  const last = resynced.at(-1)!;
  expect(last).toMatchObject({ type: 'tenant.settings_resynced', entityId: tenant.id, settings: null });
  const { since, scopeIds } = last.data as { since: string; scopeIds: string[] };
  expect([...scopeIds].sort()).toEqual([tenant.id, id].sort());
  for (const { version } of refs) expect(BigInt(version) > BigInt(since)).toBe(true);
  for (const { version } of [before, tenantBefore]) expect(BigInt(version) < BigInt(since)).toBe(true);

  // Later events name the new version of the form; the removal of the tenant's settings stays.
  await test.db.query('delete from outbox');
  for (const form of [id, without]) await tenant.admin.patch(`/api/forms/${form}`, {});
  expect((await test.events({ tenantId: tenant.id })).map((event) => event.settings)).toEqual([
    refs[1],
    null,
  ]);
});

it('ops outbox republish puts published events back into the outbox, with their ids, and is recorded', async () => {
  const tenant = tenantOf(test);
  const id = await tenant.form();
  const idsIn = async (table: string) =>
    (
      await test.db.query<{ id: string }>(
        `select event_id as id from ${table} where tenant_id = $1 order by id`,
        [tenant.id],
      )
    ).map((event) => event.id);
  const published = await idsIn('outbox');
  await test.db.query(
    `with gone as (delete from outbox where tenant_id = $1 returning *)
     insert into outbox_published (id, event_id, event_type, tenant_id, entity, entity_id, form_id, revision, data, created_at)
     select id, event_id, event_type, tenant_id, entity, entity_id, form_id, revision, data, created_at from gone`,
    [tenant.id],
  );
  const since = '2026-01-01T00:00:00Z';
  expect(await ops('outbox', 'republish', '--since', since)).toContain(
    `submissions-svc: ${published.length} events are sent again.`,
  );
  expect(await idsIn('outbox')).toEqual(published);
  expect(await idsIn('outbox_published')).toEqual([]);
  expect(await test.events({ entityId: id })).toMatchObject([{ type: 'form.created', revision: '1' }]);
  expect(await test.db.query(`select after from audit where action = 'ops.outbox_republish'`)).toEqual([
    { after: { since } },
  ]);
});
