import { eventually } from '@canvass/testing';
import { createDatabase, type Database, type Queryable } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import fc from 'fast-check';
import { createFormCounts } from '../src/counts';
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

const hour = 3_600_000;
/** Ids of an hour ago and before. Ranges count them, as they count an import. */
const idsFrom = (ageMs: number) => BigInt(Date.now() - ageMs - Date.UTC(2026, 0, 1)) << 22n;

/** Adds submissions to a form, with these ids. */
const addOld = (writer: Queryable, formId: string, ids: readonly bigint[]) =>
  writer.query(
    `insert into submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status)
     select $1, id, $2, false, false, 0, '{"n":1}', '{}', 'in_progress' from unnest($3::bigint[]) id on conflict do nothing`,
    [tenant.id, formId, ids.map(String)],
  );

/** Runs a statement for the submission at a place in the order of ids. */
const changeAt = (writer: Queryable, formId: string, place: number, change: string, isDeleted = false) =>
  writer.query(
    `${change} where tenant_id = $1 and id = (select id from submissions
       where tenant_id = $1 and form_id = $2 and deleted_at is ${isDeleted ? 'not null' : 'null'} order by id offset $3 limit 1)`,
    [tenant.id, formId, place],
  );

const counts = () => createFormCounts(db, silentLogger);
const rangesOf = async (formId: string) =>
  (
    await db.query<{ submissions: string }>(
      'select submissions from submission_counts where form_id = $1 order by from_id',
      [formId],
    )
  ).map(({ submissions }) => Number(submissions));
const idsOf = async (reader: Queryable, formId: string) =>
  (
    await reader.query<{ id: string }>(
      'select id from submissions where form_id = $1 and deleted_at is null order by id',
      [formId],
    )
  ).map(({ id }) => id);
const ranges = (formId: string) =>
  counts().countRanges({ tenantId: tenant.id, formId }, undefined, { size: 3, age: hour });

/** Compares the total and the starts of all pages with the rows, in one snapshot. */
async function expectCounted(formId: string): Promise<number> {
  const form = { tenantId: tenant.id, formId };
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    const ids = await idsOf(tx, formId);
    expect(await counts().total(tx, form)).toBe(ids.length);
    for (const sortDir of ['asc', 'desc'] as const) {
      const listed = sortDir === 'asc' ? ids : ids.toReversed();
      for (let offset = 0; offset <= ids.length; offset += 1) {
        const start = await counts().page(tx, form, { offset, sortDir });
        expect(start.total).toBe(ids.length);
        const bound = BigInt(start.startId ?? 0);
        const following = listed.filter(
          (id) => start.startId === null || (sortDir === 'asc' ? BigInt(id) >= bound : BigInt(id) < bound),
        );
        expect(following[start.offset]).toBe(listed[offset]);
      }
    }
    return ids.length;
  });
}

