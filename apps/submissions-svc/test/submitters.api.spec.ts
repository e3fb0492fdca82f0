import { client, newTenant, startHarness, tenantOf, type Tenant, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({
    submitter: {
      IntegrationsMayName: ['Service'],
      DisplayIdClaimTypes: ['employee_number'],
      ProfileSnapshotFields: ['department', 'groups', 'email'],
    },
  });
});
afterAll(() => test.close());

type Submission = Record<string, unknown>;
const pathOf = (formId: string) => `/api/forms/${formId}/submissions`;
const onBehalf = (tenant: Tenant, formId: string, body: object, prefix = '/api') =>
  tenant
    .as('Integration', { kind: 'service', sub: '900' })
    .post<Submission>(`${prefix}/forms/${formId}/submissions/onbehalf`, body);

describe('resolution of the respondent', () => {
  it('links a service-owned user to its AppUserId, with display id, filtered snapshot and mirror', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const user = tenant.user({
      sub: '4711',
      department: 'Sales',
      Department: 'x',
      salary: 1,
      employee_number: ' ',
      name: 'Ada',
    });
    const { body } = await user.post<Submission>(pathOf(formId), {});
    expect(body).toMatchObject({
      submitterDisplayId: 'Ada',
      submitterProfileSnapshot: { department: 'Sales' },
      submittedBy: body['submitterId'],
    });
    const submitter = await tenant.admin.get(`/api/submitters/${body['submitterId']}`);
    expect(submitter.body).toMatchObject({
      authProvider: 'Service',
      externalSubjectId: '4711',
      appUserId: '4711',
      displayId: 'Ada',
      profile: { department: 'Sales' },
    });
  });

  it('identifies an external identity by its provider and sub; values other than text become JSON text', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const user = tenant.external({
      sub: 'f:1:eve',
      employee_number: 77,
      groups: ['a', 'b'],
      email: 'e@x.org\u0000\ud800',
    });
    const { status, body } = await user.post<Submission>(pathOf(formId), {});
    expect(status).toBe(201);
    expect(body).toMatchObject({
      submitterDisplayId: '77',
      submitterProfileSnapshot: { groups: '["a","b"]', email: 'e@x.org\uFFFD\uFFFD' },
    });
    const { body: submitter } = await tenant.admin.get(`/api/submitters/${body['submitterId']}`);
    expect(submitter).toMatchObject({
      authProvider: 'Keycloak',
      externalSubjectId: 'f:1:eve',
      appUserId: null,
    });
  });

  it('keeps one submitter, refreshes it on each resolution, and never changes a snapshot', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const first = await tenant
      .external({ sub: 'x', name: 'Old', department: 'A' })
      .post<Submission>(pathOf(formId), {});
    const second = await tenant
      .external({ sub: 'x', name: 'New', department: 'B' })
      .post<Submission>(pathOf(formId), {});
    expect(second.body['submitterId']).toBe(first.body['submitterId']);
    const { body } = await tenant.admin.get(`/api/submitters/${first.body['submitterId']}`);
    expect(body).toMatchObject({ displayId: 'New', profile: { department: 'B' } });
    const old = await tenant.admin.get(`${pathOf(formId)}/${first.body['id']}`);
    expect(old.body).toMatchObject({
      submitterDisplayId: 'Old',
      submitterProfileSnapshot: { department: 'A' },
    });
  });

  it('makes one submitter of 50 racing first submissions', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const user = tenant.user({ sub: '5' });
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => user.post<Submission>(pathOf(formId), {})),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(replies.map(({ body }) => body['submitterId'])).size).toBe(1);
  });

  it('never makes a service account a submitter, nor one subject of two tenants the same', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const machine = await tenant
      .as('Integration', { kind: 'service', sub: '31' })
      .post<Submission>(pathOf(formId), {});
    expect(machine.body).toMatchObject({
      submitterId: null,
      submitterDisplayId: null,
      submitterProfileSnapshot: null,
    });
    const other = tenantOf(test, newTenant());
    const one = await tenant.external({ sub: 'same' }).post<Submission>(pathOf(formId), {});
    const two = await other.external({ sub: 'same' }).post<Submission>(pathOf(await other.form()), {});
    expect(one.body['submitterId']).not.toBe(two.body['submitterId']);
    expect((await other.admin.get(`/api/submitters/${one.body['submitterId']}`)).status).toBe(404);
  });
});

