import { testDatabase, type TestDatabase } from '@canvass/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, ownerOf, provision, type Migration } from '../src';

const name = () => `spec_${randomBytes(4).toString('hex')}`;
const [admin, role, database] = [name(), name(), name()];
const password = randomBytes(12).toString('hex');
const table: Migration = {
  name: '20260101T0000_table',
  up: async (knex) => void (await knex.raw('create table notes (id int)')),
  down: () => Promise.resolve(),
};

let server: TestDatabase;
beforeAll(async () => {
  server = await testDatabase({ template: 'provision', schema: 'spec', prepare: () => Promise.resolve() });
});
afterAll(async () => {
  await asAdmin(server.adminUrl, `drop database if exists ${database} with (force)`);
  for (const each of [role, ownerOf(role), admin])
    await asAdmin(server.adminUrl, `drop role if exists ${each}`);
  await server.drop();
});

async function asAdmin<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

const urlOf = (user: string): string => {
  const url = new URL(server.adminUrl);
  [url.username, url.password, url.pathname] = [user, password, `/${database}`];
  return url.href;
};

it('prepares a database as its owner, who may create roles and is no superuser', async () => {
  await asAdmin(server.adminUrl, `create role ${admin} login createrole password '${password}'`);
  await asAdmin(server.adminUrl, `create database ${database} owner ${admin} template template0`);
  const services = [{ schema: 'notes', role, password, ownerPassword: password }];
  await provision(urlOf(admin), services);
  await provision(urlOf(admin), services); // with each release
  await migrate(urlOf(ownerOf(role)), [table], { grantTo: role });
  expect(await asAdmin(urlOf(role), 'select count(*)::int from notes')).toEqual([{ count: 0 }]);
  const extensions = await asAdmin<{ extname: string }>(urlOf(admin), 'select extname from pg_extension');
  expect(extensions.map(({ extname }) => extname).sort()).toEqual(['pg_trgm', 'plpgsql', 'unaccent']);
});
