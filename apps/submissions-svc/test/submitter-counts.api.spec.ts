import { createDatabase, idAt, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { createSubmitterCounts } from '../src/counts';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';

let test: Harness;
let tenant: Tenant;
let db: Database;
beforeAll(async () => {
  test = await startHarness();
  tenant = tenantOf(test);
  db = createDatabase({ Url: test.databaseUrl, PoolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await test.close();
});

const start = BigInt(idAt(new Date(Date.UTC(2026, 2, 1))));

const addOld = (places: readonly number[]) =>
  db.query(
    `insert into submitters (tenant_id, id, auth_provider, external_subject_id, display_id)
     select $1, $2::bigint + n, 'External', 'old-' || n, 'Person ' || n from unnest($3::integer[]) n`,
    [tenant.id, String(start), places],
  );

const countRanges = () =>
  createSubmitterCounts(db, silentLogger).countRanges({ tenantId: tenant.id }, undefined, {
    size: 3,
    age: 3_600_000,
  });
const rangesOf = async () =>
  (
    await db.query<{ submitters: string }>(
      'select submitters from submitter_counts where tenant_id = $1 order by from_id',
      [tenant.id],
    )
  ).map(({ submitters }) => Number(submitters));

/** Compares all pages by number and the exact total with the rows; returns the ids, newest first. */
async function expectListed(): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from submitters where tenant_id = $1 order by id desc',
    [tenant.id],
  );
  const ids = rows.map(({ id }) => id);
  const read = async (query: string) =>
    (
      await tenant.admin.get<{ items: { id: string }[]; totalRecords: number; total: number }>(
        `/api/submitters?${query}`,
      )
    ).body;
  for (let page = 1; page <= Math.ceil(ids.length / 4) + 1; page += 1) {
    const found = await read(`page=${page}&pageSize=4`);
    expect(found.totalRecords).toBe(ids.length);
    expect(found.items.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 4, page * 4));
  }
  expect(await read('limit=1&total=exact')).toMatchObject({ total: ids.length, totalIsExact: true });
  return ids;
}

it('respondents are counted by ranges, and pages by number stay exact through erasures and imports', async () => {
  await addOld(Array.from({ length: 11 }, (_, n) => n * 10));
  await countRanges();
  expect(await rangesOf()).toEqual([3, 3, 3]);
  const ids = await expectListed();

  const erased = ids.at(-4)!;
  const { status } = await tenant.admin.delete(`/api/submitters/${erased}`);
  expect(status).toBeLessThan(300);
  expect(await expectListed()).not.toContain(erased);
  await addOld([5, 45, 105]);
  await expectListed();

  await countRanges();
  expect((await rangesOf()).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(10);
  await expectListed();
  const found = await tenant.admin.get<{ totalRecords: number }>('/api/submitters?search=person 1');
  expect(found.body.totalRecords).toBe(3);
});