describe('POST /forms/{formId}/submissions/onbehalf', () => {
  const submitter = {
    externalSubjectId: ' crm-1 ',
    displayId: 'Ελένη',
    profile: { department: 'Sales', groups: 7, shoe: '39' },
  };

  it.each(['', '/api'])('works with the prefix "%s" and upserts by provider and subject', async (prefix) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { status, body } = await onBehalf(
      tenant,
      formId,
      { isComplete: true, currentPage: 2, submitter },
      prefix,
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      isComplete: true,
      currentPage: 2,
      submitterDisplayId: 'Ελένη',
      submitterProfileSnapshot: { department: 'Sales', groups: '7' },
    });
    const { body: stored } = await tenant.admin.get(`/api/submitters/${body['submitterId']}`);
    expect(stored).toMatchObject({ authProvider: 'Integration', externalSubjectId: 'crm-1' });
  });

  it('begins as not started; the first save of the respondent starts it, a save of staff does not', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { body } = await onBehalf(tenant, formId, { submitter });
    const unstarted = { collectionStatus: 'not_started', startedAt: null };
    expect(body).toMatchObject(unstarted);
    const list = await tenant.admin.get(`${pathOf(formId)}?filter=startedAt:null&total=exact`);
    expect(list.body).toMatchObject({ total: 1 });
    const one = `${pathOf(formId)}/${body['id']}`;
    for (const change of [{ metadata: '{"note":"called him"}' }, { jsonData: '{"prefilled":1}' }])
      expect((await tenant.admin.patch(one, change)).body).toMatchObject(unstarted);
    const byToken = `${pathOf(formId)}/by-token/${String(body['token'])}`;
    const read = await client(test.service.url).get(byToken);
    expect(read.body).toMatchObject(unstarted);
    const saved = await client(test.service.url).patch(byToken, { jsonData: '{"a":1}' });
    expect(saved.body).toMatchObject({ collectionStatus: 'in_progress', submitterId: body['submitterId'] });
    expect(saved.body['startedAt']).toBe(saved.body['modifiedAt']);
    const later = await client(test.service.url).patch(byToken, { isComplete: true });
    expect(later.body['startedAt']).toBe(saved.body['startedAt']);
  });

  it('is complete without a start when staff complete it, and started when it is created complete', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { body } = await onBehalf(tenant, formId, { submitter });
    const done = await tenant.admin.patch(`${pathOf(formId)}/${body['id']}`, { isComplete: true });
    expect(done.body).toMatchObject({ collectionStatus: 'complete', startedAt: null });
    const whole = await onBehalf(tenant, formId, { isComplete: true });
    expect(whole.body['startedAt']).toBe(whole.body['createdAt']);
  });

  it('is anonymous without a submitter; the integration never becomes one', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    for (const body of [{}, { submitter: null }]) {
      const made = await onBehalf(tenant, formId, body);
      expect([made.status, made.body['submitterId']]).toEqual([201, null]);
    }
    const admin = await tenant.admin.post<Submission>(`${pathOf(formId)}/onbehalf`, {});
    expect(admin.body).toMatchObject({ submitterId: null, isTestSubmission: false });
  });

  it('names what is missing, refuses what is misspelt, and needs its permission', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const missing = await onBehalf(tenant, formId, { submitter: { profile: {} } });
    expect([missing.status, Object.keys(missing.body['errors'] as object).sort()]).toEqual([
      400,
      ['submitter.displayId', 'submitter.externalSubjectId'],
    ]);
    expect((await onBehalf(tenant, formId, { submiter: submitter })).status).toBe(400);
    expect(
      (await onBehalf(tenant, formId, { submitter: { ...submitter, authProvider: 'p'.repeat(65) } })).status,
    ).toBe(400);
    expect((await tenant.user().post(`${pathOf(formId)}/onbehalf`, {})).status).toBe(403);
    expect((await client(test.service.url).post(`/forms/${formId}/submissions/onbehalf`, {})).status).toBe(
      401,
    );
    expect((await onBehalf(tenantOf(test), formId, { submitter })).status).toBe(404);
  });
});

describe('the single-submission gate', () => {
  it('holds for on-behalf and for screened-out submissions, not for anonymous ones, and is freed by a delete', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const user = tenant.user({ sub: '1' });
    const out = await user.post<Submission>(pathOf(formId), { collectionOutcome: 'screen_out' });
    const blocked = await user.post<Submission>(pathOf(formId), {});
    expect(blocked.body).toMatchObject({
      errorCode: 'submission_already_exists',
      existingId: out.body['id'],
    });
    const vouched = { submitter: { externalSubjectId: '1', displayId: 'x', authProvider: 'Service' } };
    expect((await onBehalf(tenant, formId, vouched)).status).toBe(409);
    for (let n = 0; n < 2; n += 1)
      expect((await client(test.service.url).post(pathOf(formId), {})).status).toBe(201);
    await tenant.admin.delete(`${pathOf(formId)}/${out.body['id']}`);
    expect((await user.post(pathOf(formId), {})).status).toBe(201);
    expect((await user.post(pathOf(formId), {})).status).toBe(200);
  });

  it('makes a test submission on any form when a caller with Submissions.Test asks for one', async () => {
    const tenant = tenantOf(test);
    const [open, gated] = [await tenant.form(), await tenant.form({ limitOnePerUser: true })];
    for (const formId of [open, gated]) {
      const { status, body } = await tenant.admin.post<Submission>(pathOf(formId), { isTest: true });
      expect([status, body['isTestSubmission']]).toEqual([201, true]);
    }
    const usual = await tenant.admin.post<Submission>(pathOf(open), { isTest: false });
    expect(usual.body['isTestSubmission']).toBe(false);
    const viewer = await tenant.as('Viewer').post(pathOf(open), { isTest: true });
    const anonymous = await client(test.service.url).post(pathOf(open), { isTest: true });
    expect([viewer.status, anonymous.status]).toEqual([403, 401]);
    expect((await tenant.admin.post(pathOf(open), { isTest: 'perhaps' })).status).toBe(400);
  });

  it('makes test submissions, which hold no key, of callers with Submissions.Test; only on a gated form', async () => {
    const tenant = tenantOf(test);
    const gated = await tenant.form({ limitOnePerUser: true });
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await tenant.admin.post<Submission>(pathOf(gated), {});
      expect([status, body['isTestSubmission']]).toEqual([201, true]);
    }
    const open = await tenant.admin.post<Submission>(pathOf(await tenant.form()), {});
    expect(open.body['isTestSubmission']).toBe(false);
  });
});
