import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { endpointsOf, key, mask, none, resolved, settings } from './settings-calls';

let test: Harness;
beforeAll(async () => {
  const addresses = { 'public.example': ['93.184.215.14'], 'inside.example': ['10.0.0.7'] };
  test = await startHarness({
    resolver: (host) => {
      const found = Object.entries(addresses).find(([name]) => name === host);
      return found ? Promise.resolve(found[1]) : Promise.reject(new Error('no such host'));
    },
    quotas: { WebhookEndpoints: 2 },
  });
});
afterAll(() => test.close());

const structured = (...endpoints: object[]) => JSON.parse(settings(...endpoints)) as object;
const endpoint = (Url: string, Authentication: object = none) => ({ Url, Authentication });
const a = endpoint('https://public.example/a');

const pathOf = (formId: string) => `/api/forms/${formId}/webhook-settings`;
const typesOf = async (formId: string) => (await test.events({ entityId: formId })).map(({ type }) => type);
const faultsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  Object.keys((body['errors'] ?? {}) as object),
];

async function formOf(tenant: Tenant) {
  const formId = await tenant.form();
  return { formId, path: pathOf(formId) };
}

describe('the webhook settings of a form as a resource', () => {
  it('are read, replaced and removed, each with its revision as ETag', async () => {
    const tenant = tenantOf(test);
    const { formId, path } = await formOf(tenant);
    const none = await tenant.admin.get(path);
    expect([none.status, none.body, none.headers.get('etag')]).toEqual([
      200,
      { settings: null, revision: '0' },
      '"0"',
    ]);
    const saved = await tenant.admin.put(path, { settings: structured(a) }, { 'if-match': '"0"' });
    const revision = saved.body['revision'] as string;
    expect([saved.status, saved.body]).toEqual([200, { settings: structured(a), revision }]);
    expect(saved.headers.get('etag')).toBe(`"${revision}"`);
    expect((await tenant.admin.get(path)).body).toEqual(saved.body);
    expect((await tenant.admin.get(path, { 'if-none-match': `"${revision}"` })).status).toBe(304);
    const form = await tenant.admin.get(`/api/forms/${formId}`);
    expect(form.body).toMatchObject({ webHookSettingsJson: settings(a), revision: '2' });
    expect(endpointsOf(await resolved(test, tenant, ['form', formId])).map(({ url }) => url)).toEqual([
      a.Url,
    ]);

    expect((await tenant.admin.delete(path, { 'if-match': '"0"' })).status).toBe(412);
    expect((await tenant.admin.delete(path, { 'if-match': `"${revision}"` })).status).toBe(204);
    expect((await tenant.admin.get(path)).body).toEqual({ settings: null, revision: '0' });
    expect((await tenant.admin.delete(path)).status).toBe(204);
    expect(await typesOf(formId)).toEqual([
      'form.created',
      'form.webhook_settings_changed',
      'form.webhook_settings_changed',
    ]);
  });

  it('have a revision of their own: neither edit of the form nor equal settings change it', async () => {
    const tenant = tenantOf(test);
    const { formId, path } = await formOf(tenant);
    const saved = await tenant.admin.put(path, { settings: structured(a) });
    await tenant.admin.patch(`/api/forms/${formId}`, { name: 'Renamed' });
    const again = await tenant.admin.put(path, saved.body, { 'if-match': saved.headers.get('etag')! });
    expect([again.status, again.body]).toEqual([200, saved.body]);
    expect((await tenant.admin.get(`/api/forms/${formId}`)).body['revision']).toBe('3');
    const other = await tenant.admin.put(path, { settings: {} });
    expect(BigInt(other.body['revision'] as string) > BigInt(saved.body['revision'] as string)).toBe(true);
    expect(await typesOf(formId)).toEqual([
      'form.created',
      'form.webhook_settings_changed',
      'form.updated',
      'form.webhook_settings_changed',
    ]);
    const late = await tenant.admin.put(path, saved.body, { 'if-match': saved.headers.get('etag')! });
    expect([late.status, late.body['errorCode']]).toEqual([412, 'revision_mismatch']);
  });

  it('keep a masked key, show none, and record the change', async () => {
    const tenant = tenantOf(test);
    const { formId, path } = await formOf(tenant);
    const secret = structured(endpoint('https://public.example/a', key('s3cret-one')));
    const masked = structured(endpoint('https://public.example/a', key(mask)));
    const saved = await tenant.admin.put(path, { settings: secret });
    expect(saved.body['settings']).toEqual(masked);
    const again = await tenant.admin.put(path, { settings: masked });
    expect(again.body).toEqual(saved.body);
    const elsewhere = structured(endpoint('https://public.example/b', key(mask)));
    expect(faultsOf(await tenant.admin.put(path, { settings: elsewhere }))).toEqual([
      400,
      ['settings.Events.SubmissionCompleted.WebHookEndpoints[0].Authentication.ApiKey'],
    ]);
    const rows = await test.db.query<{ action: string; text: string }>(
      `select action, coalesce(before::text, '') || coalesce(after::text, '') as text
       from audit where tenant_id = $1 and object_id = $2 order by id`,
      [tenant.id, formId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['form.created', 'form.updated']);
    expect(rows[1]!.text).toContain(mask);
    expect(rows[1]!.text).not.toContain('s3cret-one');
  });

  it('name each fault below `settings`, and respect the quota of endpoints', async () => {
    const tenant = tenantOf(test);
    const { path } = await formOf(tenant);
    const put = async (body: object) => faultsOf(await tenant.admin.put(path, body));
    const url = 'settings.Events.SubmissionCompleted.WebHookEndpoints[0].Url';
    expect(await put({})).toEqual([400, ['settings']]);
    expect(await put({ settings: null })).toEqual([400, ['settings']]);
    expect(await put({ settings: structured(endpoint('/a')) })).toEqual([400, [url]]);
    expect(await put({ settings: structured(endpoint('https://inside.example/')) })).toEqual([400, [url]]);
    expect(await put({ settings: { Events: { Nothing: {} } }, x: 1 })).toEqual([
      400,
      ['settings.Events.Nothing', 'x'],
    ]);
    const long = endpoint('https://public.example/', { ...key('k'.repeat(4000)) });
    const many = Object.fromEntries(
      ['FormCreated', 'FormUpdated', 'FormDeleted', 'SubmissionCompleted'].map((name) => [
        name,
        { IsEnabled: true, WebHookEndpoints: Array.from({ length: 20 }, () => long) },
      ]),
    );
    expect(await put({ settings: { Events: many } })).toEqual([400, ['settings']]);
    const three = structured(a, endpoint('https://public.example/b'), endpoint('https://public.example/c'));
    const { status, body } = await tenant.admin.put(path, { settings: three });
    expect([status, body['errorCode']]).toEqual([403, 'quota_exceeded']);
    expect((await tenant.admin.get(path)).body['settings']).toBeNull();
  });

  it('are seen by those who may see webhooks, of a form that exists', async () => {
    const tenant = tenantOf(test);
    const { path } = await formOf(tenant);
    for (const role of ['Viewer', 'Integration'] as const) {
      const caller = tenant.as(role);
      expect((await caller.get(path)).status).toBe(403);
      expect((await caller.put(path, { settings: {} })).status).toBe(403);
      expect((await caller.delete(path)).status).toBe(403);
    }
    expect((await tenant.as('Editor').put(path, { settings: {} })).status).toBe(200);
    for (const missing of [pathOf('1')]) {
      expect((await tenant.admin.get(missing)).status).toBe(404);
      expect((await tenant.admin.put(missing, { settings: {} })).status).toBe(404);
      expect((await tenant.admin.delete(missing)).status).toBe(404);
    }
  });
});

describe('a check of webhook settings', () => {
  it('finds what a save would find, and saves nothing', async () => {
    const tenant = tenantOf(test);
    const check = (settings: object) => tenant.admin.post('/api/webhooks/settings/check', { settings });
    const masked = endpoint('https://public.example/a', key(mask));
    expect((await check(structured(a, masked, a))).status).toBe(204);
    expect((await check({})).status).toBe(204);
    const inside = structured(a, endpoint('https://inside.example/'), endpoint('ftp://public.example/'));
    expect(faultsOf(await check(inside))).toEqual([
      400,
      ['settings.Events.SubmissionCompleted.WebHookEndpoints[2].Url'],
    ]);
    expect(faultsOf(await check(structured(a, endpoint('https://inside.example/'))))).toEqual([
      400,
      ['settings.Events.SubmissionCompleted.WebHookEndpoints[1].Url'],
    ]);
    const viewer = await tenant.as('Viewer').post('/api/webhooks/settings/check', { settings: {} });
    expect(viewer.status).toBe(403);
    expect(await test.events({ tenantId: tenant.id })).toEqual([]);
  });
});
