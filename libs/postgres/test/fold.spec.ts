import { testDatabase, type TestDatabase } from '@canvass/testing';
import { contains, createDatabase, fold, foldSchema, migrate, schemaMigration, type Database } from '../src';

const migrations = [schemaMigration([foldSchema], 0)];

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({
    migrations,
    schema: 'spec',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The texts that Postgres folds to something else, with both results. */
async function differences(texts: string[]): Promise<[string, string, string][]> {
  const rows = await db.query<{ text: string; folded: string }>(
    'select text, fold(text) as folded from unnest($1::text[]) text',
    [texts],
  );
  return rows.flatMap(({ text, folded }) => {
    const wanted = fold(text);
    return folded === wanted ? [] : [[text, folded, wanted] as [string, string, string]];
  });
}

it('folds every character of Unicode in Postgres as in memory', async () => {
  const isAssigned = /[^\p{Cn}\p{Cs}]/u;
  const all = Array.from({ length: 0x11_0000 - 1 }, (_, n) => n + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => isAssigned.test(character) && !/\p{Co}/u.test(character));
  expect(all.length).toBeGreaterThan(140_000);
  const known = await db.query<{ text: string }>(
    'select text from unnest($1::text[]) text where unicode_assigned(text)',
    [all],
  );
  expect(known.length).toBeGreaterThan(140_000);
  expect(await differences(known.map(({ text }) => `x${text}y`))).toEqual([]);
});

it.each([
  'Ångström',
  'İSTANBUL ISPARTA ısparta',
  'ΟΔΟΣ οδός ΣΑΣ',
  'Straße STRAẞE',
  'q\u0323\u0307 q\u0307\u0323',
  'がか\u3099 ハ\u309a',
  '한국 \u1112\u1161\u11ab',
  'कि का कॄ',
  '  many   spaces\t\n here \u00a0\u2003\u2028\u2029 ',
  '`quoted´ “text” — and–dashes',
  'فرهنگ‌نامه أحمد مدرسة ٣٤٥ ۱۲۳',
  '½ ¾ ⅓ ﬃ ŉ ㍿ ｶﾞ',
  '\ud83d\ude00 emoji \u{1f468}\u200d\u{1f469}',
  '',
])('folds %j in Postgres as in memory', async (text) => {
  expect(await differences([text])).toEqual([]);
});

it('finds by any spelling, with an index', async () => {
  await db.query('create table names (id int, name text)');
  await db.query('create index names_search on names using gin (fold(name) extensions.gin_trgm_ops)');
  await db.query(`insert into names select n, 'Form ' || n from generate_series(1, 5000) n`);
  await db.query(`insert into names values (0, 'Befragung ÅNGSTRÖM 100%_'), (-1, 'Łódź'), (-2, 'كتاب ٣٤٥')`);
  await db.query('analyze names');
  const find = async (text: string) =>
    (
      await db.query<{ id: number }>(
        `select id from names where ${contains('name', '$1::text')} order by id`,
        [text],
      )
    ).map(({ id }) => id);
  expect(await find('angstrom')).toEqual([0]);
  expect(await find('ÅNGSTRÖM 100%_')).toEqual([0]);
  expect(await find('100%x')).toEqual([]);
  expect(await find('lodz')).toEqual([-1]);
  expect(await find('کتاب')).toEqual([-2]);
  expect(await find('345')).toContain(-2);
  expect(await find('łó')).toEqual([-1]);
  const [plan] = await db.query<{ 'QUERY PLAN': string }>(
    `explain (format json) select id from names where ${contains('name', `'angstrom'`)}`,
  );
  expect(JSON.stringify(plan)).toContain('names_search');
});
