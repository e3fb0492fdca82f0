import { walkByKey, type KeyPageReply } from '@canvass/testing';
import { newTenant, startHarness, tenantOf, client, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const types = (events: { type: string }[]) => events.map(({ type }) => type);

describe('POST /api/forms', () => {
  it('accepts the minimal body of the specification and fills in the defaults', async () => {
    const { admin, id: tenantId } = tenantOf(test);
    const { status, body, headers } = await admin.post('/api/forms', { name: 'Feedback', isEnabled: true });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/forms/${body['id']}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      answerCheck: 'report',
      name: 'Feedback',
      description: null,
      isEnabled: true,
      isPublic: true,
      limitOnePerUser: false,
      definition: {},
      submissionTokenExpiryHours: null,
      retentionDays: null,
      opensAt: null,
      closesAt: null,
      maxSubmissions: null,
      slug: null,
      page: null,
      dataListIds: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      modifiedAt: body['createdAt'],
      revision: '1',
      webHookSettingsJson: null,
    });
    const events = await test.events({ tenantId });
    expect(types(events)).toEqual(['form.created']);
    const { webHookSettingsJson: _, ...view } = body;
    expect(events[0]).toMatchObject({ entityId: body['id'], revision: '1', settings: null, data: view });
  });

  it('names every offending field at once', async () => {
    const { admin } = tenantOf(test);
    const { status, body } = await admin.post('/api/forms', {
      isEnabled: 'yes',
      definition: [1],
      dataListIds: ['x'],
      submissionTokenExpiryHours: 0,
      nmae: 'typo',
    });
    expect(status).toBe(400);
    expect(body['errorCode']).toBe('validation_failed');
    expect(Object.keys(body['errors'] as object).sort()).toEqual([
      'dataListIds[0]',
      'definition',
      'isEnabled',
      'name',
      'nmae',
      'submissionTokenExpiryHours',
    ]);
  });

  it('keeps list ids beyond 2^53 exactly', async () => {
    const { admin } = tenantOf(test);
    const dataListIds = ['9223372036854775807', '9007199254740993'];
    const { body } = await admin.post('/api/forms', { name: 'F', isEnabled: true, dataListIds });
    expect(body['dataListIds']).toEqual(dataListIds);
  });
});

