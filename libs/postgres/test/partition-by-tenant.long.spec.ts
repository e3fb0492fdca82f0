import type { TestDatabase } from '@canvass/testing';
import {
  createDatabase,
  createIndexConcurrently,
  dropIndexConcurrently,
  migrate,
  partitionByTenant,
  violatedConstraint,
  type Database,
  type Migration,
} from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 2 });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const tables: Migration = {
  name: '0001_tables',
  up: async (knex) =>
    void (await knex.raw(`
      create table owners (tenant_id bigint not null, id bigint not null, name text not null default 'none', primary key (tenant_id, id));
      comment on table owners is 'People';
      create table things (
        tenant_id bigint not null,
        id bigint not null,
        owner_id bigint,
        code text,
        size integer check (size > 0),
        primary key (tenant_id, id),
        foreign key (tenant_id, owner_id) references owners (tenant_id, id)
      ) with (fillfactor = 90);
      comment on column things.code is 'Unique while it is set';
      create function halve() returns trigger language plpgsql as $$ begin new.size := new.size / 2; return new; end $$;
      create trigger smaller before insert on things for each row when (new.size > 1000) execute function halve();
      create unique index things_code on things (tenant_id, code) where code is not null;
      create function thing_json(t things) returns json language sql stable return json_build_object('id', (t).id, 'code', (t).code);
      insert into owners (tenant_id, id) select t, 1 from generate_series(1, 40) t;
      insert into things select t, n, 1, t || '-' || n, n from generate_series(1, 40) t, generate_series(1, 5) n`)),
  down: () => Promise.resolve(),
};
const index: Migration = {
  name: '0002_index',
  transaction: false,
  up: (knex) =>
    createIndexConcurrently(knex, 'things_by_size', 'on things (tenant_id, size)', { unique: true }),
  down: (knex) => dropIndexConcurrently(knex, 'things_by_size'),
};

/** Columns, comments, constraints and indexes, without those of partitions. */
const shape = () =>
  db.query(
    `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull, pg_get_expr(d.adbin, d.adrelid) as value,
       col_description(c.oid, a.attnum) as about, obj_description(c.oid) as table_about,
       (select json_agg(pg_get_constraintdef(k.oid) order by conname) from pg_constraint k where conrelid = c.oid and contype <> 'n' and conparentid = 0) as constraints,
       (select json_agg(i.indexrelid::regclass::text order by 1) from pg_index i where i.indrelid = c.oid) as indexes
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.oid in ('owners'::regclass, 'things'::regclass) order by 1, attnum`,
  );
const rows = () => db.query('select t.*, thing_json(t) as view from things t order by tenant_id, id');
const partition = (count = 4) => partitionByTenant(database.url, ['owners', 'things'], count);
const constraintOf = (sql: string): Promise<string | undefined> =>
  db.query(sql).then(() => undefined, violatedConstraint);

describe('partitioning by tenant', () => {
  it('keeps rows, columns, keys, indexes, comments and functions', async () => {
    await migrate(database.url, [tables]);
    const before = [await shape(), await rows()];
    await partition();
    expect([await shape(), await rows()]).toEqual(before);
    const parts = await db.query<{ name: string; storage: string; rows: string }>(
      `select relname as name, array_to_string(reloptions, ',') as storage from pg_class
       where relname ~ '^things_p' and relkind = 'r' order by 1`,
    );
    expect(parts).toEqual([0, 1, 2, 3].map((n) => ({ name: `things_p${n}`, storage: 'fillfactor=90' })));
    const [spread] = await db.query<{ partitions: number }>(
      'select count(distinct tableoid)::int as partitions from things',
    );
    expect(spread!.partitions).toBeGreaterThan(1);
  });

  it('keeps triggers', async () => {
    await migrate(database.url, [tables]);
    await partition();
    await db.query('insert into things (tenant_id, id, size) values (7, 99, 2000)');
    expect(await db.query('select size from things where id = 99')).toEqual([{ size: 1000 }]);
  });

  it('keeps the names of constraints in errors', async () => {
    await migrate(database.url, [tables]);
    const broken = [
      `insert into things (tenant_id, id, code) values (7, 99, '7-1')`,
      `insert into things (tenant_id, id) values (7, 1)`,
      `insert into things (tenant_id, id, owner_id) values (7, 99, 2)`,
      `insert into things (tenant_id, id, size) values (7, 99, 0)`,
    ];
    const names = ['things_code', 'things_pkey', 'things_tenant_id_owner_id_fkey', 'things_size_check'];
    for (const [at, sql] of broken.entries()) expect(await constraintOf(sql)).toBe(names[at]);
    await partition();
    for (const [at, sql] of broken.entries()) expect(await constraintOf(sql)).toBe(names[at]);
  });

  it('leaves later migrations as they are: an index is created and dropped beside writers', async () => {
    await migrate(database.url, [tables]);
    await partition();
    const valid = () =>
      db.query(
        `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
         where indexrelid::regclass::text ~ '^things_by_size' order by 1`,
      );
    expect(await migrate(database.url, [tables, index])).toEqual([index.name]);
    const all = ['', '_p0', '_p1', '_p2', '_p3'].map((part) => ({
      name: `things_by_size${part}`,
      valid: true,
    }));
    expect(await valid()).toEqual(all);
    expect(await constraintOf('insert into things (tenant_id, id, size) values (7, 99, 1)')).toBe(
      'things_by_size',
    );
    await migrate(database.url, [tables, index], { direction: 'down', to: tables.name });
    expect(await valid()).toEqual([]);

    // What an interrupted attempt leaves behind.
    await db.query('create unique index things_by_size on only things (tenant_id, size)');
    await db.query('create unique index things_by_size_p0 on things_p0 (tenant_id, size)');
    expect(await migrate(database.url, [tables, index])).toEqual([index.name]);
    expect(await valid()).toEqual(all);
  });

  it('changes nothing if it fails or has been done', async () => {
    await migrate(database.url, [tables]);
    const before = [await shape(), await rows()];
    await db.query(
      'create table notes (tenant_id bigint, thing_id bigint, foreign key (tenant_id, thing_id) references things)',
    );
    await expect(partition()).rejects.toThrow(/other objects depend on them/);
    expect([await shape(), await rows()]).toEqual(before);
    await db.query('drop table notes');
    await partition();
    await expect(partition(8)).rejects.toThrow('The table owners is partitioned already.');
    expect(await rows()).toEqual(before[1]);
  });
});
