import { eventually, FaultyProxy, testDatabase, type TestDatabase } from '@canvass/testing';
import { createDatabase, databaseCheck, migrate, prepareSchema, type Database } from '../src';

let database: TestDatabase;
let proxy: FaultyProxy;
let url: string;
let db: Database;

const statementMs = 300;
const signal = new AbortController().signal;

beforeAll(async () => {
  database = await testDatabase({
    template: 'silent-server-spec 2',
    schema: 'postgres_spec',
    async prepare(at) {
      const setup = createDatabase({ Url: at });
      await setup.query('create table rows (id int)');
      await setup.query(
        `create function postgres_spec.pg_is_in_recovery() returns bool language sql as 'select true'`,
      );
      await setup.close();
    },
  });
});
afterAll(() => database.drop());

beforeEach(async () => {
  const address = new URL(database.url);
  const port = Number(address.port);
  proxy = new FaultyProxy(() => [port]);
  address.host = `127.0.0.1:${await proxy.listen()}`;
  url = address.href;
  db = createDatabase({ Url: url, StatementTimeoutMs: statementMs, PoolMax: 4 });
});
afterEach(async () => {
  await proxy.close();
  await db.close();
});

const pidOf = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error: Error) => error.message,
  );

describe('a server that is silent without a reset', () => {
  it('fails each call at the limit of statements plus 5 s and discards its session', async () => {
    let silent = false;
    let begun = 0;
    const session = await db.openSession('spec', 1_000);
    const inTransaction = db.transaction(async (tx) => {
      await tx.query('insert into rows values (1)');
      begun += 1;
      await eventually(() => silent);
      await tx.query('insert into rows values (2)');
    });
    const inCopy = db.transaction((tx) =>
      tx.copyIn(
        'copy rows from stdin',
        (async function* () {
          begun += 1;
          yield Buffer.from('3\n');
          await eventually(() => silent);
          yield Buffer.from('4\n');
        })(),
      ),
    );
    await eventually(() => begun === 2);
    proxy.become('stall');
    silent = true;
    const calls = [inTransaction, inCopy, db.query('select 1'), session.query('select 1')];
    expect(await Promise.all(calls.map(outcome))).toEqual([
      'Query read timeout',
      'Query read timeout',
      expect.stringMatching(/Query read timeout|Connection terminated|timeout/),
      'Query read timeout',
    ]);
    await eventually(() => expect(db.pool.totalCount).toBe(0));
    await session.end();
    proxy.become('none');
    expect(await db.query('select id from rows')).toEqual([]);
  });

  it('makes the check Unhealthy while all connections wait for it', async () => {
    const stuckDb = createDatabase({ Url: url, StatementTimeoutMs: 5_000, PoolMax: 4 });
    const stuck = Array.from({ length: 5 }, () => outcome(stuckDb.query('select pg_sleep(0.5)')));
    await eventually(() => stuckDb.pool.totalCount === 4);
    await eventually(async () => {
      const [row] = await db.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where query like '%pg_sleep(0.5)%' and state = 'active'
         and pid <> pg_backend_pid()`,
      );
      expect(row!.n).toBe(4);
    });
    proxy.lose();
    const { check } = databaseCheck(stuckDb);
    expect(await check(signal)).toMatchObject({ status: 'Degraded' }); // a new session works
    await eventually(async () => expect(await check(signal)).toMatchObject({ status: 'Unhealthy' }), {
      timeoutMs: 8_000,
    });
    expect(stuckDb.pool.totalCount).toBe(4);
    await Promise.all(stuck);
    await eventually(async () => expect(await check(signal)).toMatchObject({ status: 'Healthy' }));
    await stuckDb.close();
  });

  it('is waited for at start', async () => {
    proxy.become('stall');
    const waits: unknown[] = [];
    const settings = {
      Url: url,
      MigrateOnStart: false,
      PreparedStatements: true,
      PoolMax: 1,
      StatementTimeoutMs: statementMs,
      IdleInTransactionTimeoutMs: 0,
    };
    const logger = { info: () => undefined, warn: (details: object) => void waits.push(details) };
    const started = outcome(prepareSchema(settings, [], { signal, logger }));
    await eventually(() => expect(waits).toHaveLength(1), { timeoutMs: 10_000 });
    expect(waits).toEqual([{ reason: 'timeout expired' }]);
    proxy.become('none');
    await db.query('create table knex_migrations (name text)');
    expect(await started).toBe('resolved');
  });
});

it('a server of an older version is refused at start', async () => {
  await db.query(`create or replace function postgres_spec.current_setting(text) returns text language sql
    as 'select case $1 when ''server_version_num'' then ''170005'' end'`);
  const older = `${url}?options=${encodeURIComponent('-c search_path=postgres_spec,pg_catalog')}`;
  const tooOld = 'Canvass needs PostgreSQL 18 or later; the server is PostgreSQL 17.';
  await expect(migrate(older, [], { waitSeconds: 0 })).rejects.toThrow(tooOld);
});

describe('a server that has become read-only', () => {
  it('loses the sessions whose writes it refuses', async () => {
    const pid = await pidOf();
    await db.query('set default_transaction_read_only = on');
    expect(await outcome(db.query('insert into rows values (1)'))).toMatch(/read-only transaction/);
    expect(await pidOf()).not.toBe(pid);
    expect(await outcome(db.query('insert into rows values (5)'))).toBe('resolved');
  });

  it('is Unhealthy, and the check discards the session', async () => {
    const pid = await pidOf();
    await db.query('set search_path = postgres_spec, pg_catalog');
    expect(await databaseCheck(db).check(signal)).toMatchObject({
      status: 'Unhealthy',
      description: 'The database is read-only.',
    });
    await eventually(async () => expect(await pidOf()).not.toBe(pid));
    expect(await databaseCheck(db).check(signal)).toMatchObject({ status: 'Healthy' });
  });
});