describe('counts of a form by ranges', () => {
  it('property: equal a count over the rows after any history', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('old' as const), ids: fc.array(fc.nat(60), { maxLength: 12 }) }),
      fc.record({
        kind: fc.constantFrom('new' as const, 'delete' as const, 'restore' as const, 'remove' as const),
        place: fc.nat(8),
      }),
      fc.record({ kind: fc.constant('count' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const formId = await tenant.form();
        const base = idsFrom(3 * hour);
        for (const each of steps) {
          if (each.kind === 'old')
            await addOld(
              db,
              formId,
              each.ids.map((id) => base + BigInt(id) * 1_000n + (BigInt(formId) % 1_000n)),
            );
          else if (each.kind === 'new') await begin(formId);
          else if (each.kind === 'count') await ranges(formId);
          else if (each.kind === 'remove') await changeAt(db, formId, each.place, 'delete from submissions');
          else {
            const isDeleted = each.kind === 'restore';
            const set = `update submissions set deleted_at = ${isDeleted ? 'null' : 'now()'}`;
            await changeAt(db, formId, each.place, set, isDeleted);
          }
          await expectCounted(formId);
        }
        await ranges(formId);
        expect(await expectCounted(formId)).toBe((await idsOf(db, formId)).length);
      }),
      { numRuns: 15 },
    );
  });

  it('stay exact while submissions change beside the count', async () => {
    const formId = await tenant.form();
    const base = idsFrom(3 * hour);
    await addOld(
      db,
      formId,
      Array.from({ length: 40 }, (_, n) => base + BigInt(n * 10)),
    );
    let [changes, reads] = [0, 0];
    const change = async (writer: number) => {
      for (let n = 0; n < 40 || reads < 4; n += 1, changes += 1)
        await db.transaction(async (tx) => {
          const place = (n * 7 + writer) % 20;
          if (n % 4 === 0) await addOld(tx, formId, [base + BigInt((n * 97) % 400) + BigInt(writer + 1)]);
          else if (n % 4 === 1)
            await changeAt(tx, formId, place, 'update submissions set deleted_at = now()');
          else if (n % 4 === 2)
            await changeAt(tx, formId, 0, 'update submissions set deleted_at = null', true);
          else await changeAt(tx, formId, place, 'delete from submissions');
          await tx.query('select pg_sleep(0.002)');
        });
    };
    const writing = Promise.all([change(0), change(1)]);
    let isWriting = true;
    void writing.finally(() => (isWriting = false));
    while (isWriting) {
      await ranges(formId);
      await expectCounted(formId);
      reads += 1;
    }
    await writing;
    expect(changes).toBeGreaterThanOrEqual(80);
    await ranges(formId);
    await expectCounted(formId);
    expect((await rangesOf(formId)).length).toBeGreaterThan(5);
  });

  it('give pages by number and exact totals over HTTP', async () => {
    const formId = await tenant.form();
    const base = idsFrom(3 * hour);
    await addOld(
      db,
      formId,
      Array.from({ length: 30 }, (_, n) => base + BigInt(n * 10)),
    );
    for (let n = 0; n < 4; n += 1) await begin(formId);
    await ranges(formId);
    expect(await rangesOf(formId)).toEqual(Array.from({ length: 9 }, () => 3));
    const read = async (parameters: string) => {
      const { status, body } = await tenant.admin.get<{
        items: Submission[];
        totalRecords: number;
        total: number;
      }>(`${pathOf(formId)}?${parameters}`);
      expect(status).toBe(200);
      return { ...body, ids: body.items.map(({ id }) => id) };
    };
    const check = async () => {
      const ids = await idsOf(db, formId);
      for (const [sortDir, listed] of [
        ['asc', ids],
        ['desc', ids.toReversed()],
      ] as const)
        for (let page = 1; page <= Math.ceil(ids.length / 5) + 1; page += 1) {
          const found = await read(`sortDir=${sortDir}&page=${page}&pageSize=5`);
          expect(found.ids).toEqual(listed.slice((page - 1) * 5, page * 5));
          expect(found.totalRecords).toBe(ids.length);
        }
      const sorted = await read('sortBy=currentPage&pageSize=200');
      expect([sorted.totalRecords, sorted.ids.length]).toEqual([ids.length, ids.length]);
      const filtered = await read('filter=isComplete:true&pageSize=5');
      expect(filtered.totalRecords).toBe(0);
      expect(await read('limit=2&total=exact')).toMatchObject({ total: ids.length, totalIsExact: true });
    };
    await check();
    const [first, , third] = (await read('sortDir=asc&limit=3')).ids;
    for (const id of [first, third]) await tenant.admin.delete(`${pathOf(formId)}/${id}`);
    await check();
    expect((await tenant.admin.post(`${pathOf(formId)}/${third}/restore`)).status).toBe(200);
    await check();
    await ranges(formId);
    expect((await rangesOf(formId)).reduce((sum, n) => sum + n, 0)).toBe(26);
    await check();
  });

  it('are not needed for exact pages by number of a form that was not counted yet', async () => {
    const formId = await tenant.form();
    const [base, size] = [idsFrom(3 * hour), 100_001];
    const ids = Array.from({ length: size }, (_, n) => base + BigInt(n * 10));
    await addOld(db, formId, ids);
    for (const [order, first] of [
      ['asc', ids[150]],
      ['desc', ids.at(-151)],
    ] as const) {
      const path = `${pathOf(formId)}?page=4&pageSize=50&sortDir=${order}`;
      const { status, body } = await tenant.admin.get<{ items: Submission[]; totalRecords: number }>(path);
      expect(status).toBe(200);
      expect([body.totalRecords, body.items.length, body.items[0]!.id]).toEqual([size, 50, String(first)]);
    }
  });

  it('are made for a form that was read and has many submissions, and only for it', async () => {
    const [large, small] = [await tenant.form(), await tenant.form()];
    const base = idsFrom(3 * hour);
    await addOld(
      db,
      large,
      Array.from({ length: 30_001 }, (_, n) => base + BigInt(n * 10)),
    );
    await addOld(
      db,
      small,
      Array.from({ length: 50 }, (_, n) => base + BigInt(n * 10 + 1)),
    );
    const made = counts();
    const read = (formId: string) => made.total(db, { tenantId: tenant.id, formId });
    expect([await read(large), await read(small)]).toEqual([30_001, 50]);
    made.start();
    made.wake();
    try {
      await eventually(async () => expect(await rangesOf(large)).toEqual([10_000, 10_000, 10_000]));
      expect(await read(large)).toBe(30_001);
      expect(await rangesOf(small)).toEqual([]);
    } finally {
      await made.stop();
    }
  });

  it('are removed with the form', async () => {
    const formId = await tenant.form();
    await addOld(
      db,
      formId,
      Array.from({ length: 7 }, (_, n) => idsFrom(3 * hour) + BigInt(n * 10)),
    );
    await ranges(formId);
    expect(await rangesOf(formId)).toEqual([3, 3]);
    await db.query('delete from submissions where form_id = $1', [formId]);
    await db.query('delete from forms where id = $1', [formId]);
    expect(await rangesOf(formId)).toEqual([]);
  });
});
