import { createDatabase, idAt, type Database, type Queryable, type Sql } from '@canvass/postgres';
import fc from 'fast-check';
import Joi from 'joi';
import { filterOf, listQuery, type ListQuery } from '../src/submissions/filter-query';
import { listSubmissions } from '../src/submissions/list-submissions';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, type Submission } from './submission-calls';

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

const minute = 60_000;
const start = Date.UTC(2026, 2, 1);

/** A submission with the time of its id and the time of its creation, in minutes after the start. */
interface Made {
  id: number;
  created: number;
}

/** Ids of a millisecond are unique. */
let added = 0;
const add = (formId: string, made: readonly Made[]) =>
  db.query(
    `insert into submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, created_at)
     select $1, id, $2, false, false, 0, '{"n":1}', '{}', 'in_progress', created
     from unnest($3::bigint[], $4::timestamptz[]) as x (id, created)`,
    [
      tenant.id,
      formId,
      made.map(({ id }) => String(BigInt(idAt(new Date(start + id * minute))) + BigInt((added += 1)))),
      made.map(({ created }) => new Date(start + created * minute)),
    ],
  );

const timeOf = (minutes: number) => new Date(start + minutes * minute).toISOString();

/** Compares lists of a time with the rows; returns how many they have. */
async function expectListed(formId: string, from: number | null, to: number | null): Promise<number> {
  const order = from === null && to === null ? 'id desc' : 'created_at desc, id desc';
  const rows = await db.query<{ id: string }>(
    `select id from submissions where form_id = $1 and created_at >= coalesce($2::timestamptz, '-infinity')
       and created_at < coalesce($3::timestamptz, 'infinity') order by ${order}`,
    [formId, from === null ? null : timeOf(from), to === null ? null : timeOf(to)],
  );
  const times = [from === null ? '' : `&from=${timeOf(from)}`, to === null ? '' : `&to=${timeOf(to)}`].join(
    '',
  );
  const expected = rows.map(({ id }) => id);
  const path = `${pathOf(formId)}?limit=100&total=exact&search=${times}`;
  const { body } = await tenant.admin.get<{ items: Submission[]; total: number }>(path);
  expect([body.items.map(({ id }) => id), body.total]).toEqual([expected, expected.length]);
  return expected.length;
}

let large: string;
beforeAll(async () => {
  large = await tenant.form();
  await add(
    large,
    Array.from({ length: 20_000 }, (_, n) => ({ id: n, created: n })),
  );
  await db.query('analyze submissions');
});

/** Lists submissions of the large form. */
async function list(reader: Database, parameters: Record<string, string | string[]>): Promise<unknown> {
  const query = Joi.attempt(parameters, listQuery) as ListQuery;
  const filter = filterOf(tenant.id, large, query, []);
  return listSubmissions(reader, filter, query);
}

describe('lists of a time', () => {
  it('property: have the submissions that were created then, newest first, whatever their ids are', async () => {
    const minutes = fc.integer({ min: 0, max: 90 });
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          made: fc.array(fc.record({ id: minutes, late: fc.integer({ min: 0, max: 9 }) }), { maxLength: 20 }),
          // Of another system: the id has another time.
          others: fc.array(fc.record({ id: minutes, created: minutes }), { maxLength: 2 }),
          from: fc.option(minutes),
          length: fc.option(fc.integer({ min: 1, max: 60 })),
        }),
        async ({ made, others, from, length }) => {
          const formId = await tenant.form();
          await add(formId, [...made.map(({ id, late }) => ({ id, created: id - late })), ...others]);
          found += await expectListed(formId, from, length === null ? null : (from ?? 0) + length);
        },
      ),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(10);
  });

  it('read the submissions of their time only', async () => {
    let read = 0;
    const addUp = (node: PlanNode) => {
      if (/^submissions(_p\d+)?$/.test(node['Relation Name'] ?? ''))
        read += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      node.Plans?.forEach(addUp);
    };
    const query: Queryable['query'] = async <R>(sql: Sql<R>, values?: readonly unknown[]) => {
      const given = typeof sql === 'string' ? { text: sql, values } : sql;
      if (given.text.startsWith('explain')) return db.query(sql, values);
      const [row] = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${given.text}`,
        given.values,
      );
      addUp(row!['QUERY PLAN'][0]!.Plan);
      return db.query(sql, values);
    };
    const watched: Pick<Database, 'query' | 'transaction'> = {
      query,
      transaction: (work) => db.transaction((tx) => work({ ...tx, query })),
    };
    const rowsReadBy = async (parameters: Record<string, string>) => {
      read = 0;
      await list({ ...db, ...watched }, parameters);
      return read;
    };
    const [from, to] = [timeOf(500), timeOf(1_000)];
    for (const [parameters, max] of [
      [{ limit: '50', from, to }, 1_500],
      [{ limit: '50', to }, 1_500],
      [{ limit: '50', total: 'exact', from, to }, 2_000],
    ] as const) {
      const rows = await rowsReadBy(parameters);
      expect(rows).toBeGreaterThan(50);
      expect(rows).toBeLessThan(max);
    }
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}
