import type { KeyPageReply } from '@canvass/testing';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

/** A respondent with an open, a complete and a deleted submission on two forms, one of them gated. */
async function respondent(tenant: Tenant) {
  const forms = [await tenant.form({ limitOnePerUser: true }), await tenant.form()] as const;
  const answer = async (formId: string, jsonData: string) => {
    const submitter = { externalSubjectId: 'ada', displayId: 'Ada' };
    const path = `${pathOf(formId)}/onbehalf`;
    return (await tenant.as('Integration').post<Submission>(path, { jsonData, submitter })).body;
  };
  const gated = await answer(forms[0], '{"a":1}');
  const open = await answer(forms[1], '{"b":1}');
  const deleted = await answer(forms[1], '{"c":1}');
  await tenant.admin.patch(`${pathOf(forms[0])}/${gated['id']}`, { jsonData: '{"a":2}', isComplete: true });
  await tenant.admin.delete(`${pathOf(forms[1])}/${deleted['id']}`);
  return { forms, gated, open, id: gated['submitterId']!, answer };
}

describe('GET /api/submitters/{id}/erasure-preview', () => {
  it('counts what an erasure changes, and nothing after it', async () => {
    const tenant = tenantOf(test);
    const { id } = await respondent(tenant);
    const path = `/api/submitters/${id}/erasure-preview`;
    const { status, body, headers } = await tenant.admin.get(path);
    expect([status, body]).toEqual([
      200,
      { submissions: 3, deletedSubmissions: 1, forms: 2, gates: 1, formerAnswers: 1 },
    ]);
    expect((await tenant.admin.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    expect((await tenant.as('Editor').get(path)).status).toBe(403);
    await tenant.admin.delete(`/api/submitters/${id}?submissions=delete`);
    expect((await tenant.admin.get(path)).status).toBe(404);
  });
});

describe('GET /api/submitters/{id}/submissions', () => {
  it('has the submissions of all forms that are not deleted, newest first', async () => {
    const tenant = tenantOf(test);
    const { id, forms, gated, open, answer } = await respondent(tenant);
    const third = await answer(forms[1], '{"d":1}');
    const list = async (query: string) => {
      const path = `/api/submitters/${id}/submissions?${query}`;
      const { status, body } = await tenant.as('Viewer').get<KeyPageReply<Record<string, unknown>>>(path);
      expect([query, status]).toEqual([query, 200]);
      return body;
    };
    const { items } = await list('limit=10');
    expect(items.map((item) => item['id'])).toEqual([third['id'], open['id'], gated['id']]);
    expect(items[2]).toMatchObject({
      formId: forms[0],
      formName: 'A form',
      isComplete: true,
      collectionStatus: 'complete',
      revision: '2',
    });
    expect(JSON.stringify(items)).not.toContain('jsonData');
    expect(await list('total=exact')).toMatchObject({ total: 3, totalIsExact: true });
    expect((await tenant.admin.get(`/api/submitters/${id}/submissions?after=x`)).status).toBe(400);
    expect((await tenant.admin.get('/api/submitters/1/submissions')).status).toBe(404);
  });
});
