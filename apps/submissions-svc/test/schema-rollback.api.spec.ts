import { migrate, type Migration } from '@canvass/postgres';
import { migrations } from '../migrations';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous } = submissionCalls(() => test);
const next: Migration = {
  name: '9999_next',
  up: async (knex) => void (await knex.raw('alter table submissions add column next text')),
  down: async (knex) => void (await knex.raw('alter table submissions drop column next')),
};
const withNext = [...migrations, next];

/** The calls that respondents, staff and integrations live on. */
async function useTheApi(tenant: Tenant): Promise<void> {
  const formId = await tenant.form({ limitOnePerUser: true });
  const path = pathOf(formId);
  const begun = await anonymous().post<Submission>(path, { jsonData: '{"a":1}' });
  expect(begun.status).toBe(201);
  const token = byToken(formId, begun.body['token']);
  expect((await anonymous().patch(token, { metadata: '{"b":2}' })).status).toBe(200);
  expect((await anonymous().patch(token, { isComplete: true })).status).toBe(200);
  const identified = await tenant.user().post<Submission>(path, {}, { 'idempotency-key': formId });
  expect(identified.status).toBe(201);
  expect((await tenant.user().post(path, {})).status).toBe(200);
  const payload = { submitter: { externalSubjectId: formId, displayId: 'Ada' } };
  expect((await tenant.as('Integration').post(`${path}/onbehalf`, payload)).status).toBe(201);
  const one = `${path}/${identified.body['id']}`;
  const saved = { jsonData: '{"c":3}', isComplete: true };
  expect((await tenant.admin.put(one, saved)).status).toBe(200);
  expect((await tenant.admin.post(`${one}/status`, { status: 'read' })).status).toBe(200);
  expect((await tenant.admin.get(`${one}/versions`)).status).toBe(200);
  expect((await tenant.admin.get(`${path}?total=exact`)).body).toMatchObject({ total: 3 });
  const exported = await tenant.admin.post<Submission[]>(`${path}/export`, { format: 'json' });
  expect(exported.body).toHaveLength(3);
  expect((await tenant.admin.patch(`/api/forms/${formId}`, { name: 'Renamed' })).status).toBe(200);
  expect((await tenant.admin.get('/api/submitters')).status).toBe(200);
  expect((await tenant.admin.delete(one)).status).toBe(204);
  expect((await test.events({ entityId: begun.body['id']! })).map(({ type }) => type)).toEqual([
    'submission.created',
    'submission.updated',
    'submission.completed',
  ]);
}

it('the build works with its schema, with the one after it, and while one becomes the other', async () => {
  const tenant = tenantOf(test);
  await useTheApi(tenant);
  const applied = migrate(test.databaseUrl, withNext);
  await useTheApi(tenant);
  expect(await applied).toEqual([next.name]);
  await useTheApi(tenant);
  const undone = migrate(test.databaseUrl, withNext, { direction: 'down', to: migrations.at(-1)!.name });
  await useTheApi(tenant);
  expect(await undone).toEqual([next.name]);
  await useTheApi(tenant);
});