describe('PUT and PATCH /api/forms/{formId}', () => {
  it('emits form_updated for every update, also for one that changes nothing', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const { status, body, headers } = await tenant.admin.patch(`/api/forms/${id}`, {});
    expect(status).toBe(200);
    expect(body['revision']).toBe('2');
    expect(headers.get('etag')).toBe('"2"');
    expect(types(await test.events({ entityId: id }))).toEqual(['form.created', 'form.updated']);
  });

  it('emits form_enabled_state_changed before form_updated with one revision, and only when the value changes', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form({ isEnabled: true });
    await tenant.admin.patch(`/api/forms/${id}`, { isEnabled: true });
    await tenant.admin.patch(`/api/forms/${id}`, { isEnabled: false });
    const events = await test.events({ entityId: id });
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['form.created', '1'],
      ['form.updated', '2'],
      ['form.enabled_state_changed', '3'],
      ['form.updated', '3'],
    ]);
    expect(events[2]?.data).toMatchObject({ isEnabled: false, revision: '3' });
  });

  it('replaces with PUT, changes with PATCH, and accepts the response of a GET', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form({
      description: 'kept',
      limitOnePerUser: true,
      definition: { b: 1, a: [2] },
    });
    const patched = await tenant.admin.patch(`/api/forms/${id}`, { name: 'New' });
    expect(patched.body).toMatchObject({
      name: 'New',
      description: 'kept',
      limitOnePerUser: true,
      definition: { b: 1, a: [2] },
    });
    const same = await tenant.admin.put(`/api/forms/${id}`, patched.body);
    expect(same.status).toBe(200);
    expect({ ...same.body, modifiedAt: '', revision: '' }).toEqual({
      ...patched.body,
      modifiedAt: '',
      revision: '',
    });
  });

  it('keeps members outside the specification when PUT omits them, and requires isEnabled', async () => {
    const tenant = tenantOf(test);
    const members = {
      isEnabled: false,
      isPublic: false,
      limitOnePerUser: true,
      description: 'kept',
      definition: { pages: [1] },
      dataListIds: ['5'],
      submissionTokenExpiryHours: 5,
    };
    const id = await tenant.form({ ...members, webHookSettingsJson: '{}' });
    const missing = await tenant.admin.put(`/api/forms/${id}`, { name: 'Renamed' });
    expect([missing.status, Object.keys(missing.body['errors'] as object)]).toEqual([400, ['isEnabled']]);
    const put = await tenant.admin.put(`/api/forms/${id}`, { name: 'Renamed', isEnabled: false });
    expect(put.body).toMatchObject({ ...members, name: 'Renamed', webHookSettingsJson: null });
    expect(types(await test.events({ entityId: id }))).not.toContain('form.enabled_state_changed');
  });

  it('honours If-Match', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const stale = await tenant.admin.patch(`/api/forms/${id}`, { name: 'x' }, { 'if-match': '"7"' });
    expect([stale.status, stale.body['errorCode']]).toEqual([412, 'revision_mismatch']);
    const fresh = await tenant.admin.patch(`/api/forms/${id}`, { name: 'x' }, { 'if-match': '"1"' });
    expect(fresh.status).toBe(200);
    const cached = await fetch(`${test.service.url}/api/public/forms/${id}`, {
      headers: { 'if-none-match': '"2"' },
    });
    expect(cached.status).toBe(304);
  });

  it('counts each of many concurrent updates once', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    await Promise.all(Array.from({ length: 20 }, () => tenant.admin.patch(`/api/forms/${id}`, {})));
    const revisions = (await test.events({ entityId: id })).map(({ revision }) => Number(revision));
    expect(revisions).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });
});

describe('turning the single-submission gate on', () => {
  it('is refused while a respondent holds two submissions, with their number, and works once they are gone', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const respondent = tenant.user();
    const path = `/api/forms/${id}/submissions`;
    await respondent.post(path, { isComplete: true });
    const second = await respondent.post(path, {});
    const refused = await tenant.admin.patch(`/api/forms/${id}`, { limitOnePerUser: true });
    expect([refused.status, refused.body['errorCode']]).toEqual([409, 'duplicate_submissions']);
    expect(refused.body).toMatchObject({ duplicateRespondents: 1, duplicateSubmissions: 2 });
    await tenant.admin.delete(`${path}/${second.body['id']}`);
    const accepted = await tenant.admin.patch(`/api/forms/${id}`, { limitOnePerUser: true });
    expect(accepted.status).toBe(200);
    expect((await respondent.post(path, {})).status).toBe(409);
  });
});

