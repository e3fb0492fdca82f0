import { randomUUID } from 'node:crypto';
import { client, startHarness, tenantOf, type Harness, type Tenant } from './harness';

let test: Harness;
beforeAll(async () => (test = await startHarness()));
afterAll(() => test.close());

/** Returns what identity-svc is answered. */
async function find(tenant: Tenant, query: Record<string, string>): Promise<[kind: string, id: string][]> {
  const search = new URLSearchParams({ tenantId: tenant.id, text: 'nothing has this name', ...query });
  for (const kind of ['form', 'submission', 'submitter']) search.append('kinds', kind);
  const service = client(test.service.internalUrl, test.internalToken());
  const { status, body } = await service.get<{ items: { kind: string; id: string }[] }>(
    `/internal/search?${search}`,
  );
  expect(status).toBe(200);
  return body.items.map(({ kind, id }) => [kind, id]);
}

it('finds forms and respondents by name, and submissions by id, of one tenant', async () => {
  const tenant = tenantOf(test);
  const name = randomUUID();
  const formId = await tenant.form({ name: `A ${name.toUpperCase()} 100%` });
  const { body } = await tenant
    .external({ sub: name, name: `Ada ${name}` })
    .post<{ id: string; submitterId: string }>(`/api/forms/${formId}/submissions`, {});
  expect(await find(tenant, { text: name })).toEqual([
    ['form', formId],
    ['submitter', body.submitterId],
  ]);
  expect(await find(tenant, { text: '0%' })).toEqual([['form', formId]]);
  expect(await find(tenant, { id: body.id })).toEqual([['submission', body.id]]);
  expect(await find(tenant, { id: formId })).toEqual([['form', formId]]);
  expect(await find(tenantOf(test), { text: name, id: body.id })).toEqual([]);
  await tenant.admin.delete(`/api/forms/${formId}/submissions/${body.id}`);
  await tenant.admin.delete(`/api/forms/${formId}`);
  expect(await find(tenant, { text: name, id: body.id })).toEqual([['submitter', body.submitterId]]);
});

it('finds only what belongs to the forms of the caller', async () => {
  const tenant = tenantOf(test);
  const name = randomUUID();
  const [mine, other] = [await tenant.form({ name }), await tenant.form({ name })];
  await tenant.external({ sub: name, name }).post(`/api/forms/${mine}/submissions`, {});
  expect(await find(tenant, { text: name, formIds: mine })).toEqual([['form', mine]]);
  expect((await find(tenant, { text: name })).map(([, id]) => id)).toEqual(
    expect.arrayContaining([mine, other]),
  );
});

it('is for services only', async () => {
  const path = '/internal/search?tenantId=1&text=abc&kinds=form';
  expect((await client(test.service.internalUrl).get(path)).status).toBe(401);
  const admin = test.own.token({ tid: '1', roles: ['Admin'] });
  expect((await client(test.service.internalUrl, admin).get(path)).status).toBe(401);
  expect((await client(test.service.url, test.internalToken()).get(path)).status).toBe(404);
});
