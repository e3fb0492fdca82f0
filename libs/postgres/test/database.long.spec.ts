import { Problem } from '@canvass/errors';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { createDatabase, databaseCheck, kx, statement, type Database } from '../src';

let database: TestDatabase;
let db: Database;
let admin: Database;
const reported: Error[] = [];

beforeAll(async () => {
  database = await testDatabase({
    template: 'postgres-spec 1',
    schema: 'postgres_spec',
    async prepare(url) {
      const setup = createDatabase({ Url: url });
      await setup.query('create table counters (id int primary key, value bigint not null default 0)');
      await setup.query('insert into counters (id) values (1), (2)');
      await setup.close();
    },
  });
  db = createDatabase(
    { Url: database.url, PoolMax: 4 },
    { applicationName: 'spec', onError: (error) => reported.push(error) },
  );
  admin = createDatabase({ Url: database.adminUrl, PoolMax: 2 });
});

afterAll(async () => {
  await db.close();
  await admin.close();
  await database.drop();
});

const backendOf = async (queryable: { query: Database['query'] }) =>
  (await queryable.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;

describe('query', () => {
  it('returns 64-bit numbers as strings, instants as Date and days as text', async () => {
    const [row] = await db.query(
      `select 9223372036854775807 as big, timestamptz '2026-01-01Z' as instant, date '2026-01-01' as day`,
    );
    expect(row).toEqual({ big: '9223372036854775807', instant: new Date('2026-01-01'), day: '2026-01-01' });
  });

  it('keeps the connection after a constraint violation', async () => {
    const before = await backendOf(db);
    await expect(db.query('insert into counters (id) values (1)')).rejects.toMatchObject({ code: '23505' });
    expect(await backendOf(db)).toBe(before);
  });

  it('runs named statements and built queries', async () => {
    const byId = statement<{ id: number }, { id: number }>(
      'spec_by_id',
      'select id from counters where id = $id',
    );
    expect(await db.query(byId({ id: 2 }))).toEqual([{ id: 2 }]);
    expect(await db.run(kx('counters').select('id').where({ id: 1 }))).toEqual([{ id: 1 }]);
    expect(() => statement('spec_by_id', 'select 1')).toThrow('Two statements');
  });

  it('prepares a named statement again when a migration changed its columns', async () => {
    await db.query('create table widened (a int)');
    const all = statement<void, { a: number; b: number }>('spec_widened', 'select * from widened')();
    await Promise.all(Array.from({ length: 4 }, () => db.query(all)));
    await db.query('insert into widened values (1)');
    await db.query('alter table widened add b int default 2');
    expect(await Promise.all(Array.from({ length: 4 }, () => db.query(all)))).toContainEqual([
      { a: 1, b: 2 },
    ]);
    await db.transaction(async (tx) => expect(await tx.query(all)).toEqual([{ a: 1, b: 2 }]));
  });

  it('cancels a statement that takes too long', async () => {
    const hasty = createDatabase({ Url: database.url, StatementTimeoutMs: 200 });
    await expect(hasty.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await hasty.close();
  });

  it('compiles no statements', async () => {
    expect(await db.query('show jit')).toEqual([{ jit: 'off' }]);
  });
});

describe('transaction', () => {
  const valueOf = async (id: number) =>
    Number((await db.query<{ value: string }>('select value from counters where id = $1', [id]))[0]!.value);

  it('commits, and only then calls the hooks', async () => {
    const seen: string[] = [];
    await db.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('hook'));
      tx.afterCommit(() => {
        throw new Error('a hook that throws');
      });
      await tx.query('update counters set value = value + 1 where id = 1');
      seen.push('body');
    });
    expect(seen).toEqual(['body', 'hook']);
    expect(reported.map((error) => error.message)).toContain('a hook that throws');
    expect(await valueOf(1)).toBe(1);
  });

  it('rolls back on any throw, calls no hook, and keeps the connection', async () => {
    const hook = jest.fn();
    const before = await backendOf(db);
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(hook);
      await tx.query('update counters set value = 100 where id = 1');
      throw new Problem('conflict');
    });
    await expect(failing).rejects.toBeInstanceOf(Problem);
    expect([hook.mock.calls.length, await valueOf(1)]).toEqual([0, 1]);
    expect(await backendOf(db)).toBe(before);
  });

  it('rejects the commit of a failed transaction', async () => {
    const hook = jest.fn();
    const swallowing = db.transaction(async (tx) => {
      tx.afterCommit(hook);
      await tx.query('update counters set value = 100 where id = 1');
      await tx.query('select 1/0').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('rolled back');
    expect([hook.mock.calls.length, await valueOf(1)]).toEqual([0, 1]);
  });

  it('refuses a query that was not awaited', async () => {
    const ended = await db.transaction(async (tx) => {
      await tx.query('select 1');
      return tx;
    });
    await expect(ended.query('select 1')).rejects.toThrow('has ended');
  });

  it('retries a deadlocked transaction', async () => {
    let attempts = 0;
    let locked = 0;
    const both = [
      [1, 2],
      [2, 1],
    ].map((ids) =>
      db.transaction(async (tx) => {
        attempts += 1;
        for (const id of ids) {
          await tx.query('update counters set value = value + 10 where id = $1', [id]);
          // Each holds its first row before either asks for its second.
          locked += 1;
          await eventually(() => locked >= 2);
        }
      }),
    );
    await Promise.all(both);
    expect(attempts).toBeGreaterThan(2);
    expect(await valueOf(2)).toBe(20);
  });
});

