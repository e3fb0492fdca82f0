import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createDatabase, type Database } from '@canvass/postgres';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations, tablesByTenant } from '../migrations';
import { newEncryptionKey, startHarness } from './harness';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await testDatabase({
    template: 'empty',
    schema: 'submissions',
    prepare: () => Promise.resolve(),
  });
  db = createDatabase({ Url: database.url, PoolMax: 2 });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const names = migrations.map(({ name }) => name);
const newest = names.at(-1)!;

const applied = async (): Promise<string[]> =>
  (await db.query<{ name: string }>('select name from knex_migrations order by name')).map(
    ({ name }) => name,
  );

/** The command as an operator starts it, with the configuration of the service. */
async function run(...argv: string[]): Promise<{ status: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'apps/submissions-svc/src/main.ts', ...argv], {
    cwd: path.join(__dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      Service__Database__Url: database.url,
      Service__Database__MigrateOnStart: 'false',
      Service__Broker__Url: 'amqp://127.0.0.1:1',
      Service__Auth__Own__JwksUri: 'http://127.0.0.1:1/jwks',
      Service__Encryption__Keys__0: newEncryptionKey('k1'),
      Service__Internal__Secret: 'a secret of thirty-two characters or more',
    },
  });
  const [output, screen, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { status, lines: (output + screen).trim().split('\n') };
}

describe('main.js migrate', () => {
  it('applies the missing migrations, up to the given one or all, and finds nothing to do then', async () => {
    expect(await run('migrate', '--to', names[1]!)).toEqual({
      status: 0,
      lines: [`Applied ${names[0]}.`, `Applied ${names[1]}.`],
    });
    const { status, lines } = await run('migrate');
    expect([status, lines.length]).toEqual([0, names.length - 2]);
    expect(await applied()).toEqual(names);
    expect(await run('migrate')).toEqual({ status: 0, lines: ['There is nothing to do.'] });
  });

  it('makes a running service ready that does not migrate itself', async () => {
    const test = await startHarness({ databaseOf: database.url, withoutSchema: true });
    try {
      expect((await fetch(`${test.service.url}/ready`)).status).toBe(503);
      expect((await run('migrate')).status).toBe(0);
      await eventually(async () => expect((await fetch(`${test.service.url}/ready`)).status).toBe(200));
    } finally {
      await test.close();
    }
  });

  it('reverts the newest migration, and no further one when it is repeated', async () => {
    expect((await run('migrate')).status).toBe(0);
    expect(await run('migrate', '--undo')).toEqual({ status: 0, lines: [`Reverted ${newest}.`] });
    expect(await run('migrate', '--undo')).toEqual({ status: 0, lines: ['There is nothing to do.'] });
    expect(await applied()).toEqual(names.slice(0, -1));
    expect(await run('migrate')).toEqual({ status: 0, lines: [`Applied ${newest}.`] });
  });

  it('exits with 1 and the reason if a migration fails, and with 2 for a wrong command line', async () => {
    await db.query('create table submissions (id bigint)');
    const failed = await run('migrate');
    expect(failed.status).toBe(1);
    expect(failed.lines.join('\n')).toMatch(
      /^Migration 20261120T1204_submissions failed: [^]* already exists$/m,
    );
    const before = await applied();
    for (const argv of [['--to', 'none'], ['--undo', '--to', names[0]!], ['up']])
      expect(await run('migrate', ...argv)).toMatchObject({ status: 2 });
    expect(await applied()).toEqual(before);
  });
});

describe('main.js partition', () => {
  it('partitions the large tables once; the service and its migrations go on', async () => {
    expect((await run('migrate')).status).toBe(0);
    for (const argv of [[], ['257']]) expect(await run('partition', ...argv)).toMatchObject({ status: 2 });
    expect(await run('partition', '4')).toEqual({
      status: 0,
      lines: ['Partitioned submitters, submissions, submission_versions: 4 partitions each.'],
    });
    const [found] = await db.query<{ partitions: number }>(
      'select count(*)::int as partitions from pg_inherits where inhparent = any ($1::text[]::regclass[])',
      [tablesByTenant],
    );
    expect(found!.partitions).toBe(12);
    expect(await run('partition', '4')).toEqual({
      status: 1,
      lines: ['The table submitters is partitioned already.'],
    });
    expect(await run('migrate', '--undo')).toMatchObject({ status: 0 });
    expect(await run('migrate')).toMatchObject({ status: 0 });
  });
});
