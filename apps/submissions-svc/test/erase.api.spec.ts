import { behindLock } from '@canvass/testing';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['dept'] } });
});
afterAll(() => test.close());

const { eventsOf } = submissionCalls(() => test);
const secret = 'Ada Lovelace';

/** A respondent with an open, a complete and a deleted submission on two forms, one of them gated. */
async function respondent(tenant: Tenant) {
  const forms = [await tenant.form({ limitOnePerUser: true }), await tenant.form()] as const;
  const answer = async (formId: string, jsonData: string) => {
    const submitter = { externalSubjectId: 'ada', displayId: secret, profile: { dept: 'Secret dept' } };
    const path = `${pathOf(formId)}/onbehalf`;
    const { body } = await tenant.as('Integration').post<Submission>(path, { jsonData, submitter });
    return body;
  };
  const gated = await answer(forms[0], '{"a":1}');
  const open = await answer(forms[1], '{"b":1}');
  const deleted = await answer(forms[1], '{"c":1}');
  await tenant.admin.patch(`${pathOf(forms[0])}/${gated['id']}`, { jsonData: '{"a":2}', isComplete: true });
  await tenant.admin.delete(`${pathOf(forms[1])}/${deleted['id']}`);
  return { forms, gated, open, deleted, id: gated['submitterId']!, answer };
}

const everything = async (tenantId: string) =>
  JSON.stringify([
    await test.db.query('select * from submissions where tenant_id = $1', [tenantId]),
    await test.db.query('select * from submitters where tenant_id = $1', [tenantId]),
    await test.db.query('select * from submission_versions where tenant_id = $1', [tenantId]),
  ]);

describe('GET /api/submitters/{id}/export', () => {
  it('is all that is stored of a person, deleted and former answers too', async () => {
    const tenant = tenantOf(test);
    const { id, gated, deleted } = await respondent(tenant);
    const { status, body, headers } = await tenant.admin.get<{
      submitter: Record<string, unknown>;
      submissions: Record<string, unknown>[];
      formerAnswers: Record<string, unknown>[];
    }>(`/api/submitters/${id}/export`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body.submitter).toMatchObject({ id, displayId: secret, profile: { dept: 'Secret dept' } });
    expect(body.submissions).toHaveLength(3);
    expect(body.submissions[0]).toMatchObject({
      id: gated['id'],
      formName: 'A form',
      deletedAt: null,
      jsonData: '{"a":2}',
    });
    expect(body.submissions.find((one) => one['id'] === deleted['id'])!['deletedAt']).toMatch(/Z$/);
    expect(body.formerAnswers).toMatchObject([
      { submissionId: gated['id'], revision: '1', jsonData: '{"a":1}' },
    ]);
  });

  it('needs Submissions.Export and a respondent of the tenant', async () => {
    const tenant = tenantOf(test);
    const { id } = await respondent(tenant);
    expect((await tenant.as('Integration').get(`/api/submitters/${id}/export`)).status).toBe(403);
    expect((await tenantOf(test).admin.get(`/api/submitters/${id}/export`)).status).toBe(404);
  });
});

