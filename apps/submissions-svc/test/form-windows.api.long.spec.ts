import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { answered, byToken, pathOf, submissionCalls, together, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submissions: { ClosingGraceMinutes: 10 } });
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const change = (tenant: Tenant, formId: string, changes: object) =>
  tenant.admin.patch<Record<string, unknown>>(`/api/forms/${formId}`, changes);
const stateOf = async (formId: string, who = anonymous()) =>
  (await who.get(`/api/public/forms/${formId}/state`)).body;
const begins = (formId: string) => anonymous().post<Submission>(pathOf(formId), {});

describe('the times of a form', () => {
  it('are kept, shown to respondents, and checked', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ opensAt: '2026-01-01', closesAt: '2099-01-01T00:00:00+01:00' });
    const times = { opensAt: '2026-01-01T00:00:00.000Z', closesAt: '2098-12-31T23:00:00.000Z' };
    expect((await tenant.admin.get(`/api/forms/${formId}`)).body).toMatchObject({
      ...times,
      maxSubmissions: null,
    });
    expect((await anonymous().get(`/api/public/forms/${formId}`)).body).toMatchObject(times);
    expect(await stateOf(formId)).toEqual({ state: 'none', reason: null, ...times });
    const [event] = await test.events({ entityId: formId });
    expect(event!.data).toMatchObject(times);
    for (const [changes, errors] of [
      [{ closesAt: '2025-12-31' }, { closesAt: ['must be after opensAt'] }],
      [{ opensAt: '2099-01-01' }, { closesAt: ['must be after opensAt'] }],
      [{ opensAt: 'soon' }, { opensAt: [expect.stringContaining('ISO 8601')] }],
      [{ maxSubmissions: 0 }, { maxSubmissions: ['must be at least 1'] }],
      [{ maxSubmissions: 1.5 }, { maxSubmissions: ['must be a whole number'] }],
    ] as const) {
      const { status, body } = await change(tenant, formId, changes);
      expect([status, body['errors']]).toEqual([400, errors]);
    }
    const refused = await tenant.admin.post('/api/forms', {
      name: 'F',
      opensAt: '2026-01-02',
      closesAt: '2026-01-01',
    });
    expect([refused.status, refused.body['errors']]).toEqual([400, { closesAt: ['must be after opensAt'] }]);
    const cleared = await change(tenant, formId, { opensAt: null, closesAt: null });
    expect(cleared.body).toMatchObject({ opensAt: null, closesAt: null });
  });

  it('refuse creates of respondents and integrations before and after them, not tests', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const integration = tenant.as('Integration');
    const [later, earlier] = [inMinutes(60), inMinutes(-60)];
    for (const [times, problem] of [
      [
        { opensAt: later, closesAt: null },
        { errorCode: 'form_not_open', opensAt: later },
      ],
      [
        { opensAt: null, closesAt: earlier },
        { errorCode: 'form_closed', closesAt: earlier },
      ],
    ] as const) {
      expect((await change(tenant, formId, times)).status).toBe(200);
      for (const answer of [
        await begins(formId),
        await tenant.external({ sub: 'a' }).post(pathOf(formId), { isComplete: true }),
        await integration.post(`${pathOf(formId)}/onbehalf`, {}),
      ])
        expect([answer.status, answer.body]).toMatchObject([409, problem]);
      expect(await stateOf(formId)).toMatchObject({ state: 'closed', reason: problem.errorCode });
      expect((await tenant.admin.post(pathOf(formId), { isTest: true })).status).toBe(201);
    }
    const { body } = await tenant.admin.get<{ items: unknown[] }>(pathOf(formId));
    expect(body.items).toHaveLength(2);
  });

  it('leave the grace to unfinished submissions', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const ada = tenant.external({ sub: 'ada' });
    const { body: hers } = await ada.post<Submission>(pathOf(formId), {});
    const other = await begin(formId);
    const late = await begin(formId);
    await change(tenant, formId, { closesAt: inMinutes(-5) });
    expect((await begins(formId)).body).toMatchObject({ errorCode: 'form_closed' });
    expect(await stateOf(formId, ada)).toMatchObject({ state: 'open' });
    const again = await ada.post<Submission>(pathOf(formId), {});
    expect([again.status, again.body['id']]).toEqual([200, hers['id']]);
    const end = { isComplete: true, metadata: '{"late":true}' };
    expect((await anonymous().patch(byToken(formId, other['token']), end)).status).toBe(200);

    const closesAt = inMinutes(-11);
    await change(tenant, formId, { closesAt });
    for (const [token, changes] of [
      [again.body['token'], { currentPage: 2 }],
      [late['token'], end],
    ] as const) {
      const { status, body } = await anonymous().patch(byToken(formId, token), changes);
      expect([status, body]).toMatchObject([409, { errorCode: 'form_closed', closesAt }]);
      expect((await anonymous().get(byToken(formId, token))).body).toMatchObject({ revision: '1' });
    }
    expect(await stateOf(formId, ada)).toMatchObject({ state: 'closed', reason: 'form_closed' });
    expect((await ada.post(pathOf(formId), {})).body).toMatchObject({ errorCode: 'form_closed' });
    const one = `${pathOf(formId)}/${late['id']}`;
    expect((await tenant.admin.patch(one, { isComplete: true })).status).toBe(200);
  });
});