describe('GET, DELETE and lists', () => {
  it('deletes softly: the form and all of it are a 404 afterwards, and form_deleted is emitted', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const submission = await tenant.admin.post(`/api/forms/${id}/submissions`, {});
    const deleted = await tenant.admin.delete(`/api/forms/${id}`);
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    for (const path of [
      `/api/forms/${id}`,
      `/api/forms/${id}/submissions`,
      `/api/forms/${id}/submissions?limit=10`,
      `/api/forms/${id}/submissions/${submission.body['id']}`,
      `/api/forms/${id}/submissions/by-token/${submission.body['token']}`,
      `/api/public/forms/${id}`,
    ]) {
      expect([path, (await tenant.admin.get(path)).status]).toEqual([path, 404]);
    }
    expect((await tenant.admin.delete(`/api/forms/${id}`)).status).toBe(404);
    expect((await tenant.admin.post(`/api/forms/${id}/submissions`, {})).status).toBe(404);
    const events = await test.events({ entityId: id });
    expect(events.at(-1)).toMatchObject({ type: 'form.deleted', revision: '2' });
  });

  it('is read in both directions', async () => {
    const tenant = tenantOf(test);
    for (let index = 0; index < 5; index += 1) await tenant.form({ name: `Form ${index % 2}` });
    for (const search of ['', '&search=FORM%201']) {
      const list = async (page: string) =>
        (await tenant.admin.get<KeyPageReply<{ id: string }>>(`/api/forms?${page}${search}`)).body;
      const { items } = await list('limit=10');
      expect(items).toHaveLength(search === '' ? 5 : 2);
      const { forward, backward } = await walkByKey(list, 2);
      expect(forward).toEqual(items);
      expect(backward).toEqual(items);
      expect(await list('total=exact')).toMatchObject({ total: items.length, totalIsExact: true });
    }
    expect((await tenant.admin.get('/api/forms?after=x')).status).toBe(400);
  });

  it('lists chosen members, and what the list knows beside them', async () => {
    const tenant = tenantOf(test);
    const webHookSettingsJson = '{"Events":{}}';
    const ids = [await tenant.form(), await tenant.form({ webHookSettingsJson, description: 'x' })];
    const list = async (fields: string, caller = tenant.admin) =>
      (await caller.get<KeyPageReply<Record<string, unknown>>>(`/api/forms?limit=5&fields=${fields}`)).body
        .items;
    const [whole] = (await tenant.admin.get<KeyPageReply<object>>('/api/forms?limit=5')).body.items;
    expect((await list(Object.keys(whole!).join(',')))[0]).toEqual(whole);
    expect(await list('id')).toEqual([{ id: ids[1] }, { id: ids[0] }]);

    const { body: submission } = await client(test.service.url).post(`/api/forms/${ids[0]}/submissions`, {});
    expect(await list('lastSubmissionAt,submissionsCount,webhookSource')).toEqual([
      { lastSubmissionAt: null, submissionsCount: 0, webhookSource: 'form' },
      { lastSubmissionAt: submission['createdAt'], submissionsCount: 1, webhookSource: 'none' },
    ]);
    expect((await list('webhookSource,webHookSettingsJson', tenant.as('Viewer')))[0]).toEqual({
      webhookSource: null,
      webHookSettingsJson: null,
    });
    expect((await tenant.admin.get('/api/forms?fields=id,secrets')).status).toBe(400);
  });

  it('lists the newest first, found by a text within the name', async () => {
    const tenant = tenantOf(test);
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push(await tenant.form({ name: `Form ${index}` }));
    const first = await tenant.admin.get('/api/forms?limit=2');
    expect((first.body['items'] as { id: string }[]).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const found = await tenant.admin.get('/api/forms?search=FORM%201');
    expect((found.body['items'] as { id: string }[]).map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('shows webhook settings to callers with WebHooks.View only', async () => {
    const tenant = tenantOf(test);
    const secretUrl = 'https://93.184.215.14/hook?key=secret';
    const endpoint = { Url: secretUrl, Authentication: { Type: 'None' } };
    const webHookSettingsJson = JSON.stringify({
      Events: { FormUpdated: { IsEnabled: true, WebHookEndpoints: [endpoint] } },
    });
    const id = await tenant.form({ webHookSettingsJson });
    const viewer = tenant.as('Viewer');
    for (const path of [`/api/forms/${id}`, '/api/forms']) {
      expect(JSON.stringify((await tenant.as('Editor').get(path)).body)).toContain(secretUrl);
      expect(JSON.stringify((await viewer.get(path)).body)).not.toContain('93.184.215.14');
    }
    expect((await viewer.get(`/api/forms/${id}`)).body['webHookSettingsJson']).toBeNull();
  });

  it('asks for the permission of each verb', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const viewer = tenant.as('Viewer');
    expect((await viewer.get(`/api/forms/${id}`)).status).toBe(200);
    expect((await viewer.post('/api/forms', { name: 'x', isEnabled: true })).status).toBe(403);
    expect((await viewer.patch(`/api/forms/${id}`, {})).status).toBe(403);
    expect((await viewer.delete(`/api/forms/${id}`)).status).toBe(403);
    expect((await client(test.service.url).get(`/api/forms/${id}`)).status).toBe(401);
    expect((await tenantOf(test, newTenant()).admin.get(`/api/forms/${id}`)).status).toBe(404);
  });
});
