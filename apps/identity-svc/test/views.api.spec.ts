import { newUser, startHarness, type Harness, type Reply } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

interface Person {
  id: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** A tenant with persons of these roles. */
async function people(...roles: string[]): Promise<{ admin: Person; others: Person[] }> {
  const { token, adminId } = await test.newTenant();
  const personOf = (id: string, own: string): Person => ({
    id,
    call: (method, path, body, headers = {}) => test.call(method, path, { token: own, body, headers }),
  });
  const others: Person[] = [];
  for (const role of roles) {
    const { id, ...login } = await newUser(test, token, { roles: [role] });
    const { body } = await test.call('POST', '/api/auth/login', { body: login });
    others.push(personOf(id, String(body['accessToken'])));
  }
  return { admin: personOf(adminId, token), others };
}

const settings = { columns: ['status', 'a.b'], nothing: null, filter: ['status:new'] };
const viewOf = (members: object = {}) => ({ screen: 'submissions', name: 'To review', settings, ...members });
const path = '/api/views';

const namesOf = async ({ call }: Person, query = '') => {
  const { status, body } = await call('GET', `${path}?limit=200${query}`);
  expect(status).toBe(200);
  return (body['items'] as { name: string }[]).map(({ name }) => name);
};
const made = async ({ call }: Person, members: object = {}) => {
  const { status, body } = await call('POST', path, viewOf(members));
  expect([status, body['errors']]).toEqual([201, undefined]);
  return body as Record<string, unknown> & { id: string; revision: string };
};
const errorsOf = ({ status, body }: Reply) => [status, Object.keys((body['errors'] ?? {}) as object).sort()];

describe('a saved view', () => {
  it('is created, read, changed and deleted by its owner', async () => {
    const { admin } = await people();
    const created = await admin.call('POST', path, viewOf({ scopeId: '77' }));
    const { id, revision } = created.body as { id: string; revision: string };
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({
        screen: 'submissions',
        scopeId: '77',
        name: 'To review',
        visibility: 'me',
        isDefault: false,
        settings,
        isOwn: true,
        revision: '1',
      }),
    ]);
    expect(created.headers.get('location')).toBe(`${path}/${id}`);
    const read = await admin.call('GET', `${path}/${id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([created.body, `"${revision}"`]);
    const change = { ...read.body, name: 'Renamed' };
    const changed = await admin.call('PATCH', `${path}/${id}`, change, { 'if-match': '"1"' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...created.body, name: 'Renamed', revision: '2', modifiedAt: expect.any(String) as unknown },
    ]);
    expect((await admin.call('PATCH', `${path}/${id}`, {}, { 'if-match': '"1"' })).status).toBe(412);
    expect((await admin.call('DELETE', `${path}/${id}`, undefined, { 'if-match': '"1"' })).status).toBe(412);
    expect((await admin.call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await admin.call('GET', `${path}/${id}`)).status).toBe(404);
  });

  it('is seen by its owner only, or by the whole tenant, never by another tenant', async () => {
    const { admin, others } = await people('Viewer', 'Editor');
    const [viewer, editor] = others as [Person, Person];
    const { admin: stranger } = await people();
    const own = await made(viewer, { name: 'Own' });
    const shared = await made(editor, { name: 'Shared', visibility: 'tenant' });
    expect(await namesOf(viewer)).toEqual(['Shared', 'Own']);
    expect(await namesOf(admin)).toEqual(['Shared']);
    expect(await namesOf(stranger)).toEqual([]);
    expect((await admin.call('GET', `${path}/${shared.id}`)).body).toMatchObject({ isOwn: false });
    for (const [caller, { id }] of [
      [admin, own],
      [stranger, own],
      [stranger, shared],
    ] as const) {
      expect((await caller.call('GET', `${path}/${id}`)).status).toBe(404);
      expect((await caller.call('PATCH', `${path}/${id}`, { name: 'x' })).status).toBe(404);
      expect((await caller.call('DELETE', `${path}/${id}`)).status).toBe(404);
    }
    expect(await namesOf(viewer)).toEqual(['Shared', 'Own']);
  });

  it('for the tenant needs Forms.Edit; made private, it belongs to who did that', async () => {
    const { admin, others } = await people('Viewer', 'Editor');
    const [viewer, editor] = others as [Person, Person];
    expect((await viewer.call('POST', path, viewOf({ visibility: 'tenant' }))).status).toBe(403);
    const own = await made(viewer);
    expect((await viewer.call('PATCH', `${path}/${own.id}`, { visibility: 'tenant' })).status).toBe(403);
    const { id } = await made(editor, { visibility: 'tenant', name: 'Shared' });
    expect((await viewer.call('PATCH', `${path}/${id}`, { name: 'x' })).status).toBe(403);
    expect((await viewer.call('DELETE', `${path}/${id}`)).status).toBe(403);
    const taken = await admin.call('PATCH', `${path}/${id}`, { visibility: 'me' });
    expect(taken.body).toMatchObject({ visibility: 'me', isOwn: true });
    expect((await editor.call('GET', `${path}/${id}`)).status).toBe(404);
  });

  it('is the only default of its owner, or of the tenant, for its list', async () => {
    const { admin } = await people();
    const a = await made(admin, { name: 'a', isDefault: true });
    const elsewhere = await made(admin, { name: 'scope', isDefault: true, scopeId: '7' });
    const shared = await made(admin, { name: 'shared', isDefault: true, visibility: 'tenant' });
    const isDefault = async ({ id }: { id: string }) =>
      (await admin.call('GET', `${path}/${id}`)).body['isDefault'];
    const all = async () => Promise.all([a, elsewhere, shared].map(isDefault));
    expect(await all()).toEqual([true, true, true]);
    const b = await made(admin, { name: 'b', isDefault: true });
    expect([await isDefault(b), ...(await all())]).toEqual([true, false, true, true]);
    expect((await admin.call('PATCH', `${path}/${shared.id}`, { visibility: 'me' })).status).toBe(200);
    expect([await isDefault(b), ...(await all())]).toEqual([false, false, true, true]);
    const together = await Promise.all(
      [a, b, shared].map(({ id }) => admin.call('PATCH', `${path}/${id}`, { isDefault: true })),
    );
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await Promise.all([a, b, shared].map(isDefault))).filter(Boolean)).toHaveLength(1);
  });

  it('is found by its list, page by page, and made once with an Idempotency-Key', async () => {
    const { admin } = await people();
    await made(admin, { name: '1' });
    await made(admin, { name: '2', screen: 'forms' });
    await made(admin, { name: '3', scopeId: '7' });
    expect(await namesOf(admin, '&screen=submissions')).toEqual(['3', '1']);
    expect(await namesOf(admin, '&scopeId=7')).toEqual(['3']);
    const first = (await admin.call('GET', `${path}?limit=2&total=exact`)).body;
    expect(first).toMatchObject({ total: 3, items: [{ name: '3' }, { name: '2' }] });
    expect(await namesOf(admin, `&after=${String(first['next'])}`)).toEqual(['1']);
    const keyed = { 'idempotency-key': 'one' };
    const twice = [
      await admin.call('POST', path, viewOf(), keyed),
      await admin.call('POST', path, viewOf(), keyed),
    ];
    expect(twice[0]!.body).toEqual(twice[1]!.body);
    expect(await namesOf(admin)).toHaveLength(4);
  });

  it('has limits of size and number', async () => {
    const { admin, others } = await people('Viewer', 'Respondent');
    const [viewer, respondent] = others as [Person, Person];
    expect((await respondent.call('POST', path, viewOf())).status).toBe(403);
    expect((await respondent.call('GET', path)).status).toBe(403);
    const large = { settings: { text: 'x'.repeat(16 * 1024) } };
    expect(errorsOf(await viewer.call('POST', path, viewOf(large)))).toEqual([400, ['settings']]);
    const odd = {
      screen: 'A b',
      scopeId: 'x',
      name: ' ',
      visibility: 'all',
      isDefault: 1,
      settings: [],
      x: 1,
    };
    expect(errorsOf(await viewer.call('POST', path, odd))).toEqual([400, Object.keys(odd).sort()]);
    expect(errorsOf(await viewer.call('POST', path, {}))).toEqual([400, ['name', 'screen', 'settings']]);
    for (let n = 0; n < 100; n += 1) await made(viewer, { name: `v${n}` });
    const more = await viewer.call('POST', path, viewOf());
    expect([more.status, more.body['errorCode']]).toEqual([409, 'conflict']);
    await made(admin);
  });
});

describe('preferences', () => {
  const own = '/api/auth/me/preferences';

  it('are of one person, with a revision', async () => {
    const { admin, others } = await people('Viewer', 'Respondent');
    const [viewer, respondent] = others as [Person, Person];
    const none = await admin.call('GET', own);
    expect([none.body, none.headers.get('etag')]).toEqual([{ settings: {}, revision: '0' }, '"0"']);
    const saved = await admin.call('PUT', own, { settings }, { 'if-match': '"0"' });
    expect([saved.status, saved.body]).toEqual([200, { settings, revision: '1' }]);
    expect((await admin.call('PUT', own, saved.body, { 'if-match': '"0"' })).status).toBe(412);
    expect((await admin.call('PUT', own, saved.body, { 'if-match': '"x"' })).status).toBe(412);
    expect((await admin.call('PUT', own, saved.body, { 'if-match': '"1"' })).body['revision']).toBe('2');
    expect((await viewer.call('GET', own)).body).toEqual({ settings: {}, revision: '0' });
    expect((await viewer.call('PUT', own, { settings: {} }, { 'if-match': '"7"' })).status).toBe(412);
    expect((await respondent.call('PUT', own, { settings: {} })).status).toBe(403);
    const large = { settings: { text: 'x'.repeat(16 * 1024) }, x: 1 };
    expect(errorsOf(await viewer.call('PUT', own, large))).toEqual([400, ['settings', 'x']]);
  });

  it('and own views go with the user; views of the tenant stay', async () => {
    const { admin, others } = await people('Editor');
    const [editor] = others as [Person];
    await editor.call('PUT', own, { settings });
    await made(editor, { name: 'Own' });
    await made(editor, { name: 'Shared', visibility: 'tenant' });
    expect((await admin.call('DELETE', `/api/users/${editor.id}`)).status).toBe(204);
    const rows = await test.db.query(
      `select name from views where owner_subject = $1 union all
       select settings::text from preferences where owner_subject = $1`,
      [editor.id],
    );
    expect(rows).toEqual([{ name: 'Shared' }]);
  });
});

it('records what is done to the views of the tenant, and not to those of a person', async () => {
  const { admin, others } = await people('Editor');
  const editor = others[0]!;
  const secret = { filter: ['submitterDisplayId:Ada Lovelace'] };
  const own = await made(editor, { name: 'Mine' });
  await editor.call('PATCH', `${path}/${own['id']}`, { name: 'Still mine' });
  const shared = await made(editor, { visibility: 'tenant', settings: secret });
  const one = `${path}/${shared['id']}`;
  await editor.call('PATCH', one, { name: 'Lovelace', settings });
  await editor.call('PATCH', one, { visibility: 'me' });
  await editor.call('PATCH', one, { isDefault: true });
  await editor.call('PATCH', one, { visibility: 'tenant' });
  await admin.call('DELETE', one);
  await editor.call('DELETE', `${path}/${own['id']}`);
  const { body } = await admin.call('GET', '/api/audit?area=identity&objectType=view');
  const items = body['items'] as { action: string; actor: { subject: string }; object: object }[];
  expect(items.reverse()).toMatchObject([
    { action: 'view.created', before: null, after: { visibility: 'tenant' } },
    { action: 'view.updated', before: { visibility: 'tenant' }, after: { visibility: 'tenant' } },
    { action: 'view.updated', before: { visibility: 'tenant' }, after: { visibility: 'me' } },
    { action: 'view.updated', before: { visibility: 'me' }, after: { visibility: 'tenant' } },
    { action: 'view.deleted', before: { visibility: 'tenant' }, after: null },
  ]);
  expect(items.map(({ actor }) => actor.subject)).toEqual([...Array(4).fill(editor.id), admin.id]);
  expect(new Set(items.map(({ object }) => JSON.stringify(object)))).toEqual(
    new Set([JSON.stringify({ type: 'view', id: shared['id'] })]),
  );
  expect(JSON.stringify(items)).not.toContain('Lovelace');
});
