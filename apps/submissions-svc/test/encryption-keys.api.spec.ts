import { eventually } from '@canvass/testing';
import { newEncryptionKey, startHarness, tenantOf, type Harness } from './harness';
import { endpointsOf, key, none, resolved, settings } from './settings-calls';

const running: Harness[] = [];
const start = async (encryptionKeys: string[]) => {
  const [first] = running;
  const started = await startHarness({
    encryptionKeys,
    allowedNetworks: ['127.0.0.0/8'],
    ...(first ? { databaseOf: first.databaseUrl } : {}),
  });
  running.push(started);
  return started;
};
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

const withKey = (text: string) => ({
  webHookSettingsJson: settings(
    { Url: 'http://127.0.0.1/a', Authentication: key(text) },
    { Url: 'http://127.0.0.1/b', Authentication: none },
  ),
});

/** Ids of the encryption keys that sealed anything which is kept. */
const keysInUse = async ({ db }: Harness) => {
  const rows = await db.query<{ id: string }>(`
    select distinct m[1] as id from (
      select web_hook_settings_json as t from forms union all select web_hook_settings_json from tenant_settings
      union all select events::text from webhook_settings_versions
      union all select '"' || private_key || '"' from form_access_keys) kept,
      regexp_matches(t, '"v1\\.([^.]+)\\.', 'g') m`);
  return rows.map(({ id }) => id);
};

it('re-encrypts values sealed with an old key, so that the old key can be removed', async () => {
  const [old, fresh] = [newEncryptionKey('old'), newEncryptionKey('new')];
  const before = await start([old]);
  const tenant = tenantOf(before);
  expect((await tenant.admin.put('/api/tenant/webhook-settings', withKey('of the tenant'))).status).toBe(200);
  const formId = await tenant.form(withKey('of the form'));
  await tenant.form(); // without an override
  const form = await tenant.admin.get(`/api/forms/${formId}`);
  const events = await before.events({ tenantId: tenant.id });
  expect(await keysInUse(before)).toEqual(['old']);

  const between = await start([fresh, old]);
  await eventually(async () => expect(await keysInUse(between)).toEqual(['new']));

  const after = await start([fresh]);
  const keysOf = async (...place: ['form' | 'tenant', string]) =>
    endpointsOf(await resolved(after, tenant, place)).map(({ authentication }) => authentication);
  const authentication = (apiKey: string) => ({ type: 'ApiKey', header: 'X-Api-Key', apiKey });
  expect(await keysOf('tenant', tenant.id)).toEqual([authentication('of the tenant'), { type: 'None' }]);
  expect(await keysOf('form', formId)).toEqual([authentication('of the form'), { type: 'None' }]);
  // No change is visible.
  expect(await tenant.admin.get(`/api/forms/${formId}`)).toMatchObject({ body: form.body });
  expect(await before.events({ tenantId: tenant.id })).toEqual(events);
});
