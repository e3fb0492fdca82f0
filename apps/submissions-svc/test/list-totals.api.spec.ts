import { createDatabase, type Database } from '@canvass/postgres';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
let tenant: Tenant;
let db: Database;
beforeAll(async () => {
  test = await startHarness();
  tenant = tenantOf(test);
  db = createDatabase({ Url: test.databaseUrl, PoolMax: 4 });
});
afterAll(async () => {
  await db.close();
  await test.close();
});

const { begin } = submissionCalls(() => test);

const add = (formId: string, count: number) =>
  db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status)
     select $1, $2, false, false, 0, '{"n":1}', '{}', 'in_progress' from generate_series(1, $3::integer)`,
    [tenant.id, formId, count],
  );

const idsOf = async (formId: string) =>
  (
    await db.query<{ id: string }>(
      'select id from submissions where form_id = $1 and deleted_at is null order by id',
      [formId],
    )
  ).map(({ id }) => id);

async function read(formId: string, parameters: string) {
  const { status, body } = await tenant.admin.get<{
    items: Submission[];
    total: number;
    totalIsExact: boolean;
  }>(`${pathOf(formId)}?${parameters}`);
  expect([status, body]).toMatchObject([200, {}]);
  return { ...body, ids: body.items.map(({ id }) => id) };
}

it('totals are exact while submissions are deleted and restored', async () => {
  const formId = await tenant.form();
  await add(formId, 30);
  for (let n = 0; n < 4; n += 1) await begin(formId);
  const check = async () => {
    const ids = await idsOf(formId);
    const all = { total: ids.length, totalIsExact: true };
    expect(await read(formId, 'sortDir=asc&limit=200&total=exact')).toMatchObject({ ids, ...all });
    expect(await read(formId, 'sortBy=currentPage&limit=2&total=exact')).toMatchObject(all);
    expect(await read(formId, 'filter=isComplete:true&total=exact')).toMatchObject({ total: 0 });
  };
  await check();
  const [first, , third] = (await read(formId, 'sortDir=asc&limit=3')).ids;
  for (const id of [first, third]) await tenant.admin.delete(`${pathOf(formId)}/${id}`);
  await check();
  expect((await tenant.admin.post(`${pathOf(formId)}/${third}/restore`)).status).toBe(200);
  await check();
});

it('a total counts to 10,000; the list of forms counts all submissions', async () => {
  const formId = await tenant.form();
  await add(formId, 10_000);
  expect(await read(formId, 'limit=1&total=exact')).toMatchObject({ total: 10_000, totalIsExact: true });
  await add(formId, 2_000);
  await db.query('analyze submissions');
  for (const filter of ['', '&filter=isComplete:false', '&from=2026-01-01'])
    expect(await read(formId, `limit=1&total=exact${filter}`)).toMatchObject({
      items: [{}],
      total: 10_000,
      totalIsExact: false,
    });
  const forms = await tenant.admin.get('/api/forms?limit=1&fields=submissionsCount');
  expect(forms.body).toMatchObject({ items: [{ submissionsCount: 12_000 }] });
});
