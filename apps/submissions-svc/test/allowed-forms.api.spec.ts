import { startHarness, tenantOf, type Harness, type Reply } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

/** A tenant with two forms, each with a submission, and a service account that is restricted to the first. */
async function restricted(role: 'Admin' | 'Integration' = 'Integration') {
  const tenant = tenantOf(test);
  const [mine, other] = [await tenant.form(), await tenant.form()];
  const submissions: string[] = [];
  for (const form of [mine, other]) {
    const made = await tenant.user().post<{ id: string }>(`/api/forms/${form}/submissions`, {});
    submissions.push(made.body.id);
  }
  const account = tenant.as(role, { kind: 'service', sub: '77', forms: [mine] });
  return { tenant, account, mine, other, submissions: submissions as [string, string] };
}
const statusOf = ({ status }: Reply<unknown>) => status;

it('a restricted account uses its form as before', async () => {
  const { account, mine, submissions } = await restricted();
  const path = `/api/forms/${mine}/submissions`;
  expect(statusOf(await account.get(path))).toBe(200);
  expect(statusOf(await account.get(`${path}/${submissions[0]}`))).toBe(200);
  expect(statusOf(await account.post(`${path}/onbehalf`, {}))).toBe(201);
  expect(statusOf(await account.post(`/forms/${mine}/submissions/onbehalf`, {}))).toBe(201);
});

it('every other form is a 404, on every operation, also with an Idempotency-Key', async () => {
  const { tenant, account, other, submissions } = await restricted('Admin');
  const form = `/api/forms/${other}`;
  const one = `${form}/submissions/${submissions[1]}`;
  const before = await tenant.admin.get(one);
  const key = { 'idempotency-key': 'an unguessable key of more than 22 characters' };
  const replies: Reply<unknown>[] = [
    await account.get(form),
    await account.patch(form, { name: 'taken over' }),
    await account.delete(form),
    await account.get(`${form}/submissions`),
    await account.get(one),
    await account.get(`${one}/versions`),
    await account.patch(one, { jsonData: '{}' }),
    await account.delete(one),
    await account.get(`${form}/stats`),
    await account.post(`${form}/submissions/export`, {}),
    await account.post(`${form}/submissions/onbehalf`, {}),
    await account.post(`${form}/submissions/onbehalf`, {}, key),
    await account.post(`/forms/${other}/submissions/onbehalf`, {}),
    await account.post(`${form}/submissions`, {}),
    await account.get(`/api/public/forms/${other}`),
    await account.post(`/api/public/forms/${other}/access-tokens`),
  ];
  expect(replies.map(statusOf)).toEqual(replies.map(() => 404));
  expect((await tenant.admin.get(one)).body).toEqual(before.body);
  expect((await tenant.admin.get<{ name: string }>(form)).body.name).toBe('A form');
});

it('the list of forms has its forms only', async () => {
  const { account, tenant, mine } = await restricted('Admin');
  const path = '/api/forms?total=exact';
  const { body } = await account.get<{ items: { id: string }[]; total: number }>(path);
  expect([body.total, body.items.map(({ id }) => id)]).toEqual([1, [mine]]);
  expect((await tenant.admin.get<{ total: number }>(path)).body.total).toBe(2);
});

it('what belongs to all forms of the tenant is a 403', async () => {
  const { account, tenant } = await restricted('Admin');
  const { body } = await tenant.admin.get<{ items: { id: string }[] }>('/api/submitters');
  const submitter = `/api/submitters/${body.items[0]!.id}`;
  const replies: Reply<unknown>[] = [
    await account.post('/api/forms', { name: 'A new form', isEnabled: true }),
    await account.get('/api/submitters'),
    await account.get(submitter),
    await account.get(`${submitter}/export`),
    await account.delete(submitter),
    await account.get('/api/tenant/webhook-settings'),
  ];
  expect(replies.map(statusOf)).toEqual(replies.map(() => 403));
});

describe('ids and settings in a body need what their own routes need', () => {
  const settings = { webHookSettingsJson: '{}' };
  const lists = { dataListIds: ['4711'] };
  const deniedFor = (permission: string) => [403, expect.stringContaining(permission)];
  const shown = ({ status, body }: Reply<Record<string, unknown>>) => [status, body['detail']];

  it('an account that has neither saves its form without them, and with what is stored', async () => {
    const { account, tenant, mine } = await restricted('Admin');
    const path = `/api/forms/${mine}`;
    expect(statusOf(await account.put(path, { name: 'F', isEnabled: true }))).toBe(200);
    expect(shown(await account.patch(path, lists))).toEqual(deniedFor('DataLists.View'));
    expect(shown(await account.put(path, { name: 'F', isEnabled: true, ...lists }))).toEqual(
      deniedFor('DataLists.View'),
    );
    expect(shown(await account.post(`${path}/preview-tokens`, lists))).toEqual(deniedFor('DataLists.View'));
    expect(statusOf(await account.post(`${path}/preview-tokens`, { dataListIds: [] }))).toBe(200);
    expect(shown(await account.patch(path, settings))).toEqual(deniedFor('WebHooks.View'));
    expect(shown(await account.put(path, { name: 'F', isEnabled: true, ...settings }))).toEqual(
      deniedFor('WebHooks.View'),
    );

    expect(statusOf(await tenant.admin.patch(path, { ...lists, ...settings }))).toBe(200);
    const { body } = await account.get<{ dataListIds: string[] }>(path);
    expect(body.dataListIds).toEqual(lists.dataListIds);
    expect(statusOf(await account.patch(path, { ...lists, name: 'G' }))).toBe(200);
    expect(shown(await account.patch(path, { dataListIds: [] }))).toEqual(deniedFor('DataLists.View'));
    expect(shown(await account.patch(path, { webHookSettingsJson: null }))).toEqual(
      deniedFor('WebHooks.View'),
    );
    expect(shown(await account.put(path, { name: 'F', isEnabled: true }))).toEqual(
      deniedFor('WebHooks.View'),
    );
    expect(shown(await account.delete(`${path}/webhook-settings`))).toEqual(deniedFor('WebHooks.View'));
    const { revision } = (await tenant.admin.get<{ revision: string }>(path)).body;
    const versions = `${path}/versions`;
    const [first] = (await tenant.admin.get<{ items: { revision: string }[] }>(versions)).body.items;
    expect(statusOf(await account.post(`${versions}/${first!.revision}/restore`))).toBe(200);
    expect((await tenant.admin.get(path)).body).toMatchObject({
      ...lists,
      ...settings,
      name: 'G',
      revision: String(BigInt(revision) + 1n),
    });
  });

  it('an Editor has both, and a create asks for both', async () => {
    const tenant = tenantOf(test);
    const body = { name: 'F', isEnabled: true, ...lists, ...settings };
    expect(statusOf(await tenant.as('Editor').post('/api/forms', body))).toBe(201);
  });
});

it('a token with forms that are no ids is refused', async () => {
  const tenant = tenantOf(test);
  for (const forms of ['all', [1], ['x']]) {
    const account = tenant.as('Integration', { kind: 'service', sub: '77', forms });
    expect(statusOf(await account.get('/api/forms'))).toBe(401);
  }
});
