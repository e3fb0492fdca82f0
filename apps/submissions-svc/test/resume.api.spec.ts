import { startHarness, tenantOf, type Harness, type Reply } from './harness';
import { answered, byToken, pathOf, submissionCalls, together, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, eventsOf } = submissionCalls(() => test);
const stateOf = (formId: string) => `/api/public/forms/${formId}/state`;

async function begun(settings: object = {}) {
  const tenant = tenantOf(test);
  const formId = await tenant.form({ limitOnePerUser: true, ...settings });
  const ada = tenant.external({ sub: 'ada', name: 'Ada' });
  const { body: first } = await ada.post<Submission>(pathOf(formId), { jsonData: '{"a":1}', currentPage: 2 });
  return { tenant, formId, ada, first };
}

describe('the owner of an open submission of a gated form', () => {
  it('gets it back with another token, on any device', async () => {
    const { tenant, formId, ada, first } = await begun();
    const again = await ada.post<Submission>(pathOf(formId), {});
    expect([again.status, again.body]).toEqual([
      200,
      { ...first, token: expect.stringMatching(/^[\w-]{43}$/) as string },
    ]);
    expect(again.body['token']).not.toBe(first['token']);
    const { status } = await anonymous().get(byToken(formId, first['token']));
    expect(status).toBe(404);
    const saved = await anonymous().patch<Submission>(byToken(formId, again.body['token']), {
      jsonData: '{"a":2}',
      isComplete: true,
    });
    expect([saved.status, saved.body['id']]).toEqual([200, first['id']]);
    expect(await eventsOf(first['id'])).toEqual([
      ['created', 1],
      ['completed', 2],
    ]);
    const done = await ada.post(pathOf(formId), {});
    expect([done.status, done.body]).toMatchObject([
      409,
      { errorCode: 'submission_already_exists', existingId: first['id'] },
    ]);
    const bob = await tenant.external({ sub: 'bob' }).post<Submission>(pathOf(formId), {});
    expect([bob.status, bob.body['id'] === first['id']]).toEqual([201, false]);
  });

  it('keeps the stored answers, whatever a create that does not complete sends', async () => {
    const { formId, ada, first } = await begun();
    const again = await ada.post<Submission>(pathOf(formId), { jsonData: '{"b":1}', currentPage: 0 });
    expect([again.status, again.body]).toMatchObject([
      200,
      { id: first['id'], jsonData: '{"a":1}', currentPage: 2 },
    ]);
  });

  it.each([
    ['completes it by a create that is complete', { isComplete: true }, 'completed'],
    ['is screened out by such a create', { collectionOutcome: 'screen_out' }, 'collection_status_changed'],
  ])('%s, once', async (_what, end, event) => {
    const { formId, ada, first } = await begun();
    const replies = await together(5, () =>
      answered(() => ada.post<Submission>(pathOf(formId), { jsonData: '{"b":1}', ...end })),
    );
    const saved = replies.filter(({ status }) => status === 200);
    expect(saved.map(({ body }) => [body['id'], body['jsonData']])).toEqual([[first['id'], '{"b":1}']]);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(4);
    expect(await eventsOf(first['id'])).toEqual([
      ['created', 1],
      [event, 2],
    ]);
  });

  it('resumes long after the token expired, and the new token is renewed', async () => {
    const { formId, ada, first } = await begun();
    await test.db.query(
      `update submissions set token_expires_at = now() - interval '1 day', created_at = now() - interval '200 days' where id = $1`,
      [first['id']],
    );
    const { body } = await ada.post<Submission>(pathOf(formId), {});
    for (const currentPage of [3, 4])
      expect((await anonymous().patch(byToken(formId, body['token']), { currentPage })).status).toBe(200);
  });

  it('has one submission, however many creates race', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const ada = tenant.external({ sub: 'ada' });
    const replies: Reply<Submission>[] = await together(25, () =>
      answered(() => ada.post<Submission>(pathOf(formId), {})),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(24).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body['id'])).size).toBe(1);
    const usable = await Promise.all(
      replies.map(({ body }) => anonymous().get(byToken(formId, body['token']))),
    );
    expect(usable.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('does not resume what is disabled, deleted, private to others, or not gated', async () => {
    const { tenant, formId, ada, first } = await begun();
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: false });
    expect((await ada.post(pathOf(formId), {})).body).toMatchObject({ errorCode: 'form_disabled' });
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: true, isPublic: false });
    expect((await ada.post(pathOf(formId), {})).status).toBe(403);
    await tenant.admin.patch(`/api/forms/${formId}`, { isPublic: true, limitOnePerUser: false });
    expect((await ada.post(pathOf(formId), {})).status).toBe(201);
    expect((await anonymous().get(byToken(formId, first['token']))).status).toBe(200);
  });
});

describe('the state of a form for its caller', () => {
  it('depends on the submission of the caller; anonymous respondents have none', async () => {
    const { tenant, formId, ada, first } = await begun();
    const state = async (who: typeof ada) => (await who.get(stateOf(formId))).body;
    expect(await state(ada)).toMatchObject({ state: 'open', reason: null });
    expect(await state(anonymous())).toMatchObject({ state: 'none' });
    expect(await state(tenant.external({ sub: 'bob' }))).toMatchObject({ state: 'none' });
    await anonymous().patch(byToken(formId, first['token']), { isComplete: true });
    expect(await state(ada)).toMatchObject({ state: 'done' });
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: false });
    expect(await state(ada)).toMatchObject({ state: 'done' });
    expect(await state(anonymous())).toMatchObject({ state: 'closed', reason: 'form_disabled' });
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: true, isPublic: false });
    expect((await anonymous().get(stateOf(formId))).status).toBe(401);
    expect((await ada.get(stateOf(formId))).status).toBe(403);
    expect((await tenantOf(test).user().get(stateOf(formId))).status).toBe(404);
  });
});
