import { createDatabase, type Database } from '@canvass/postgres';
import { eventually } from '@canvass/testing';
import type { Reply } from './client';
import { faultFiles } from './fault-files';
import { faultyCsv, faultyNdjson } from './faulty-files';
import { startHarness, type Harness } from './harness';
import { newStagedList, oldItems, type KeyPage } from './staged-lists';

let harness: Harness;
let db: Database;
beforeAll(async () => {
  harness = await startHarness();
  db = createDatabase({ Url: harness.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await harness.close();
});

interface FaultView {
  line: number | null;
  column: number | null;
  field: string | null;
  code: string;
  message: string;
}
/** Every page of a list. */
async function allOf<T>(get: (path: string) => Promise<Reply<KeyPage<T>>>, path: string): Promise<T[]> {
  const all: T[] = [];
  let after = '';
  do {
    const { status, body } = await get(`${path}${after}`);
    expect(status).toBe(200);
    all.push(...body.items);
    after = body.next === null ? '' : `&after=${encodeURIComponent(body.next)}`;
  } while (after !== '');
  return all;
}

const countOf = async (sql: string, id: string) =>
  (await db.query<{ count: number }>(`select count(*)::int as count from ${sql}`, [id]))[0]!.count;

describe('a file with errors', () => {
  it('is rejected with its errors: more than 30 kinds, each with a code and a place', async () => {
    const { admin, path, read, stage } = await newStagedList(harness);
    const seen = new Set<string>();
    for (const { type, body, codes } of faultFiles) {
      const made = await stage(body, type);
      expect([made.status, made.body.state, made.body.faults]).toEqual([201, 'rejected', codes.length]);
      const faults = await admin.get<KeyPage<FaultView>>(`${path}/imports/${made.body.id}/faults?limit=200`);
      expect(faults.body.items.map(({ code }) => code)).toEqual(codes);
      for (const { code, line } of faults.body.items) {
        seen.add(code);
        expect([code, line]).toEqual([
          code,
          ['not_utf8', 'file_empty'].includes(code) ? null : expect.any(Number),
        ]);
      }
      const byCode = Object.fromEntries(codes.map((code) => [code, codes.filter((c) => c === code).length]));
      expect(made.body.faultsByCode).toEqual(byCode);
      expect((await admin.request('DELETE', `${path}/imports/${made.body.id}`)).status).toBe(204);
    }
    expect(seen.size).toBeGreaterThanOrEqual(30);
    expect((await read()).items).toEqual(oldItems);
  });

  it.each([
    ['CSV', faultyCsv],
    ['NDJSON', faultyNdjson],
  ])('of every kind that does not end the reading: all are shown page by page (%s)', async (_, fileOf) => {
    const { admin, path, stage } = await newStagedList(harness);
    const { type, body, expected } = fileOf(5_000, 500);
    const made = await stage(body, type);
    expect(made.body).toMatchObject({ state: 'rejected', faults: 500 });
    const all = await allOf<FaultView>(admin.get, `${path}/imports/${made.body.id}/faults?limit=200`);
    expect(all.map(({ line, code }) => ({ line, code }))).toEqual(expected);
    expect(new Set(expected.map(({ code }) => code)).size).toBeGreaterThanOrEqual(15);
  });

  it('shows all of many errors page by page, in the order of the file, also of one code', async () => {
    const { admin, path, stage } = await newStagedList(harness);
    const lines = Array.from({ length: 20_000 }, (_, n) =>
      n % 10 === 3 ? `v${n},` : n % 10 === 7 ? `v${n},L,more` : `v${n},L`,
    );
    const made = await stage(`value,default\n${lines.join('\n')}`);
    expect(made.body).toMatchObject({
      state: 'rejected',
      rows: 16_000,
      faults: 4_000,
      faultsByCode: { default_missing: 2_000, cell_count: 2_000 },
      isWhole: true,
      difference: null,
    });
    const one = `${path}/imports/${made.body.id}`;
    const all = await allOf<FaultView>(admin.get, `${one}/faults?limit=200`);
    expect(all.map(({ line }) => line)).toEqual(
      lines.flatMap((text, n) => (/^v\d+,(L,more)?$/.test(text) ? [n + 2] : [])),
    );
    const some = await allOf<FaultView>(admin.get, `${one}/faults?limit=200&code=cell_count`);
    expect(some).toHaveLength(2_000);
    expect(new Set(some.map(({ code }) => code))).toEqual(new Set(['cell_count']));
    const page = await admin.get(`${one}/faults?limit=10&total=exact`);
    expect(page.body).toMatchObject({ total: 4_000, items: { length: 10 } });
    const apply = await admin.request('POST', `${one}/apply`);
    expect([apply.status, apply.body['errorCode']]).toEqual([409, 'conflict']);
    // Nothing of its items stays.
    await eventually(
      async () =>
        (await countOf("items where list_id = $1 and value like 'v%'", path.split('/').at(-1)!)) === 0,
    );
  });
});
