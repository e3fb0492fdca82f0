import { startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin, eventsOf } = submissionCalls(() => test);

describe('POST /api/forms/{formId}/submissions', () => {
  it('creates with the defaults, a token for its holder, and submission.created', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { status, body, headers } = await anonymous().post<Submission>(pathOf(formId), {});
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${pathOf(formId)}/${body['id']}`);
    expect(body).toEqual({
      id: expect.any(String),
      formId,
      isComplete: false,
      isTestSubmission: false,
      currentPage: 0,
      jsonData: '{}',
      metadata: '{}',
      collectionStatus: 'in_progress',
      status: 'new',
      submitterId: null,
      submitterDisplayId: null,
      submitterProfileSnapshot: null,
      submittedBy: null,
      startedAt: body['createdAt'],
      completedAt: null,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      modifiedAt: body['createdAt'],
      revision: '1',
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [event] = await test.events({ entityId: body['id']! });
    const { token, id, revision } = body;
    expect(event).toMatchObject({ type: 'submission.created', revision: '1', settings: null });
    expect(event?.data).toEqual({ id, formId, revision });
    const stored = await test.db.query('select s::text as row from submissions s where id = $1', [
      body['id'],
    ]);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('created complete is completed with revision 1, without a token', async () => {
    const formId = await tenantOf(test).form();
    const body = await begin(formId, { isComplete: true });
    expect(body).toMatchObject({
      isComplete: true,
      collectionStatus: 'complete',
      revision: '1',
      token: null,
    });
    expect(body['completedAt']).not.toBeNull();
    expect(await eventsOf(body['id'])).toEqual([['completed', 1]]);
  });

  it('returns the same bytes of jsonData and metadata', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const jsonData = ' {"z":1.0, "a":12345678901234567890,\n"u":"\\u0000\\ud800 \\u00e9é😀", "a":{}} ';
    const metadata = '[1e3,\t"x"]';
    const { id } = await begin(formId, { jsonData, metadata, isComplete: true });
    const { body } = await tenant.admin.get(`${pathOf(formId)}/${id}`);
    expect(body).toMatchObject({ jsonData, metadata });
    expect((await test.events({ entityId: id! }))[0]?.data).toMatchObject({ jsonData, metadata });
  });

  it.each(['', ' ', '{', 'nul', '{"a":1,}', "{'a':1}"])(
    'refuses %j as jsonData or metadata',
    async (text) => {
      const formId = await tenantOf(test).form();
      const { status, body } = await anonymous().post<{ errors: Record<string, string[]> }>(pathOf(formId), {
        jsonData: text,
        metadata: text,
      });
      expect(status).toBe(400);
      const rule = [expect.stringContaining('must be valid JSON text')];
      expect(body['errors']).toEqual({ jsonData: rule, metadata: rule });
    },
  );

  it('requires Submissions.Create on a form that is not public, and refuses a disabled form', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ isPublic: false });
    expect((await anonymous().post(pathOf(formId), {})).status).toBe(401);
    const refused = await tenant.user().post(pathOf(formId), {});
    expect([refused.status, refused.body['errorCode']]).toEqual([403, 'permission_denied']);
    expect((await tenant.as('Integration').post(pathOf(formId), {})).status).toBe(403);
    for (const role of ['Respondent', 'Viewer', 'Editor', 'Admin'] as const)
      expect([role, (await tenant.as(role).post(pathOf(formId), {})).status]).toEqual([role, 201]);
    const vouched = await tenant.as('Integration').post(`${pathOf(formId)}/onbehalf`, {});
    expect(vouched.status).toBe(201);
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: false, isPublic: true });
    const closed = await anonymous().post(pathOf(formId), {});
    expect([closed.status, closed.body['errorCode']]).toEqual([409, 'form_disabled']);
    expect((await tenantOf(test).user().post(pathOf(formId), {})).status).toBe(404);
    expect((await anonymous().post(pathOf('1'), {})).status).toBe(404);
  });
});

describe('a screen-out', () => {
  it('on create wins over isComplete and is no completion', async () => {
    const formId = await tenantOf(test).form();
    const body = await begin(formId, { isComplete: true, collectionOutcome: 'screen_out' });
    expect(body).toMatchObject({ isComplete: false, collectionStatus: 'screen_out', completedAt: null });
    const [event, ...more] = await test.events({ entityId: body['id']! });
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'submission.collection_status_changed',
      data: { collectionStatus: 'screen_out', previousCollectionStatus: 'in_progress' },
    });
  });

  it('by token reports the previous status, can be repeated without effect, and ends all other saves', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const screenOut = { collectionOutcome: 'screen_out', jsonData: '{"age":12}' };
    const first = await anonymous().patch<Submission>(byToken(formId, token), screenOut);
    expect(first.body).toMatchObject({
      collectionStatus: 'screen_out',
      isComplete: false,
      revision: '2',
      token,
    });
    const again = await anonymous().patch<Submission>(byToken(formId, token), screenOut);
    expect(again.body).toMatchObject({ revision: '2' });
    const events = await test.events({ entityId: id! });
    expect(events[1]?.data).toMatchObject({
      previousCollectionStatus: 'in_progress',
      jsonData: '{"age":12}',
    });
    expect(events).toHaveLength(2);
    for (const save of [
      () => anonymous().patch(byToken(formId, token), { isComplete: true }),
      () => tenant.admin.patch(`${pathOf(formId)}/${id}`, { currentPage: 3 }),
      () => tenant.admin.put(`${pathOf(formId)}/${id}`, { isComplete: true }),
    ]) {
      const { status, body } = await save();
      expect([status, body['errorCode']]).toEqual([409, 'submission_screened_out']);
    }
  });

  it('is only taken from respondents', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await begin(formId);
    const body = { collectionOutcome: 'screen_out' };
    expect((await tenant.admin.patch(`${pathOf(formId)}/${id}`, body)).status).toBe(400);
    expect((await tenant.admin.post(`${pathOf(formId)}/onbehalf`, body)).status).toBe(400);
    expect((await anonymous().post(pathOf(formId), { collectionOutcome: 'complete' })).status).toBe(400);
  });
});

describe('the submission token', () => {
  it('reads and is renewed by each use, and ends with its lifetime', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ submissionTokenExpiryHours: 2 });
    const { id, token } = await begin(formId);
    const left = async () => {
      const [row] = await test.db.query<{ seconds: number }>(
        'select extract(epoch from token_expires_at - now())::float8 as seconds from submissions where id = $1',
        [id],
      );
      return row!.seconds;
    };
    expect(await left()).toBeGreaterThan(7_000);
    const age = (interval: string) =>
      test.db.query(`update submissions set token_expires_at = now() + $2::interval where id = $1`, [
        id,
        interval,
      ]);
    await age('1 minute');
    const read = await anonymous().get<Submission>(byToken(formId, token));
    expect(read.body).toMatchObject({ id, token, revision: '1' });
    expect(await left()).toBeGreaterThan(7_000);
    await age('1 minute');
    await anonymous().patch(byToken(formId, token), { currentPage: 4 });
    expect(await left()).toBeGreaterThan(7_000);
    await age('-1 second');
    expect((await anonymous().get(byToken(formId, token))).status).toBe(404);
    expect((await anonymous().patch(byToken(formId, token), { currentPage: 5 })).status).toBe(404);
  });

  it('is not renewed beyond 90 days after the create', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ submissionTokenExpiryHours: 2 });
    const { id, token } = await begin(formId);
    await test.db.query(
      `update submissions set created_at = now() - interval '90 days' + interval '1 minute' where id = $1`,
      [id],
    );
    expect((await anonymous().patch(byToken(formId, token), { currentPage: 4 })).status).toBe(200);
    const [row] = await test.db.query<{ seconds: number }>(
      'select extract(epoch from token_expires_at - now())::float8 as seconds from submissions where id = $1',
      [id],
    );
    expect(row!.seconds).toBeLessThan(61);
  });

  it('opens only its own submission, for its own form and tenant', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { token } = await begin(formId);
    const otherForm = await tenant.form();
    expect((await anonymous().get(byToken(otherForm, token))).status).toBe(404);
    expect((await tenantOf(test).user().get(byToken(formId, token))).status).toBe(404);
    expect((await anonymous().get(byToken(formId, 'guess'))).status).toBe(404);
    expect((await anonymous().get(byToken(formId, 'A'.repeat(43)))).status).toBe(404);
    expect((await tenant.user().get(byToken(formId, token))).status).toBe(200);
  });

  it('is refused for saves while the form is disabled', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { token } = await begin(formId);
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: false });
    const { status, body } = await anonymous().patch(byToken(formId, token), { currentPage: 1 });
    expect([status, body['errorCode']]).toEqual([409, 'form_disabled']);
  });
});

describe('GET /api/forms/{formId}/submissions', () => {
  it('pages newest first', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await begin(formId))['id']!);
    const { body } = await tenant.admin.get(`${pathOf(formId)}?limit=2&total=exact`);
    expect(body).toMatchObject({ total: 3, items: [{ id: ids[2] }, { id: ids[1] }] });
    expect((body['items'] as object[])[0]).not.toHaveProperty('token');
    expect((await anonymous().get(pathOf(formId))).status).toBe(401);
    expect((await tenant.user().get(pathOf(formId))).status).toBe(403);
  });
});
