import { startHarness, tenantOf, type Harness } from './harness';
import { pathOf, submissionCalls } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);

interface Comment {
  id: string;
  text: string;
  createdBy: { subject: string };
}

async function begun() {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const { id } = await begin(formId, { jsonData: '{"a":1}' });
  const submission = `${pathOf(formId)}/${id}`;
  const comments = `${submission}/comments`;
  const texts = async () =>
    (await tenant.admin.get<{ items: Comment[] }>(comments)).body.items.map(({ text }) => text);
  const stored = () => test.db.query('select from submission_comments where submission_id = $1', [id]);
  return { tenant, formId, id: id!, submission, comments, texts, stored };
}

describe('comments on a submission', () => {
  it('have an author and a time, the newest first, and page by key', async () => {
    const { tenant, id, comments, texts } = await begun();
    const reviewer = tenant.as('Reviewer', { sub: '35' });
    const { status, body, headers } = await reviewer.post<Comment>(comments, { text: 'Ring her first.' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String) as string,
      text: 'Ring her first.',
      createdBy: { provider: expect.any(String) as string, kind: 'user', subject: '35' },
      createdAt: expect.stringMatching(/Z$/) as string,
    });
    expect(headers.get('location')).toBe(`${comments}/${body.id}`);
    await tenant.admin.post(comments, { text: 'Done <b>🎉</b>' });
    expect(await texts()).toEqual(['Done <b>🎉</b>', 'Ring her first.']);
    const first = await tenant.admin.get<{ items: Comment[]; next: string }>(`${comments}?limit=1`);
    const next = await tenant.admin.get<{ items: Comment[] }>(`${comments}?limit=1&after=${first.body.next}`);
    expect(next.body.items).toEqual([body]);
    // Erasures must reach the text, so that the trail has only the id.
    const trail = await test.db.query<{ action: string; after: object }>(
      'select action, after from audit where object_id = $1 order by id',
      [id],
    );
    expect(trail.map(({ action }) => action)).toEqual(Array(2).fill('submission_comment.created'));
    expect(trail[0]!.after).toMatchObject({ commentId: body.id });
    expect(JSON.stringify(trail)).not.toContain('Ring');
  });

  it('are written and read by staff only', async () => {
    const { tenant, id, formId, comments, texts } = await begun();
    for (const role of ['Viewer', 'Exporter', 'Respondent', 'Integration'] as const)
      expect([role, (await tenant.as(role, { sub: '31' }).post(comments, { text: 'a' })).status]).toEqual([
        role,
        403,
      ]);
    expect((await tenant.as('Respondent', { sub: '31' }).get(comments)).status).toBe(403);
    expect((await anonymous().get(comments)).status).toBe(401);
    const other = tenantOf(test).admin;
    expect((await other.post(comments, { text: 'a' })).status).toBe(404);
    expect((await other.get(comments)).status).toBe(404);
    const elsewhere = `${pathOf(await tenant.form())}/${id}/comments`;
    expect((await tenant.admin.post(elsewhere, { text: 'a' })).status).toBe(404);
    expect(formId).not.toBe('');
    expect(await texts()).toEqual([]);
  });

  it.each<[string, object]>([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['blanks', { text: ' \n ' }],
    ['a long text', { text: 'x'.repeat(4_001) }],
    ['a control character', { text: 'a\u0000b' }],
    ['half a character', { text: '\ud800' }],
    ['another member', { text: 'a', author: 'b' }],
  ])('refuse %s, and name the field', async (_what, body) => {
    const { tenant, comments, stored } = await begun();
    const { status, body: problem } = await tenant.admin.post<{ errors: object }>(comments, body);
    expect(status).toBe(400);
    expect(Object.keys(problem.errors)[0]).toMatch(/^(text|author)$/);
    expect(await stored()).toEqual([]);
  });

  it('are deleted by their authors, and by those who may edit submissions', async () => {
    const { tenant, comments, texts } = await begun();
    const [one, two] = [tenant.as('Reviewer', { sub: '32' }), tenant.as('Reviewer', { sub: '33' })];
    const own = (await one.post<Comment>(comments, { text: 'one' })).body.id;
    expect((await two.delete(`${comments}/${own}`)).status).toBe(403);
    expect((await one.delete(`${comments}/${own}`)).status).toBe(204);
    expect((await one.delete(`${comments}/${own}`)).status).toBe(404);
    const theirs = (await one.post<Comment>(comments, { text: 'two' })).body.id;
    expect((await tenantOf(test).admin.delete(`${comments}/${theirs}`)).status).toBe(404);
    expect((await tenant.as('Editor', { sub: '34' }).delete(`${comments}/${theirs}`)).status).toBe(204);
    expect(await texts()).toEqual([]);
  });

  it('are erased with the submission', async () => {
    const { tenant, submission, comments, stored } = await begun();
    await tenant.admin.post(comments, { text: 'She is ill.' });
    expect(await stored()).toHaveLength(1);
    expect((await tenant.admin.call('DELETE', `${submission}?erase=true`)).status).toBeLessThan(300);
    expect(await stored()).toEqual([]);
  });

  it('are at most 500', async () => {
    const { tenant, id, comments } = await begun();
    await test.db.query(
      `insert into submission_comments (tenant_id, submission_id, text, created_by)
       select $1, $2, 'x', '{}' from generate_series(1, 499)`,
      [tenant.id, id],
    );
    expect((await tenant.admin.post(comments, { text: 'the last' })).status).toBe(201);
    expect((await tenant.admin.post(comments, { text: 'too many' })).status).toBe(409);
  });
});
