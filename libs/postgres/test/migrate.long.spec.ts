import { eventually, type TestDatabase } from '@canvass/testing';
import {
  createDatabase,
  migrate,
  nextIdSchema,
  provision,
  schemaMigration,
  type Database,
  type Migration,
} from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
let admin: Database;

beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url });
  admin = createDatabase({ Url: database.adminUrl });
});

afterEach(async () => {
  await db.close();
  await admin.close();
  await database.drop();
});

const table = (name: string): Migration => ({
  name,
  up: async (knex) => void (await knex.raw(`create table t${name.slice(0, 4)} (id int)`)),
  down: async (knex) => void (await knex.raw(`drop table t${name.slice(0, 4)}`)),
});
const [first, second, third] = [table('0001_first'), table('0002_second'), table('0003_third')] as const;

const tables = async () =>
  (
    await db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'postgres_spec' order by 1`,
    )
  ).map(({ name }) => name);

describe('migrate', () => {
  it('migrates up and down, to a name or completely', async () => {
    const all = [first, second, third];
    expect(await migrate(database.url, all, { to: '0002_second' })).toEqual(['0001_first', '0002_second']);
    expect(await migrate(database.url, all)).toEqual(['0003_third']);
    expect(await migrate(database.url, all)).toEqual([]);
    expect(await tables()).toEqual(['knex_migrations', 'knex_migrations_lock', 't0001', 't0002', 't0003']);
    expect(await migrate(database.url, all, { direction: 'down', to: '0001_first' })).toEqual([
      '0003_third',
      '0002_second',
    ]);
    expect(await migrate(database.url, all, { direction: 'down' })).toEqual(['0001_first']);
  });

  it('runs each step once when replicas start at once', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, [first, second])));
    expect(runs.flat()).toEqual(['0001_first', '0002_second']);
  });

  it('rolls back a failing step, keeps the earlier ones, and can be repeated', async () => {
    const broken: Migration = {
      ...second,
      async up(knex) {
        await knex.raw('create table t0002 (id int)');
        await knex.raw('select nonsense');
      },
    };
    await expect(migrate(database.url, [first, broken])).rejects.toThrow('nonsense');
    expect(await tables()).not.toContain('t0002');
    expect(await migrate(database.url, [first, second])).toEqual(['0002_second']);
  });

  it('continues after a process that died inside a step without a transaction', async () => {
    await migrate(database.url, [first]);
    await db.query('update knex_migrations_lock set is_locked = 1');
    expect(await migrate(database.url, [first, { ...second, transaction: false }])).toEqual(['0002_second']);
  });

  it('lets the previous version start on a newer schema', async () => {
    await migrate(database.url, [first, second, third]);
    expect(await migrate(database.url, [first, second])).toEqual([]);
  });

  it('waits for the server, and reports when it gives up', async () => {
    const onWait = jest.fn();
    const waiting = migrate('postgres://unknown@127.0.0.1:1/none', [first], { waitSeconds: 2, onWait });
    await expect(waiting).rejects.toThrow(/did not become available within 2 s: .*ECONNREFUSED/);
    expect(onWait).toHaveBeenCalled();
  });

  it('waits for the schema of a role that can log in already', async () => {
    const role = new URL(database.url).username;
    await admin.query('drop schema postgres_spec');
    const onWait = jest.fn();
    const migrated = migrate(database.url, [first], { onWait });
    await eventually(() =>
      expect(onWait).toHaveBeenCalledWith(expect.stringMatching('no schema of its own')),
    );
    await admin.query(`create schema postgres_spec authorization ${role}`);
    expect(await migrated).toEqual(['0001_first']);
  });

  it('rejects an unordered list', async () => {
    await expect(migrate(database.url, [second, first])).rejects.toThrow('listed after');
  });
});

describe('next_id()', () => {
  const schema = [schemaMigration([nextIdSchema], 5)];

  it('returns growing ids that contain their origin and the time', async () => {
    await migrate(database.url, schema);
    const ids = await db.query<{ id: string; origin: string; ms: string }>(
      `select id, (id >> 18) & 15 as origin, (id >> 22) + 1767225600000 as ms
         from (select next_id() as id from generate_series(1, 1000)) as made`,
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1000);
    expect(ids.every(({ origin }) => origin === '5')).toBe(true);
    expect(Math.abs(Number(ids[0]!.ms) - Date.now())).toBeLessThan(60_000);
    expect(BigInt(ids[999]!.id) > BigInt(ids[0]!.id)).toBe(true);
  });

  const hour = 3_600_000;
  const start = 10 * hour;
  /** Draws ids at these moments. */
  const draw = async (moments: readonly number[]) => {
    const rows = await db.query<{ id: string }>(
      `select next_id_after(now_ms, 5, 'next_id_seq', 'next_id_clock') as id from unnest($1::bigint[]) as now_ms`,
      [moments],
    );
    return rows.map(({ id }) => BigInt(id));
  };

  it('repeats no id when the clock steps back and the sequence wraps', async () => {
    await migrate(database.url, schema);
    /** Leaves out enough that the sequence is where it was. */
    const drawAndWrap = async (moments: readonly number[]) => {
      const ids = await draw(moments);
      await db.query(`select setval('next_id_seq', currval('next_id_seq') + $1)`, [2 ** 18 - ids.length]);
      return ids;
    };
    const first = Array.from({ length: 1_000 }, (_, n) => start + n);
    // Forwards, an hour back, there the time passes slowly, and then the same milliseconds again.
    const ids = [
      ...(await drawAndWrap(first)),
      ...(await drawAndWrap(first.map((ms) => ms - hour))),
      ...(await drawAndWrap(first.map(() => start - hour))),
      ...(await drawAndWrap(first)),
      ...(await drawAndWrap(first.map((ms) => ms + 1_000))),
    ];
    expect(new Set(ids).size).toBe(5_000);
    const times = ids.map((id) => id >> 22n);
    for (const [at, time] of times.entries()) if (at > 0) expect(time + 500n).toBeGreaterThan(times[at - 1]!);
    expect((await db.query('select next_id()')).length).toBe(1);
  });

  it('returns growing ids when the clock steps back, and when it is there again', async () => {
    await migrate(database.url, schema);
    // Each millisecond twice: the last one of the period after a step back, too.
    const slowly = Array.from({ length: 3_000 }, (_, n) => start - 1_000 + Math.floor(n / 2));
    const ids = await draw([start, ...slowly]);
    for (const [at, id] of ids.entries()) if (at > 0) expect(id).toBeGreaterThan(ids[at - 1]!);
  });

  it('does not take concurrent calls for a step back of the clock', async () => {
    await migrate(database.url, schema);
    const calls = Array.from({ length: 8 }, () =>
      db.query<{ guarded: number }>(
        `select count(*)::int as guarded from (select next_id() as id from generate_series(1, 20000)) made
         where (id >> 18) & 15 = 5 + 8`,
      ),
    );
    for (const [row] of await Promise.all(calls)) expect(row).toEqual({ guarded: 0 });
  });
});

describe('provision', () => {
  const services = [
    { schema: 'spec_one', role: 'spec_one_role', password: "it's one" },
    { schema: 'spec_two', role: 'spec_two_role', password: 'two' },
  ];
  const urlOf = ({ role, password }: { role: string; password: string }) => {
    const url = new URL(database.adminUrl);
    url.username = role;
    url.password = encodeURIComponent(password);
    return url.href;
  };

  beforeEach(async () => {
    // The testing library provisioned the template; remove that.
    await admin.query('drop schema extensions cascade');
    await admin.query('grant create on schema public to public');
  });

  it('can be repeated, and at the same time', async () => {
    const once = () => provision(database.adminUrl, services);
    await expect(Promise.all([once(), once(), once()])).resolves.toHaveLength(3);
    await expect(once()).resolves.toBeUndefined();
  });

  it('grants each role its own schema, the extensions, and nothing else', async () => {
    await provision(database.adminUrl, services);
    const one = createDatabase({ Url: urlOf(services[0]!) });
    const two = createDatabase({ Url: urlOf(services[1]!) });
    try {
      await one.query('create table secrets (secret text)');
      expect(await one.query(`select current_schema() as schema, unaccent('é') as letter`)).toEqual([
        { schema: 'spec_one', letter: 'e' },
      ]);
      const denied = { code: '42501' };
      await expect(two.query('select * from spec_one.secrets')).rejects.toMatchObject(denied);
      await expect(two.query('create table spec_one.mine (id int)')).rejects.toMatchObject(denied);
      await expect(two.query('create table public.mine (id int)')).rejects.toMatchObject(denied);
      await expect(two.query('create table extensions.mine (id int)')).rejects.toMatchObject(denied);
      await expect(two.query('create schema mine')).rejects.toMatchObject(denied);
      await expect(two.query('set role spec_one_role')).rejects.toMatchObject(denied);
    } finally {
      await one.close();
      await two.close();
    }
  });
});