describe('a lost server', () => {
  const killAll = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'spec' and datname = current_database()`,
    );

  it('does not affect callers if only idle connections are lost', async () => {
    await Promise.all(Array.from({ length: 4 }, () => db.query('select pg_sleep(0.05)')));
    await killAll();
    await eventually(() => expect(db.pool.totalCount).toBe(0));
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('fails a transaction that is between two statements, and nothing else', async () => {
    const interrupted = db.transaction(async (tx) => {
      await tx.query('select 1');
      await killAll();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await tx.query('select 2');
    });
    await expect(interrupted).rejects.toThrow();
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('survives a storm of kills under load', async () => {
    let failures = 0;
    let successes = 0;
    const least = performance.now() + 1_500;
    const isOver = () => performance.now() >= least && failures > 0 && successes > 0;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver()) {
        const done = db.transaction((tx) => tx.query('select pg_sleep(0.005)'));
        await done.then(
          () => (successes += 1),
          () => (failures += 1),
        );
      }
    });
    const kills = (async () => {
      // With growing pauses: a busy machine needs time between two kills for a success.
      for (let round = 0; !isOver(); round += 1) {
        await killAll();
        await new Promise((resolve) => setTimeout(resolve, 50 + 5 * round));
      }
    })();
    await Promise.all([...load, kills]);
    await eventually(() => db.ping());
    expect(db.pool.totalCount).toBeLessThanOrEqual(4);
  });

  it('destroys a session that was left in a transaction', async () => {
    await expect(
      db.withClient(async (client) => {
        await client.query('begin');
        throw new Error('left open');
      }),
    ).rejects.toThrow('left open');
    // The server notices shortly after its client has gone.
    await eventually(async () =>
      expect(
        await db.query(
          `select from pg_stat_activity where state like 'idle in transaction%' and application_name = 'spec'
            and datname = current_database()`,
        ),
      ).toEqual([]),
    );
  });
});

describe('databaseCheck', () => {
  const signal = new AbortController().signal;

  it('is Healthy, Degraded while all connections are in use, Unhealthy without a server', async () => {
    const check = databaseCheck(db);
    expect([check.name, check.tags]).toEqual(['database', ['db', 'ready']]);
    expect(await check.check(signal)).toMatchObject({ status: 'Healthy', description: null });

    const busy = Array.from({ length: 5 }, () => db.query('select pg_sleep(1.9)').catch(() => undefined));
    const slow = Array.from({ length: 5 }, () => db.query('select pg_sleep(1.9)').catch(() => undefined));
    expect(await check.check(signal)).toMatchObject({ status: 'Degraded' });
    await Promise.all([...busy, ...slow]);

    const nowhere = createDatabase({ Url: 'postgres://unknown@127.0.0.1:1/none' });
    const down = databaseCheck(nowhere, { name: 'identity-database' });
    expect(await down.check(signal)).toMatchObject({ status: 'Unhealthy' });
    expect(down.name).toBe('identity-database');
    await nowhere.close();
  });
});
