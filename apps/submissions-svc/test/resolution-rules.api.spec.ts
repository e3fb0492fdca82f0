import path from 'node:path';
import type { Principal } from '@canvass/auth';
import { createExtractorResolver } from '../src/submitters/resolve-submitter';
import type { SubmitterExtractor } from '../src/submitters';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

/** Rules of the specification on who a respondent is that no other spec looks at by itself. */
let test: Harness;
let departments: Harness;
beforeAll(async () => {
  test = await startHarness({
    submitter: { DisplayIdClaimTypes: ['badge', 'nickname'], ProfileSnapshotFields: ['department', 'team'] },
  });
  departments = await startHarness({
    submitter: {
      Resolver: path.join(__dirname, 'fixtures/department-resolver.js'),
      ProfileSnapshotFields: ['team'],
    },
  });
});
afterAll(async () => {
  await test.close();
  await departments.close();
});

const { begin } = submissionCalls(() => test);
const vouch = (tenant: Tenant, formId: string, submitter: object) =>
  tenant
    .as('Integration', { kind: 'service', sub: '900' })
    .post<Submission>(`/forms/${formId}/submissions/onbehalf`, { submitter });
const stored = async (tenant: Tenant, { body }: { body: Submission }) =>
  (await tenant.admin.get(`/api/submitters/${body['submitterId']}`)).body;

describe('an on-behalf payload', () => {
  it('may name a provider of its own, under which the same subject is another submitter', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const person = { externalSubjectId: '7', displayId: 'Seven' };
    const usual = await vouch(tenant, formId, person);
    const custom = await vouch(tenant, formId, { ...person, authProvider: 'Hospital CRM' });
    const again = await vouch(tenant, formId, {
      ...person,
      authProvider: 'Hospital CRM',
      displayId: 'Siete',
    });
    expect(await stored(tenant, usual)).toMatchObject({
      authProvider: 'Integration',
      externalSubjectId: '7',
    });
    expect(await stored(tenant, custom)).toMatchObject({ authProvider: 'Hospital CRM', displayId: 'Siete' });
    expect(again.body['submitterId']).toBe(custom.body['submitterId']);
    expect(custom.body['submitterId']).not.toBe(usual.body['submitterId']);
  });

  it('is normalized before it is looked up: the same person with spaces around is the same submitter', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const one = await vouch(tenant, formId, { externalSubjectId: 'crm-1', displayId: 'One' });
    const spaced = { externalSubjectId: '  crm-1 ', displayId: ' One ', authProvider: ' Integration ' };
    const two = await vouch(tenant, formId, spaced);
    expect(two.body['submitterId']).toBe(one.body['submitterId']);
    expect(two.body['submitterDisplayId']).toBe('One');
  });

  it('fills the snapshot by names that match to the letter, and by no others', async () => {
    const tenant = tenantOf(test);
    const profile = { department: 'A', Department: 'B', TEAM: 'C', team: 'red', email: 'x@y.example' };
    const { body } = await vouch(tenant, await tenant.form(), {
      externalSubjectId: '1',
      displayId: 'D',
      profile,
    });
    expect(body['submitterProfileSnapshot']).toEqual({ department: 'A', team: 'red' });
  });
});

it('the display id is the first configured claim that is not empty, in the order of the configuration', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const shown = async (claims: object) =>
    (await tenant.external({ name: 'By name', ...claims }).post<Submission>(pathOf(formId), {})).body[
      'submitterDisplayId'
    ];
  expect(await shown({ nickname: 'Nick', badge: 'B-1' })).toBe('B-1');
  expect(await shown({ nickname: 'Nick', badge: '' })).toBe('Nick');
  expect(await shown({ nickname: ' ', Badge: 'B-2' })).toBe('By name');
  expect(await shown({ nickname: {}, badge: [] })).toBe('By name');
});

