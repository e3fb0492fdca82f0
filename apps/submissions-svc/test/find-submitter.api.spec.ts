import { allSubmitters } from '../src/submitters/submitters.sql';
import { client, startHarness, tenantOf, type Harness, type Tenant } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['email', 'department'] } });
});
afterAll(() => test.close());

const pathOf = (formId: string) => `/api/forms/${formId}/submissions`;

/** Names a respondent, as an integration does. */
const name = async (tenant: Tenant, submitter: object): Promise<string> => {
  const { status, body } = await tenant
    .as('Integration', { kind: 'service', sub: '900' })
    .post<{ submitterId: string }>(`${pathOf(await tenant.form())}/onbehalf`, { submitter });
  expect(status).toBe(201);
  return body.submitterId;
};

const found = async (tenant: Tenant, search: string): Promise<string[]> => {
  const path = `/api/submitters?search=${encodeURIComponent(search)}`;
  const { status, body } = await tenant.admin.get<{ items: { id: string }[] }>(path);
  expect(status).toBe(200);
  return body.items.map(({ id }) => id);
};

describe('search for a person', () => {
  it('finds the subject, the e-mail address and any other field of the profile', async () => {
    const tenant = tenantOf(test);
    const department = 'Köln & "Łódź" \\ 100%';
    const profile = { email: 'A.Huber.0482@Example.org', department };
    const first = await name(tenant, { displayId: 'Anna Huber', externalSubjectId: 'crm-MWZ-0070', profile });
    const second = await name(tenant, {
      displayId: 'Anna Huber',
      externalSubjectId: 'crm-MWZ-0071',
      profile: { email: 'other@example.org' },
    });
    expect(await found(tenant, 'huber')).toEqual([second, first]);
    for (const search of ['mwz-0070', '0482@example', 'KOLN', '"lodz"', '\\ 100%', '0070', '%'])
      expect([search, await found(tenant, search)]).toEqual([search, [first]]);
    // Names of fields, and texts across the border of two fields, are no texts of a person.
    for (const search of ['department', 'Huber crm', 'unknown'])
      expect(await found(tenant, search)).toEqual([]);
    expect(await found(tenantOf(test), '0482@example')).toEqual([]);
  });

  it('finds the profile as of the latest resolution', async () => {
    const tenant = tenantOf(test);
    const person = { displayId: 'Bo', externalSubjectId: 'crm-1' };
    const id = await name(tenant, { ...person, profile: { email: 'before@example.org' } });
    await name(tenant, { ...person, profile: { email: 'after@example.org' } });
    expect(await found(tenant, 'after@')).toEqual([id]);
    expect(await found(tenant, 'before@')).toEqual([]);
  });

  it('is part of the search of everything', async () => {
    const tenant = tenantOf(test);
    const email = 'global.search@example.org';
    const id = await name(tenant, { displayId: 'Cy', externalSubjectId: 'crm-7', profile: { email } });
    const search = async (tenantId: string, text: string) => {
      const query = new URLSearchParams({ tenantId, text, kinds: 'submitter' });
      const service = client(test.service.internalUrl, test.internalToken());
      return (await service.get<{ items: object[] }>(`/internal/search?${query}`)).body.items;
    };
    for (const text of ['global.search', 'crm-7'])
      expect(await search(tenant.id, text)).toMatchObject([{ kind: 'submitter', id, name: 'Cy' }]);
    expect(await search(tenantOf(test).id, email)).toEqual([]);
  });
});

describe('GET /api/submitters', () => {
  it('searches the display id and pages', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    for (const name of ['Ann', 'Bea', 'Anna'])
      await tenant.external({ sub: name, name }).post(pathOf(formId), {});
    const { body } = await tenant.admin.get('/api/submitters?search=ann&limit=1&total=exact');
    expect(body).toMatchObject({ total: 2, items: [{ displayId: 'Anna' }] });
    expect((await tenant.user().get('/api/submitters')).status).toBe(403);
  });

  it('finds texts of one and two letters, without the index that would be read whole for them', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    for (const name of ['Ann', 'B%', 'Anna'])
      await tenant.external({ sub: name, name }).post(pathOf(formId), {});
    for (const [search, found] of [
      ['N', ['Anna', 'Ann']],
      ['%', ['B%']],
      ['na', ['Anna']],
      ['z', []],
    ] as const) {
      const path = `/api/submitters?search=${encodeURIComponent(search)}`;
      const { body } = await tenant.admin.get<{ items: { displayId: string }[] }>(path);
      expect(body.items.map(({ displayId }) => displayId)).toEqual(found);
    }
    // The index has `like`. Postgres chooses the branch of the condition before it plans.
    const planFor = async (search: string) => {
      const { text, values } = allSubmitters({ tenantId: tenant.id, search });
      return JSON.stringify(await test.db.query(`explain ${text}`, values));
    };
    expect(await planFor('ann')).toContain('(folded ~~ ');
    for (const search of ['a', 'an']) expect(await planFor(search)).not.toContain('~~');
  });
});
