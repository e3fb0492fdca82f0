import { client, startHarness, tenantOf, type Harness } from './harness';
import { endpointsOf, key, none, resolved, settings } from './settings-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

describe('identity of endpoints', () => {
  const urls = (...names: string[]) =>
    settings(...names.map((name) => ({ Url: `https://public.example/${name}`, Authentication: none })));

  const saved = async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const save = async (webHookSettingsJson: string) => {
      expect((await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson })).status).toBe(200);
      return resolved(test, tenant, ['form', id]);
    };
    const idsOf = async (text: string) => endpointsOf(await save(text)).map(({ endpointId }) => endpointId);
    return { save, idsOf };
  };

  it('is kept by the same URL wherever it stands; another URL is another endpoint', async () => {
    const { idsOf, save } = await saved();
    const [a, b] = await idsOf(urls('a', 'b'));
    expect(await idsOf(urls('b', 'a'))).toEqual([b, a]);
    const [b1, c] = await idsOf(urls('b', 'c'));
    expect(b1).toBe(b);
    expect([a, b]).not.toContain(c);
    expect(await idsOf(urls('c', 'b', 'd'))).toEqual([c, b, expect.any(String)]);
    const moved = await save(urls('b').replace('SubmissionCompleted', 'FormUpdated'));
    expect(moved.events.FormUpdated?.endpoints.map(({ endpointId }) => endpointId)).toEqual([b]);
  });

  it('changes with the header of the API key, but not with the key or when a key is added', async () => {
    const { idsOf } = await saved();
    const keyed = (...keys: [string, string][]) =>
      settings(
        ...keys.map(([value, header]) => ({
          Url: 'https://public.example/a',
          Authentication: key(value, header),
        })),
      );
    const first = await idsOf(urls('a'));
    expect(await idsOf(keyed(['one', 'X-Key']))).toEqual(first);
    expect(await idsOf(keyed(['two', 'x-key']))).toEqual(first);
    const other = await idsOf(keyed(['two', 'X-Other']));
    expect(other).not.toEqual(first);
    expect(await idsOf(keyed(['one', 'X-Key'], ['two', 'X-Other']))).toEqual([expect.any(String), ...other]);
    expect(other).not.toEqual(await idsOf(urls('a')));
  });

  it('makes a new version only of a change, keeps every old one, and never reuses a number', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form({ webHookSettingsJson: urls('a') });
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: urls('a') });
    const { version: first } = await resolved(test, tenant, ['form', id]);
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: urls('a') });
    expect((await resolved(test, tenant, ['form', id])).version).toBe(first);
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: null });
    const removal = await resolved(test, tenant, ['form', id]);
    expect(removal.events).toEqual({});
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: urls('z') });
    const { version: last } = await resolved(test, tenant, ['form', id]);
    const inOrder = [first, removal.version, last].map(BigInt);
    expect(inOrder[0]! < inOrder[1]! && inOrder[1]! < inOrder[2]!).toBe(true);
    expect(endpointsOf(await resolved(test, tenant, ['form', id], `versions/${first}`))[0]?.url).toBe(
      'https://public.example/a',
    );
  });
});

describe('the settings that events name', () => {
  it("are those in force after the change: the form's override, an empty one too, else the tenant's, else null", async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const patch = (body: object) => tenant.admin.patch(`/api/forms/${id}`, body);
    const put = (webHookSettingsJson: string | null) =>
      tenant.admin.put('/api/tenant/webhook-settings', { webHookSettingsJson });
    await put(settings({ Url: 'https://public.example/', Authentication: none }));
    await patch({});
    await patch({ webHookSettingsJson: '{}' });
    await tenant.admin.post(`/api/forms/${id}/submissions`, { isComplete: true });
    await patch({ webHookSettingsJson: null });
    await put(null);
    await tenant.admin.delete(`/api/forms/${id}`);
    const events = await test.events({ tenantId: tenant.id });
    const changes = events.filter(({ type }) => type.endsWith('.webhook_settings_changed'));
    const [ofTenant, ofForm, , withoutTenant] = changes.map(({ data }) => data) as { version: string }[];
    const tenantRef = { scope: 'tenant', scopeId: tenant.id, version: ofTenant!.version };
    const formRef = { scope: 'form', scopeId: id, version: ofForm!.version };
    expect(events.map(({ type, settings: named }) => [type, named])).toEqual([
      ['form.created', null],
      ['tenant.webhook_settings_changed', null],
      ['form.updated', tenantRef],
      ['form.webhook_settings_changed', null],
      ['form.updated', formRef],
      ['submission.completed', formRef],
      ['form.webhook_settings_changed', null],
      ['form.updated', tenantRef],
      ['tenant.webhook_settings_changed', null],
      ['form.deleted', null],
    ]);
    expect(events[3]).toMatchObject({
      entityId: id,
      revision: '3',
      data: formRef,
    });
    expect(events[8]).toMatchObject({
      entityId: tenant.id,
      revision: '2',
      data: { ...tenantRef, version: withoutTenant!.version },
    });
    expect(BigInt(withoutTenant!.version) > BigInt(ofTenant!.version)).toBe(true);
  });
});

describe('the internal endpoint', () => {
  it('answers other services only, on the internal port only', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form({ webHookSettingsJson: '{}' });
    const path = `/internal/tenants/${tenant.id}/webhook-settings/form/${id}/current`;
    const { url, internalUrl } = test.service;
    expect((await client(internalUrl).get(path)).status).toBe(401);
    expect(
      (await client(internalUrl, test.own.token({ tid: tenant.id, roles: ['Admin'] })).get(path)).status,
    ).toBe(401);
    expect((await client(url, test.internalToken()).get(path)).status).toBe(404);
    const service = client(internalUrl, test.internalToken());
    expect((await service.get(path)).status).toBe(200);
    expect((await service.get(path.replace(tenant.id, '77'))).status).toBe(404);
    expect((await service.get(path.replace('/current', '/versions/9'))).status).toBe(404);
  });
});
