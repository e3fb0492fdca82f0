import { Problem } from '@canvass/errors';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { createDatabase, problemFromPostgres, type Database } from '../src';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({
    template: 'faults-spec 1',
    schema: 'postgres_spec',
    async prepare(url) {
      const setup = createDatabase({ Url: url });
      await setup.query('create table parents (id bigint constraint parents_pkey primary key)');
      await setup.query(`create table rows (
        name varchar(5) constraint rows_name_unique unique,
        amount int not null constraint rows_amount_positive check (amount > 0),
        parent bigint constraint rows_parent_fkey references parents)`);
      await setup.close();
    },
  });
  db = createDatabase({ Url: database.url });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const mapError = problemFromPostgres({
  rows_name_unique: () => new Problem('email_already_exists', { detail: 'mapped' }),
});

async function problemOf(failing: Promise<unknown>): Promise<Problem | null> {
  const error: unknown = await failing.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  return mapError(error);
}

describe('problemFromPostgres', () => {
  it('returns the Problem of a constraint by its name', async () => {
    await db.query(`insert into rows (name, amount) values ('ada', 1)`);
    const problem = await problemOf(db.query(`insert into rows (name, amount) values ('ada', 1)`));
    expect(problem).toMatchObject({ errorCode: 'email_already_exists', detail: 'mapped' });
  });

  it.each([
    ['a text that is too long', `insert into rows (name, amount) values ('abcdef', 1)`],
    ['a number out of range', `insert into rows (amount) values (99999999999)`],
    ['text instead of a number', `select $1::int`, ['abc']],
    ['a NUL character', `select $1::text`, ['a\u0000b']],
    ['a NUL character in jsonb', `select $1::jsonb`, ['"\\u0000"']],
    ['a lone surrogate in jsonb', `select $1::jsonb`, ['"\\ud800"']],
    ['a missing value', `insert into rows (name) values ('eve')`],
    ['a broken check', `insert into rows (amount) values (0)`],
    ['an id beyond 64 bits', `select $1::bigint`, ['9223372036854775808']],
    ['a depth beyond the stack', `select $1::json`, [`${'['.repeat(100_000)}${']'.repeat(100_000)}`]],
  ])('answers 400 to %s', async (_what, sql: string, values: string[] = []) => {
    expect(await problemOf(db.query(sql, values))).toMatchObject({
      status: 400,
      errorCode: 'validation_failed',
    });
  });

  it('answers 409 to a conflict without its own Problem', async () => {
    expect(await problemOf(db.query(`insert into rows (amount, parent) values (1, 7)`))).toMatchObject({
      status: 409,
    });
  });

  it('answers 503 with Retry-After while the database is unavailable', async () => {
    const nowhere = createDatabase({ Url: 'postgres://unknown@127.0.0.1:1/none' });
    const badLogin = new URL(database.adminUrl);
    badLogin.pathname = '/there_is_no_such_database';
    const missing = createDatabase({ Url: badLogin.href });
    const hasty = createDatabase({ Url: database.url, StatementTimeoutMs: 100 });
    const unavailable = { status: 503, headers: { 'Retry-After': '5' } };
    expect(await problemOf(nowhere.query('select 1'))).toMatchObject(unavailable);
    expect(await problemOf(missing.query('select 1'))).toMatchObject(unavailable);
    expect(await problemOf(hasty.query('select pg_sleep(60)'))).toMatchObject(unavailable);
    expect(await problemOf(db.query('select pg_terminate_backend(pg_backend_pid())'))).toMatchObject(
      unavailable,
    );
    await nowhere.close();
    expect(await problemOf(nowhere.query('select 1'))).toMatchObject(unavailable);
    await Promise.all([missing.close(), hasty.close()]);
  });

  it('ignores errors of the program', async () => {
    expect(await problemOf(db.query('select nonsense'))).toBeNull();
    expect(mapError(new TypeError('x is not a function'))).toBeNull();
    expect(mapError('text')).toBeNull();
  });
});
