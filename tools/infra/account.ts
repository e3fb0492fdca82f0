import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { SetupError } from './setup-error';

/** User and group that a server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

/** Where the private servers live: a folder that their account owns and can reach. `account` null = run as ourselves. */
export interface ServerHome {
  dir: string;
  account: Account | null;
}

/**
 * PostgreSQL refuses to run as root, so root's servers run as `nobody`: the one account that exists everywhere, so
 * nothing on the machine is changed. An account without a passwd entry will not do: initdb looks its name up.
 */
function nobody(): Account {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody');
  if (!entry)
    throw new SetupError(
      'This runs as root and the machine has no user "nobody": run it as an ordinary user.',
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** True if a user without any rights of their own may enter every folder above `target` and `target` itself. */
export function everyoneMayEnter(target: string): boolean {
  for (let dir = path.resolve(target); ; dir = path.dirname(dir)) {
    // A folder that is still to be created gets the right mode from us; its parents decide.
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (stat && (stat.mode & 0o001) === 0) return false;
    if (dir === path.dirname(dir)) return true;
  }
}

/**
 * The servers' folder of a stack folder: `<dir>/servers`, or a folder of this checkout below the system's folder for
 * temporary files when that cannot serve: the servers' account cannot get there (a checkout below /root), or the path
 * holds a space or the like, which RabbitMQ's shell scripts do not survive.
 */
export function serverHome(stackDir: string): ServerHome {
  mkdirSync(stackDir, { recursive: true });
  const account = process.getuid?.() === 0 ? nobody() : null;
  const usable = /^[\w./-]+$/.test(stackDir) && (account === null || everyoneMayEnter(stackDir));
  const key = createHash('sha256').update(path.resolve(stackDir)).digest('hex').slice(0, 12);
  const dir = usable ? path.join(stackDir, 'servers') : path.join(os.tmpdir(), `canvass-${key}`);
  return { dir: ensureDir(dir, account), account };
}

/** Creates a folder that belongs to the account. One that someone else put there is refused, not used. */
export function ensureDir(dir: string, account: Account | null, mode = 0o755): string {
  mkdirSync(dir, { recursive: true, mode });
  const stat = lstatSync(dir);
  const owner = account?.uid ?? process.getuid?.();
  if (!stat.isDirectory() || (stat.uid !== owner && stat.uid !== process.getuid?.())) {
    throw new SetupError(`${dir} belongs to another user: remove it or run as that user.`);
  }
  if (account && stat.uid !== account.uid) chownSync(dir, account.uid, account.gid);
  if ((stat.mode & 0o777) !== mode) chmodSync(dir, mode);
  return dir;
}