describe('a form with a maximum', () => {
  const countOf = async (formId: string) =>
    Number(
      (
        await test.db.query<{ count: string }>(
          'select count(*) from submissions where form_id = $1 and deleted_at is null and not is_test_submission',
          [formId],
        )
      )[0]!.count,
    );

  it('takes exactly so many of 1,000 creates at once', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ maxSubmissions: 100 });
    const replies = await together(1_000, (n) =>
      answered(() =>
        n % 2 === 0
          ? anonymous().post<Submission>(pathOf(formId), {})
          : tenant.external({ sub: `r${n}` }).post<Submission>(pathOf(formId), {}),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(100);
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(900);
    for (const { body } of refused)
      expect(body).toMatchObject({ errorCode: 'form_full', maxSubmissions: 100 });
    expect(await countOf(formId)).toBe(100);
    expect(await stateOf(formId)).toMatchObject({ state: 'closed', reason: 'form_full' });
  }, 120_000);

  it('counts what is there when it is set or raised, beside running creates', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const creates = together(60, () => answered(() => begins(formId)));
    await change(tenant, formId, { maxSubmissions: 20 });
    const made = (await creates).filter(({ status }) => status === 201).length;
    expect(await countOf(formId)).toBe(made);
    expect((await begins(formId)).body).toMatchObject({ errorCode: 'form_full', maxSubmissions: 20 });
    await change(tenant, formId, { maxSubmissions: made + 2 });
    const more = await together(5, () => answered(() => begins(formId)));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(2);
    await change(tenant, formId, { maxSubmissions: null });
    expect((await begins(formId)).status).toBe(201);
  });

  it('has room again after a deletion; tests and the resumed take no place', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ maxSubmissions: 2, limitOnePerUser: true });
    const ada = tenant.external({ sub: 'ada' });
    const { body: hers } = await ada.post<Submission>(pathOf(formId), {});
    expect((await ada.post(pathOf(formId), {})).status).toBe(200);
    const { id } = await begin(formId);
    expect((await tenant.admin.post(pathOf(formId), { isTest: true })).status).toBe(201);
    expect((await begins(formId)).body).toMatchObject({ errorCode: 'form_full' });
    const again = await ada.post<Submission>(pathOf(formId), { isComplete: true });
    expect([again.status, again.body['id']]).toEqual([200, hers['id']]);
    await tenant.admin.delete(`${pathOf(formId)}/${id}`);
    await test.db.query(
      `update form_places set counted_at = now() - interval '1 minute' where form_id = $1`,
      [formId],
    );
    expect(await stateOf(formId)).toMatchObject({ state: 'none', reason: null });
    const last = await together(10, () => answered(() => begins(formId)));
    expect(last.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await countOf(formId)).toBe(2);
  });
});
