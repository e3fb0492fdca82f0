import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Migrations of apps that make writers wait for an index (decision 0015). */
function blockingMigrations(apps: string): string[] {
  return readdirSync(apps)
    .flatMap((app) => list(path.join(apps, app, 'migrations')))
    .filter((file) => /^0\d+_.*\.ts$/.test(path.basename(file)))
    .filter((file) => blockedTables(readFileSync(file, 'utf8')).length > 0)
    .map((file) => path.relative(apps, file));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return []; // no database, or no migration after the schema
  }
}

/**
 * Tables that get an index in the way of their writers: not made by the same migration, and not concurrently.
 */
function blockedTables(text: string): string[] {
  const made = [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/gi)].map(
    ([, name]) => name,
  );
  const indexed = [...text.matchAll(/create (?:unique )?index (?!concurrently)(?:\w+\s+)?on (\w+)/gi)];
  return indexed.map(([, name = '']) => name).filter((name) => !made.includes(name));
}

it('no migration makes a writer wait for an index', () => {
  expect(blockingMigrations(path.resolve(__dirname, '../../../apps'))).toEqual([]);
});

it('finds a blocking index among others', () => {
  const apps = mkdtempSync(path.join(os.tmpdir(), 'migration-rules-'));
  mkdirSync(path.join(apps, 'forms-svc/migrations'), { recursive: true });
  mkdirSync(path.join(apps, 'console'));
  const migrations = {
    '0002_table': 'create table a (n int); create index a_n on a (n)',
    '0003_concurrent': 'create index concurrently a_m on a (m)',
    '0004_blocking': 'create table b (n int); create unique index a_k\n on a (k)',
  };
  for (const [name, text] of Object.entries(migrations))
    writeFileSync(path.join(apps, 'forms-svc/migrations', `${name}.ts`), text);
  expect(blockingMigrations(apps)).toEqual(['forms-svc/migrations/0004_blocking.ts']);
  rmSync(apps, { recursive: true });
});
