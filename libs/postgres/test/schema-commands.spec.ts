import type { TestDatabase } from '@canvass/testing';
import { createDatabase, migrateCommand, partitionCommand, type Database, type Migration } from '../src';
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

const table = (name: string): Migration => ({
  name,
  up: async (knex) =>
    void (await knex.raw(`create table t${name} (tenant_id bigint, id bigint, primary key (tenant_id, id))`)),
  down: async (knex) => void (await knex.raw(`drop table t${name}`)),
});
const migrations = [table('0001'), table('0002'), table('0003')];

const tables = async () =>
  (
    await db.query<{ name: string }>(
      `select relname as name from pg_class where relname ~ '^t000.$' and relkind in ('r', 'p') order by 1`,
    )
  ).map(({ name }) => name);

async function run(command: typeof migrateCommand | typeof partitionCommand, argv: string[]) {
  const written: string[] = [];
  const terminal = {
    stdout: { write: (text: string) => written.push(text) },
    stderr: { write: (text: string) => written.push(text) },
  };
  const work =
    command === migrateCommand ? migrateCommand(migrations, terminal) : partitionCommand(['t0001'], terminal);
  const status = await work(argv, { Database: { Url: database.url } });
  return [status, written.join('')];
}
const migrate = (...argv: string[]) => run(migrateCommand, argv);
const partition = (...argv: string[]) => run(partitionCommand, argv);

describe('the command migrate', () => {
  it('applies the missing migrations, up to the given one or all', async () => {
    expect(await migrate('--to', '0002')).toEqual([0, 'Applied 0001.\nApplied 0002.\n']);
    expect(await migrate('--config', 'a file')).toEqual([0, 'Applied 0003.\n']);
    expect(await migrate()).toEqual([0, 'There is nothing to do.\n']);
    expect(await tables()).toEqual(['t0001', 't0002', 't0003']);
  });

  it('reverts the newest migration, and no further one when it is repeated', async () => {
    await migrate();
    expect(await migrate('--undo')).toEqual([0, 'Reverted 0003.\n']);
    expect(await migrate('--undo')).toEqual([0, 'There is nothing to do.\n']);
    expect(await tables()).toEqual(['t0001', 't0002']);
    expect(await migrate()).toEqual([0, 'Applied 0003.\n']);
  });

  it('exits with 1 and the reason if a migration fails, and keeps those before it', async () => {
    await db.query('create table t0002 (n int)');
    const [status, written] = await migrate();
    expect(status).toBe(1);
    expect(written).toMatch(/^Migration 0002 failed: .*relation "t0002" already exists\n$/);
    expect(await tables()).toEqual(['t0001', 't0002']);
  });

  it.each([[['--to', '0004']], [['--to']], [['--undo', '--to', '0001']], [['--all']], [['up']]])(
    'exits with 2 for %j and changes nothing',
    async (argv) => {
      const [status, written] = await migrate(...argv);
      expect(status).toBe(2);
      expect(written).toContain('Usage: migrate [--to <name> | --undo]\n');
      expect(await tables()).toEqual([]);
    },
  );
});

describe('the command partition', () => {
  it('partitions the tables once', async () => {
    await migrate();
    expect(await partition('4')).toEqual([0, 'Partitioned t0001: 4 partitions each.\n']);
    expect(await partition('4')).toEqual([1, 'The table t0001 is partitioned already.\n']);
  });

  it.each([[[]], [['1']], [['257']], [['many']], [['4', '8']], [['--count=4']]])(
    'exits with 2 for %j and changes nothing',
    async (argv) => {
      const [status, written] = await partition(...argv);
      expect(status).toBe(2);
      expect(written).toContain('Usage: partition');
    },
  );
});
