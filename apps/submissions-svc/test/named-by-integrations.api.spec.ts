import { startHarness, tenantOf, type Harness, type Reply, type Tenant } from './harness';
import { pathOf, type Submission } from './submission-calls';

/** Integrations cannot speak for people who sign in, unless the configuration permits it. */
let strict: Harness;
let permitting: Harness;
beforeAll(async () => {
  strict = await startHarness();
  permitting = await startHarness({
    submitter: { IntegrationsMayName: ['Service', 'Keycloak'], ProfileSnapshotFields: ['department'] },
  });
});
afterAll(async () => {
  await strict.close();
  await permitting.close();
});

const account = { kind: 'service', sub: '900' };
const onBehalf = (tenant: Tenant, formId: string, submitter: object): Promise<Reply<Submission>> =>
  tenant.as('Integration', account).post<Submission>(`${pathOf(formId)}/onbehalf`, {
    submitter: { displayId: 'a forged name', profile: { department: 'forged' }, ...submitter },
  });
const submitterOf = async (tenant: Tenant, { body }: Reply<Submission>) =>
  (await tenant.admin.get(`/api/submitters/${body['submitterId']}`)).body;

describe('by default', () => {
  it.each(['Service', 'Keycloak'])(
    'the provider %s is refused, and its records stay',
    async (authProvider) => {
      const tenant = tenantOf(strict);
      const formId = await tenant.form({ limitOnePerUser: true });
      const person =
        authProvider === 'Service'
          ? tenant.user({ sub: '4711', name: 'Ada' })
          : tenant.external({ sub: '4711', name: 'Ada', preferred_username: 'Ada' });
      const own = await person.post<Submission>(pathOf(await tenant.form()), {});
      const before = await submitterOf(tenant, own);
      for (const more of [{}, { appUserId: '4711' }]) {
        const reply = await onBehalf(tenant, formId, { authProvider, externalSubjectId: '4711', ...more });
        expect(reply.status).toBe(400);
        expect(reply.body).toMatchObject({ errors: { 'submitter.authProvider': [expect.any(String)] } });
      }
      expect(await submitterOf(tenant, own)).toEqual(before);
      expect((await person.post(pathOf(formId), {})).status).toBe(201);
    },
  );

  it.each(['service', 'SERVICE', 'Ｓervice', 'keycloak'])('so is %s', async (authProvider) => {
    const tenant = tenantOf(strict);
    const { status, body } = await onBehalf(tenant, await tenant.form(), {
      authProvider,
      externalSubjectId: '4711',
    });
    expect([status, body['errors']]).toEqual([400, { 'submitter.authProvider': [expect.any(String)] }]);
  });

  it('names of their own are accepted and refreshed as before', async () => {
    const tenant = tenantOf(strict);
    const formId = await tenant.form();
    for (const authProvider of [undefined, 'Hospital CRM']) {
      await onBehalf(tenant, formId, { authProvider, externalSubjectId: 'crm-1', displayId: 'One' });
      const again = await onBehalf(tenant, formId, {
        authProvider,
        externalSubjectId: 'crm-1',
        displayId: 'Two',
      });
      expect([again.status, (await submitterOf(tenant, again))['displayId']]).toEqual([201, 'Two']);
    }
  });
});

describe('with IntegrationsMayName', () => {
  it('another spelling of a permitted provider is refused', async () => {
    const tenant = tenantOf(permitting);
    const submitter = { authProvider: 'service', externalSubjectId: '4711' };
    expect((await onBehalf(tenant, await tenant.form(), submitter)).status).toBe(400);
  });

  it.each(['Service', 'Keycloak'])(
    'a known respondent of %s keeps display id and profile, in its record and in the submission',
    async (authProvider) => {
      const tenant = tenantOf(permitting);
      const formId = await tenant.form();
      const claims = { sub: '4711', name: 'Ada', preferred_username: 'Ada', department: 'Research' };
      const person = authProvider === 'Service' ? tenant.user(claims) : tenant.external(claims);
      const own = await person.post<Submission>(pathOf(formId), {});
      const before = await submitterOf(tenant, own);
      const named = await onBehalf(tenant, formId, { authProvider, externalSubjectId: '4711' });
      expect(named.body).toMatchObject({
        submitterId: own.body['submitterId'],
        submitterDisplayId: 'Ada',
        submitterProfileSnapshot: { department: 'Research' },
      });
      expect(await submitterOf(tenant, own)).toEqual(before);
    },
  );
});

it('a submission shows staff which integration created it', async () => {
  const tenant = tenantOf(strict);
  const formId = await tenant.form();
  const read = async ({ body }: Reply<Submission>) =>
    (await tenant.admin.get(`${pathOf(formId)}/${body['id']}`)).body;
  const vouched = await onBehalf(tenant, formId, { externalSubjectId: 'crm-1' });
  expect(await read(vouched)).toMatchObject({
    createdBy: { provider: 'Service', kind: 'service', subject: '900' },
  });
  const own = await tenant.user().post<Submission>(pathOf(formId), {});
  expect((await read(own))['createdBy']).toBeNull();
  await tenant.admin.patch(`${pathOf(formId)}/${vouched.body['id']}`, { createdBy: null, currentPage: 2 });
  expect((await read(vouched))['createdBy']).toMatchObject({ subject: '900' });
});
