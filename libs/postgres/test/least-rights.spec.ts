import { testDatabase, type TestDatabase } from '@canvass/testing';
import { createDatabase, migrate, ownerOf, provision, type Database, type Migration } from '../src';
import { migrationLogin } from '../src/migration-login';

const [schema, role] = ['rights', 'rights_role'];
const [password, ownerPassword] = ['password', 'owner password'];
const denied = { code: '42501' };

const first: Migration = {
  name: '20260101T0000_first',
  async up(knex) {
    await knex.raw(`
      create table notes (id bigint generated always as identity primary key, text text);
      create sequence numbers;
      create function twice(n int) returns int language sql as 'select 2 * n';
      create table audit (id bigint primary key, action text, day date, sequence bigint, hash bytea);`);
  },
  down: () => Promise.resolve(),
};
const second: Migration = {
  name: '20260102T0000_second',
  up: async (knex) => void (await knex.raw('create table later (id int)')),
  down: () => Promise.resolve(),
};

let database: TestDatabase;
let service: Database;

const urlOf = (user: string, secret: string) => {
  const url = new URL(database.adminUrl);
  [url.username, url.password] = [user, encodeURIComponent(secret)];
  return url.href;
};

beforeEach(async () => {
  database = await testDatabase({ template: 'rights', schema: 'spec', prepare: () => Promise.resolve() });
  service = createDatabase({ Url: urlOf(role, password), PoolMax: 1 });
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

const provisionOwner = () => provision(database.adminUrl, [{ schema, role, password, ownerPassword }]);

async function migrateAsOwner(migrations: readonly Migration[]): Promise<void> {
  const urls = { Url: urlOf(role, password), MigrationUrl: urlOf(ownerOf(role), ownerPassword) };
  const { url, grantTo } = migrationLogin(urls);
  await migrate(url, migrations, grantTo);
}

it('the server logs no values of rows in errors of the roles', async () => {
  await provisionOwner();
  for (const [user, secret] of [
    [role, password],
    [ownerOf(role), ownerPassword],
  ] as const) {
    const session = createDatabase({ Url: urlOf(user, secret), PoolMax: 1 });
    expect(await session.query('show log_error_verbosity')).toEqual([{ log_error_verbosity: 'terse' }]);
    await session.close();
  }
});

async function expectRowRightsOnly(): Promise<void> {
  await service.query(`insert into notes (text) values ('a')`);
  await service.query(`update notes set text = 'b' where id = $1`, [1]);
  expect(await service.query('select text, twice(2) as four from notes')).toEqual([{ text: 'b', four: 4 }]);
  await service.query('delete from notes');
  await service.query(`select nextval('numbers'), setval('numbers', 9)`);
  await service.query('select name from knex_migrations');
  for (const sql of [
    'create table mine (id int)',
    'alter table notes add column more int',
    'drop table notes',
    'truncate notes',
    'create index on notes (text)',
    'alter table audit disable trigger all',
    `delete from knex_migrations`,
    `set role ${ownerOf(role)}`,
  ])
    await expect(service.query(sql)).rejects.toMatchObject(denied);
}

it('a role whose schema another one owns changes rows, and no tables', async () => {
  await provisionOwner();
  await provisionOwner(); // it can be repeated
  await migrateAsOwner([first]);
  await expectRowRightsOnly();
  await migrateAsOwner([first, second]);
  expect(await service.query('select from later')).toEqual([]);
});

it('such a role seals rows of the audit trail, and changes nothing else of them', async () => {
  await provisionOwner();
  await migrateAsOwner([first]);
  await service.query(`insert into audit (id, action) values (1, 'form.created')`);
  await service.query(`update audit set day = '2026-01-01', sequence = 1, hash = ''`);
  await expect(service.query(`update audit set action = 'form.deleted'`)).rejects.toMatchObject(denied);
  await expect(service.query('truncate audit')).rejects.toMatchObject(denied);
});

it('an installation whose role owned everything keeps working when it gets an owner', async () => {
  await provision(database.adminUrl, [{ schema, role, password }]);
  await migrate(urlOf(role, password), [first]);
  await service.query('create table mine (id int)');
  await provisionOwner();
  await expectRowRightsOnly();
  await migrateAsOwner([first, second]);
  expect(await service.query('select from later')).toEqual([]);
});
