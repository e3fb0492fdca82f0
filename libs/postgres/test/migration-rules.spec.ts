import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const checkoutDir = path.resolve(__dirname, '../../..');

/** Migrations that are older than the rules of decision 0015, and immutable: */
const before = ['20261121T0100_submission_versions.ts'];

const apps = path.join(checkoutDir, 'apps');
const files = readdirSync(apps)
  .map((app) => path.join(apps, app, 'migrations'))
  .flatMap((folder) => list(folder).map((name) => path.join(folder, name)))
  .filter((file) => /^\d{8}T\d{4}_/.test(path.basename(file)) && !before.includes(path.basename(file)));

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // an app without a database
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

it.each(files.map((file) => [path.relative(checkoutDir, file), file]))(
  '%s makes no writer wait for an index',
  (_, file) => {
    expect(blockedTables(readFileSync(file, 'utf8'))).toEqual([]);
  },
);

it('distinguishes a blocking index from others', () => {
  expect(blockedTables('create table a (n int); create index a_n on a (n)')).toEqual([]);
  expect(blockedTables('create index concurrently a_n on a (n)')).toEqual([]);
  expect(blockedTables('create table b (n int); create unique index a_n\n on a (n)')).toEqual(['a']);
});
