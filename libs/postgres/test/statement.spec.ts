import { testDatabase, type TestDatabase } from '@canvass/testing';
import { createDatabase, statement, type Database } from '../src';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({
    template: 'postgres-statements 1',
    schema: 'postgres_statements',
    prepare: () => Promise.resolve(),
  });
  db = createDatabase({ Url: database.url, PoolMax: 1 });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Params {
  word: string;
  count: number | null;
}
const repeated = statement<Params, { text: string | null }>(
  'spec_repeated',
  `select repeat($word, $count::int) || '$1' || $word::text as text`,
);

test('named parameters become positions in the order of their first use', async () => {
  expect(repeated.text).toBe(`select repeat($1, $2::int) || '$1' || $1::text as text`);
  expect(repeated({ count: 2, word: 'ab' })).toEqual({
    name: 'spec_repeated',
    text: repeated.text,
    values: ['ab', 2],
  });
  expect(await db.query(repeated({ word: 'ab', count: 2 }))).toEqual([{ text: 'abab$1ab' }]);
  expect(await db.query(repeated({ word: 'ab', count: null }))).toEqual([{ text: null }]);
});

test('arrays, buffers, instants and JSON text are encoded as by pg; undefined is null', async () => {
  const echo = statement<
    { texts: string[]; bytes: Buffer; at: Date; json: string; none: string | undefined },
    { texts: string[]; bytes: Buffer; at: Date; json: object; none: string | null }
  >(
    'spec_echo',
    'select $texts::text[] as texts, $bytes::bytea as bytes, $at::timestamptz as at, $json::json as json, $none::text as none',
  );
  const values = { texts: ['a"', ''], bytes: Buffer.from([0, 255]), at: new Date(0) };
  const [row] = await db.query(echo({ ...values, json: '{"a":[1]}', none: undefined }));
  expect(row).toEqual({ ...values, json: { a: [1] }, none: null });
});

test('a statement is compiled once and prepared once per connection, however often it runs', async () => {
  const { text } = repeated;
  for (let n = 0; n < 20; n += 1) expect(repeated({ word: 'x', count: n }).text).toBe(text);
  for (let n = 0; n < 20; n += 1) await db.query(repeated({ word: 'x', count: n }));
  const prepared = await db.query<{ prepares: number; runs: string }>(
    `select count(*)::int as prepares, sum(generic_plans + custom_plans) as runs
     from pg_prepared_statements where name = 'spec_repeated'`,
  );
  expect(prepared).toEqual([{ prepares: 1, runs: expect.stringMatching(/^2\d$/) as string }]);
});

test('a value that is missing at run time is an error, not null', () => {
  const partial = { word: 'a' } as Params;
  expect(() => repeated(partial)).toThrow('The statement spec_repeated has no value for $count.');
});

test('two statements must not share a name, nor have a name that Postgres would truncate', () => {
  expect(() => statement('spec_repeated', 'select 1')).toThrow('Two statements are named spec_repeated.');
  expect(() => statement('x'.repeat(64), 'select 1')).toThrow('longer than 63 bytes');
});

test('the compiler checks parameters and rows', async () => {
  const none = statement<void, { one: number }>('spec_types', 'select 1 as one');
  const further = { word: 'a', count: 1, other: 'b' };
  const [row] = await db.query(none());
  // @ts-expect-error: the row has another type.
  expect([row?.one, row?.two]).toEqual([1, undefined]);
  // @ts-expect-error: a parameter does not exist, although the object is not written in place.
  expect(repeated(further).values).toEqual(['a', 1]);
  // @ts-expect-error: a parameter does not exist.
  expect(repeated({ word: 'a', count: 1, other: 'b' }).values).toEqual(['a', 1]);
  // @ts-expect-error: a parameter has another type.
  expect(repeated({ word: 'a', count: '1' }).values).toEqual(['a', '1']);
  // @ts-expect-error: there are no parameters.
  expect(none({ word: 'a' }).values).toEqual([]);
  // @ts-expect-error: a parameter is missing.
  expect(() => repeated({ word: 'a' })).toThrow('no value for $count');
  // @ts-expect-error: the statement is not bound to its parameters.
  await expect(db.query(repeated)).rejects.toThrow('there is no parameter $1');
});