it('an operator who works on a submission becomes no submitter, and does not change whose it is', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const anonymous = await begin(formId);
  const { body: theirs } = await tenant.user({ sub: '5' }).post<Submission>(pathOf(formId), {});
  for (const { id } of [anonymous, theirs]) {
    await tenant.admin.patch(`${pathOf(formId)}/${id}`, { currentPage: 3 });
    await tenant.admin.put(`${pathOf(formId)}/${id}`, { isComplete: true });
    await tenant.admin.post(`${pathOf(formId)}/${id}/status`, { status: 'read' });
  }
  const read = async (id: string | undefined) =>
    (await tenant.admin.get<Submission>(`${pathOf(formId)}/${id}`)).body['submitterId'];
  expect([await read(anonymous['id']), await read(theirs['id'])]).toEqual([null, theirs['submitterId']]);
  const rows = await test.db.query(
    'select external_subject_id as subject from submitters where tenant_id = $1',
    [tenant.id],
  );
  expect(rows).toEqual([{ subject: '5' }]);
});

it('extractors run in ascending priority, whatever order they are named in; the first that can extract decides', async () => {
  const asked: string[] = [];
  const extractor = (name: string, priority: number, can: boolean): SubmitterExtractor => ({
    priority,
    canExtract: () => (asked.push(name), can),
    extract: () => ({
      authProvider: name,
      externalSubjectId: '1',
      displayId: name,
      appUserId: null,
      profile: {},
    }),
  });
  const settings = {
    DisplayIdClaimTypes: [],
    ProfileSnapshotFields: [],
    Extractors: [],
    ExtractorTimeoutMs: 1000,
  };
  const custom = [
    extractor('late', 200, true),
    extractor('early', 99, false),
    extractor('between', 120, true),
  ];
  const resolver = createExtractorResolver(settings, custom);
  const caller = (kind: Principal['kind'], provider: string) =>
    ({
      kind,
      provider,
      subject: '9',
      tenantId: '1',
      roles: [],
      permissions: new Set(),
      claims: {},
    }) as Principal;
  // Own users are 100, external identities 150, anonymous 300.
  expect(await resolver.resolve(caller('user', 'Service'))).toMatchObject({
    authProvider: 'Service',
    appUserId: '9',
  });
  expect(asked).toEqual(['early']);
  expect(await resolver.resolve(caller('external', 'Idp'))).toMatchObject({ authProvider: 'between' });
  const builtIn = createExtractorResolver(settings, [extractor('late', 200, true)]);
  expect(await builtIn.resolve(caller('external', 'Idp'))).toMatchObject({ authProvider: 'Idp' });
  expect(await builtIn.resolve(caller('service', 'Service'))).toMatchObject({ authProvider: 'late' });
  expect(await createExtractorResolver(settings, []).resolve(caller('service', 'Service'))).toBeNull();
});

it('a replaced resolver keeps what must be kept: tenant, stable id, display id, safe snapshot and the gate', async () => {
  const [tenant, other] = [tenantOf(departments), tenantOf(departments)];
  const [formId, elsewhere] = [await tenant.form({ limitOnePerUser: true }), await other.form()];
  const of = (owner: Tenant, sub: string) => owner.external({ sub, department: 'HR', team: 'red' });
  const first = await of(tenant, 'ann').post<Submission>(pathOf(formId), {});
  expect([first.status, first.body['submitterDisplayId'], first.body['submitterProfileSnapshot']]).toEqual([
    201,
    'HR',
    {},
  ]);
  const second = await of(tenant, 'bob').post<Submission>(pathOf(formId), {});
  expect([second.status, second.body['id']]).toEqual([200, first.body['id']]);
  const open = await of(tenant, 'bob').post<Submission>(pathOf(await tenant.form()), {});
  expect(open.body['submitterId']).toBe(first.body['submitterId']);
  const stranger = await of(other, 'ann').post<Submission>(pathOf(elsewhere), {});
  expect(stranger.body['submitterId']).not.toBe(first.body['submitterId']);
});
