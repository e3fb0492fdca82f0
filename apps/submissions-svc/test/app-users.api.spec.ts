import { startHarness, tenantOf, type Reply, type Tenant, type Harness } from './harness';
import { answered, pathOf, together, type Submission } from './submission-calls';

/** `appUserId` identifies a submitter only together with the service's own provider. */
let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { IntegrationsMayName: ['Service'] } });
});
afterAll(() => test.close());

const onBehalf = (tenant: Tenant, formId: string, submitter: object): Promise<Reply<Submission>> =>
  answered(() =>
    tenant
      .as('Integration', { kind: 'service', sub: '900' })
      .post<Submission>(`${pathOf(formId)}/onbehalf`, { submitter: { displayId: 'One', ...submitter } }),
  );
const submitterOf = async (tenant: Tenant, { body }: Reply<Submission>) =>
  (await tenant.admin.get(`/api/submitters/${body['submitterId']}`)).body;

describe('an on-behalf submitter with an appUserId', () => {
  it('resolves to its provider and subject, whether or not the user is known', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const payload = { externalSubjectId: 'crm-1', appUserId: '4711' };
    const before = await onBehalf(tenant, formId, payload);
    const own = await tenant.user({ sub: '4711' }).post<Submission>(pathOf(formId), {});
    const after = await onBehalf(tenant, formId, payload);
    const without = await onBehalf(tenant, formId, { externalSubjectId: 'crm-1' });
    const ofHr = await onBehalf(tenant, formId, { ...payload, authProvider: 'HR' });

    expect(await submitterOf(tenant, own)).toMatchObject({
      authProvider: 'Service',
      externalSubjectId: '4711',
      appUserId: '4711',
    });
    expect(await submitterOf(tenant, before)).toMatchObject({
      authProvider: 'Integration',
      externalSubjectId: 'crm-1',
      appUserId: '4711',
    });
    expect([after.body['submitterId'], without.body['submitterId']]).toEqual(
      Array(2).fill(before.body['submitterId']),
    );
    expect(new Set([own, before, ofHr].map(({ body }) => body['submitterId'])).size).toBe(3);
  });

  it('passes the gate once, with and without the appUserId', async () => {
    const tenant = tenantOf(test);
    await tenant.user({ sub: '5' }).post(pathOf(await tenant.form()), {});
    const formId = await tenant.form({ limitOnePerUser: true });
    const first = await onBehalf(tenant, formId, { externalSubjectId: 'crm-1', appUserId: '5' });
    expect(first.status).toBe(201);
    for (const submitter of [{}, { appUserId: '5' }, { appUserId: '6' }]) {
      const again = await onBehalf(tenant, formId, { externalSubjectId: 'crm-1', ...submitter });
      expect([again.status, again.body['existingId']]).toEqual([409, first.body['id']]);
    }
  });

  it.each([
    { externalSubjectId: '31' },
    { externalSubjectId: '31', appUserId: 31 },
    { externalSubjectId: 'ada', appUserId: '31' },
  ])('is the user of the own provider that %j names', async (named) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const vouched = await onBehalf(tenant, formId, { authProvider: 'Service', ...named });
    expect(await submitterOf(tenant, vouched)).toMatchObject({
      authProvider: 'Service',
      externalSubjectId: '31',
      appUserId: '31',
    });
    const own = await tenant.user({ sub: '31' }).post<Submission>(pathOf(formId), {});
    expect([own.status, own.body['id']]).toEqual([200, vouched.body['id']]);
  });

  it('must name a user when the provider is the own one', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const reply = await onBehalf(tenant, formId, { authProvider: 'Service', externalSubjectId: 'ada' });
    expect([reply.status, reply.body['errors']]).toEqual([
      400,
      { 'submitter.externalSubjectId': ['must be the id of a user when authProvider is "Service"'] },
    ]);
  });

  it('and 100 racing first answers of that user make one submitter and one submission', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const user = tenant.user({ sub: '77' });
    const payload = { authProvider: 'Service', externalSubjectId: '77', appUserId: '77' };
    const replies = await together(200, (n) =>
      n % 2 === 0
        ? onBehalf(tenant, formId, payload)
        : answered(() => user.post<Submission>(pathOf(formId), {})),
    );
    const made = replies.filter(({ status }) => status === 201);
    // Her own repetitions return the submission, those of the integration are refused.
    expect([made.length, replies.filter(({ status }) => [200, 409].includes(status)).length]).toEqual([
      1, 199,
    ]);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(99);
    const rows = await test.db.query('select id, app_user_id as user from submitters where tenant_id = $1', [
      tenant.id,
    ]);
    expect(rows).toEqual([{ id: made[0]!.body['submitterId'], user: '77' }]);
  });

  it('of another provider and 100 racing first answers of that user make one submitter each', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const user = tenant.user({ sub: '78' });
    const payload = { externalSubjectId: 'crm-78', appUserId: '78' };
    const replies = await together(200, (n) =>
      n % 2 === 0
        ? onBehalf(tenant, formId, payload)
        : answered(() => user.post<Submission>(pathOf(formId), {})),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect([made.length, replies.filter(({ status }) => [200, 409].includes(status)).length]).toEqual([
      2, 198,
    ]);
    const rows = await test.db.query<{ provider: string; user: string }>(
      'select auth_provider as provider, app_user_id as user from submitters where tenant_id = $1 order by 1',
      [tenant.id],
    );
    expect(rows).toEqual([
      { provider: 'Integration', user: '78' },
      { provider: 'Service', user: '78' },
    ]);
  });
});