describe('DELETE /api/submitters/{id}', () => {
  it('erases the person everywhere and keeps anonymous answers, one event per submission without a gap', async () => {
    const tenant = tenantOf(test);
    const { id, forms, gated, open, deleted, answer } = await respondent(tenant);
    expect((await tenant.admin.delete(`/api/submitters/${id}`)).status).toBe(204);
    const stored = await everything(tenant.id);
    for (const trace of [secret, 'Secret dept', '"ada"', `"${id}"`, `:${id}`])
      expect(stored).not.toContain(trace);
    const { body } = await tenant.admin.get(`${pathOf(forms[0])}/${gated['id']}`);
    expect(body).toMatchObject({
      jsonData: '{"a":2}',
      isComplete: true,
      submitterId: null,
      submitterDisplayId: null,
      submitterProfileSnapshot: null,
      submittedBy: null,
      revision: '3',
    });
    expect(await eventsOf(gated['id'])).toEqual([
      ['created', 1],
      ['completed', 2],
      ['updated', 3],
    ]);
    expect(await eventsOf(open['id'])).toEqual([
      ['created', 1],
      ['updated', 2],
    ]);
    expect(await eventsOf(deleted['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
    ]);
    expect((await tenant.admin.get(`/api/submitters/${id}`)).status).toBe(404);
    expect((await tenant.admin.delete(`/api/submitters/${id}`)).status).toBe(404);
    const again = await answer(forms[0], '{}');
    expect(again['submitterId']).not.toBe(id);
  });

  it('with submissions=delete removes the answers too, former ones included', async () => {
    const tenant = tenantOf(test);
    const { id, forms, gated, open, deleted } = await respondent(tenant);
    expect((await tenant.admin.delete(`/api/submitters/${id}?submissions=delete`)).status).toBe(204);
    const stored = await everything(tenant.id);
    for (const trace of [secret, '\\"a\\"', '\\"b\\"', '\\"c\\"']) expect(stored).not.toContain(trace);
    expect((await tenant.admin.get(`${pathOf(forms[0])}/${gated['id']}`)).status).toBe(404);
    expect((await tenant.admin.get(pathOf(forms[1]))).body['totalRecords']).toBe(0);
    expect(await eventsOf(gated['id'])).toEqual([
      ['created', 1],
      ['completed', 2],
      ['deleted', 3],
    ]);
    expect(await eventsOf(open['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
    ]);
    expect(await eventsOf(deleted['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
    ]);
    const last = (await test.events({ entityId: open['id']! })).at(-1)!;
    expect(JSON.stringify(last.data)).not.toContain(secret);
  });

  it('with submissions=delete keeps no former answer of a save that came in between', async () => {
    const tenant = tenantOf(test);
    const { id, forms, open } = await respondent(tenant);
    const one = `${pathOf(forms[1])}/${open['id']}`;
    const replies = await behindLock(
      test.db,
      (tx) => tx.query('select from submissions where id = $1 for update', [open['id']]),
      [
        () => tenant.admin.patch(one, { jsonData: '{"d":1}' }),
        () => tenant.admin.delete(`/api/submitters/${id}?submissions=delete`),
      ],
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 204]);
    const stored = await everything(tenant.id);
    for (const trace of ['\\"b\\"', '\\"d\\"']) expect(stored).not.toContain(trace);
  });

  it('erases the person as last read: after a further resolution If-Match is a 412, and nothing is erased', async () => {
    const tenant = tenantOf(test);
    const { id, forms, answer } = await respondent(tenant);
    const path = `/api/submitters/${id}`;
    const { headers } = await tenant.admin.get(path);
    const before = headers.get('etag')!;
    expect((await tenant.admin.get(path)).headers.get('etag')).toBe(before);
    await answer(forms[1], '{}');
    for (const etag of [before, '"1"']) {
      const refused = await tenant.admin.delete(path, { 'if-match': etag });
      expect([refused.status, refused.body['errorCode']]).toEqual([412, 'revision_mismatch']);
    }
    const now = await tenant.admin.get(path);
    expect(now.status).toBe(200);
    expect((await tenant.admin.delete(path, { 'if-match': now.headers.get('etag')! })).status).toBe(204);
  });

  it('needs Submissions.Erase, a respondent of the tenant and a known word', async () => {
    const tenant = tenantOf(test);
    const { id } = await respondent(tenant);
    expect((await tenant.as('Editor').delete(`/api/submitters/${id}`)).status).toBe(403);
    expect((await tenantOf(test).admin.delete(`/api/submitters/${id}`)).status).toBe(404);
    expect((await tenant.admin.delete(`/api/submitters/${id}?submissions=all`)).status).toBe(400);
    expect((await tenant.admin.get(`/api/submitters/${id}`)).status).toBe(200);
  });

  it('during a create leaves no submission without its submitter', async () => {
    const tenant = tenantOf(test);
    const { id, forms, answer } = await respondent(tenant);
    const answers = Array.from({ length: 15 }, () => answer(forms[1], '{}'));
    const [erased, ...made] = await Promise.all([tenant.admin.delete(`/api/submitters/${id}`), ...answers]);
    expect(erased.status).toBe(204);
    expect(made.every((one) => one['id'] !== undefined)).toBe(true);
    expect(await everything(tenant.id)).not.toContain(`"${id}"`);
  });
});
