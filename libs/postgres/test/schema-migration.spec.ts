import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestDatabase } from '@canvass/testing';
import { createDatabase, migrate, migrateCommand, schemaMigration, type Database } from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
let folder: string;
beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 2 });
  folder = mkdtempSync(path.join(os.tmpdir(), 'schema-migration-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await db.close();
  await database.drop();
});

/** Writes the file and returns its path. */
function file(name: string, text: string): string {
  const written = path.join(folder, name);
  mkdirSync(path.dirname(written), { recursive: true });
  writeFileSync(written, text);
  return written;
}

/** The schema of a service: a table, and functions of which the first calls the second. */
function schema(origin = 5) {
  const table = file('schema.sql', 'create table origins (origin int default :origin);');
  file(
    'functions/first.sql',
    'create function first() returns int language sql as $$ select origin + second() from origins $$;',
  );
  file('functions/second.sql', 'create function second() returns int language sql as $$ select 10 $$;');
  return schemaMigration([table, path.join(folder, 'functions')], origin);
}

it('loads files and folders of them, with the origin of the service', async () => {
  expect(await migrate(database.url, [schema()])).toEqual(['0001_schema']);
  await db.query('insert into origins default values');
  expect(await db.query('select first()')).toEqual([{ first: 15 }]);
  expect(await migrate(database.url, [schema()])).toEqual([]);
});

it.each([-1, 8, 1.5])('refuses the origin %d', (origin) => {
  expect(() => schema(origin)).toThrow('The origin is a number 0–7.');
});

it('names the fault of a file without its text, and leaves nothing', async () => {
  const broken = schemaMigration([file('schema.sql', 'create table a (n int); create tables b ()')], 5);
  await expect(migrate(database.url, [broken])).rejects.toThrow(
    /^Migration 0001_schema failed: schema.sql, line 1: syntax error at or near "tables"$/,
  );
  expect(await db.query(`select to_regclass('a') as a`)).toEqual([{ a: null }]);
});

it('refuses a schema of a build before 0.1.0', async () => {
  const nothing = () => Promise.resolve();
  await migrate(database.url, [{ name: '20261120T1200_next_id', up: nothing, down: nothing }]);
  await expect(migrate(database.url, [schema()])).rejects.toThrow(
    'Migration 0001_schema failed: A build before version 0.1.0 made this schema. Drop the database, or use another one.',
  );
});

it('is not reverted', async () => {
  await migrate(database.url, [schema()]);
  let written = '';
  const write = (text: string) => (written += text);
  const command = migrateCommand([schema()], { stdout: { write }, stderr: { write } });
  expect(await command(['--undo'], { Database: { Url: database.url } })).toBe(2);
  expect(written).toBe(
    'This build has one migration, the schema; it is not reverted.\nUsage: migrate [--to <name> | --undo]\n',
  );
  expect(await db.query(`select to_regclass('origins')::text as origins`)).toEqual([{ origins: 'origins' }]);
  await expect(migrate(database.url, [schema()], { direction: 'down' })).rejects.toThrow('is not reverted');
});
