import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin, eventsOf } = submissionCalls(() => test);

describe('completion', () => {
  const ways: [string, (tenant: Tenant, formId: string, one: Submission) => Promise<{ status: number }>][] = [
    ['PUT', (tenant, formId, { id }) => tenant.admin.put(`${pathOf(formId)}/${id}`, { isComplete: true })],
    [
      'PATCH',
      (tenant, formId, { id }) => tenant.admin.patch(`${pathOf(formId)}/${id}`, { isComplete: true }),
    ],
    [
      'by token',
      (_tenant, formId, { token }) => anonymous().patch(byToken(formId, token), { isComplete: true }),
    ],
  ];

  it.each(ways)('%s: 50 racing writers make one event', async (_way, complete) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const one = await begin(formId);
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => complete(tenant, formId, one)))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(200);
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
    expect(await eventsOf(one['id'])).toEqual([
      ['created', 1],
      ['completed', 2],
    ]);
  });

  it('cannot be undone, uses the token up, and leaves later edits possible', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const done = await anonymous().patch<Submission>(byToken(formId, token), { isComplete: true });
    expect(done.body).toMatchObject({ isComplete: true, collectionStatus: 'complete', token: null });
    expect((await anonymous().get(byToken(formId, token))).status).toBe(404);
    expect((await anonymous().patch(byToken(formId, token), {})).status).toBe(404);
    const undo = await tenant.admin.patch(`${pathOf(formId)}/${id}`, { isComplete: false });
    expect([undo.status, undo.body['errorCode']]).toEqual([409, 'submission_completed']);
    const edit = await tenant.admin.put(`${pathOf(formId)}/${id}`, { jsonData: '{"a":1}', isComplete: true });
    expect(edit.body).toMatchObject({
      isComplete: true,
      completedAt: done.body['completedAt'],
      revision: '3',
    });
    expect(await eventsOf(id)).toEqual([
      ['created', 1],
      ['completed', 2],
      ['updated', 3],
    ]);
  });
});

describe('saves', () => {
  it('increase the revision by one each; a save without a difference does not', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    await anonymous().patch(byToken(formId, token), { currentPage: 1, jsonData: '{"a":1}' });
    await anonymous().patch(byToken(formId, token), { currentPage: 1 });
    await tenant.admin.patch(`${pathOf(formId)}/${id}`, { metadata: '{"b":2}' });
    await tenant.admin.post(`${pathOf(formId)}/${id}/status`, { status: 'approved' });
    await tenant.admin.post(`${pathOf(formId)}/${id}/status`, { status: 'approved' });
    const { body } = await tenant.admin.get(`${pathOf(formId)}/${id}`);
    expect(body).toMatchObject({
      currentPage: 1,
      jsonData: '{"a":1}',
      metadata: '{"b":2}',
      status: 'approved',
      revision: '4',
    });
    await tenant.admin.delete(`${pathOf(formId)}/${id}`);
    expect(await eventsOf(id)).toEqual([
      ['created', 1],
      ['updated', 2],
      ['updated', 3],
      ['updated', 4],
      ['deleted', 5],
    ]);
  });

  it('merge metadata on PATCH at its top level and keep the text of what stays', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId, { metadata: '{"big": 12345678901234567890, "b": {"c":1}}' });
    await anonymous().patch(byToken(formId, token), { metadata: '{"b":2,"d":null}' });
    const patched = await tenant.admin.patch<Submission>(`${pathOf(formId)}/${id}`, { metadata: '{"e":[]}' });
    expect(patched.body['metadata']).toBe('{"big": 12345678901234567890,"b":2,"d":null,"e":[]}');
    const put = await tenant.admin.put<Submission>(`${pathOf(formId)}/${id}`, { metadata: '{"only":true}' });
    expect(put.body).toMatchObject({ metadata: '{"only":true}', jsonData: '{}' });
  });

  it('lose no member of metadata when many merge at once', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const patches = Array.from({ length: 20 }, (_, n) =>
      anonymous().patch(byToken(formId, token), { metadata: JSON.stringify({ [`m${n}`]: n }) }),
    );
    expect((await Promise.all(patches)).every(({ status }) => status === 200)).toBe(true);
    const { body } = await tenant.admin.get<Submission>(`${pathOf(formId)}/${id}`);
    expect(Object.keys(JSON.parse(body['metadata']!) as object)).toHaveLength(20);
    expect(body['revision']).toBe('21');
  });

  it('let metadata grow by merges to 1 MiB and no further', async () => {
    const formId = await tenantOf(test).form();
    const { token } = await begin(formId);
    const patch = (name: string) =>
      anonymous().patch(byToken(formId, token), {
        metadata: JSON.stringify({ [name]: 'x'.repeat(600_000) }),
      });
    expect((await patch('a')).status).toBe(200);
    expect((await patch('a')).status).toBe(200);
    const { status, body } = await patch('b');
    expect([status, Object.keys(body['errors'] as object)]).toEqual([400, ['metadata']]);
  });

  it('honour If-Match on PUT, PATCH, status and DELETE', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await begin(formId);
    const one = `${pathOf(formId)}/${id}`;
    const stale = { 'if-match': '"9"' };
    expect((await tenant.admin.put(one, { currentPage: 1 }, stale)).status).toBe(412);
    expect((await tenant.admin.patch(one, { currentPage: 1 }, stale)).status).toBe(412);
    expect((await tenant.admin.patch(one, { metadata: '{"a":1}' }, stale)).status).toBe(412);
    expect((await tenant.admin.post(`${one}/status`, { status: 'read' }, stale)).status).toBe(412);
    expect((await tenant.admin.delete(one, stale)).status).toBe(412);
    const { headers } = await tenant.admin.patch(one, { currentPage: 1 }, { 'if-match': '"1"' });
    expect(headers.get('etag')).toBe('"2"');
    expect((await tenant.admin.delete(one, { 'if-match': '"2"' })).status).toBe(204);
    expect((await tenant.admin.get(one)).status).toBe(404);
  });
});
