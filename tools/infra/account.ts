import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SetupError } from './checkout';

/** User and group that a server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

/** A folder that the servers' account owns and can enter. `account` null: they run as ourselves. */
export interface ServerHome {
  dir: string;
  account: Account | null;
}

/**
 * PostgreSQL refuses to run as root, so root's servers run as the user `nobody`: it exists everywhere, so
 * nothing on the machine is changed. An account without a passwd entry does not work: initdb looks its name
 * up.
 */
function unprivilegedAccount(): Account {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined)
    throw new SetupError(
      'This runs as root and the machine lacks the user "nobody": run it as an ordinary user.',
    );
  return { uid: Number(uid), gid: Number(gid) };
}

/** True if a user without any rights of their own may enter `target` and every folder above it. */
export function everyoneMayEnter(target: string): boolean {
  const resolved = path.resolve(target);
  // A folder that does not exist yet gets the right mode from us; its parents decide.
  const stat = statSync(resolved, { throwIfNoEntry: false });
  if (stat && (stat.mode & 0o001) === 0) return false;
  return resolved === path.dirname(resolved) || everyoneMayEnter(path.dirname(resolved));
}

/**
 * The servers' folder of a stack folder: `<dir>/servers`, or a folder of this checkout below the system's
 * folder for temporary files if the servers' account cannot enter the former (a checkout below /root), or
 * if its path has a space or the like, which RabbitMQ's shell scripts do not support.
 */
export function serverHome(stackDir: string): ServerHome {
  mkdirSync(stackDir, { recursive: true });
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : null;
  const isUsable = /^[\w./-]+$/.test(stackDir) && (account === null || everyoneMayEnter(stackDir));
  const key = createHash('sha256').update(path.resolve(stackDir)).digest('hex').slice(0, 12);
  const dir = isUsable ? path.join(stackDir, 'servers') : path.join(os.tmpdir(), `canvass-${key}`);
  return { dir: ensureDir(dir, account), account };
}

/** Creates a folder that belongs to the account. Throws for one that belongs to another user. */
export function ensureDir(dir: string, account: Account | null, mode = 0o755): string {
  mkdirSync(dir, { recursive: true, mode });
  const stat = lstatSync(dir);
  const self = process.getuid?.();
  if (!stat.isDirectory() || (stat.uid !== (account?.uid ?? self) && stat.uid !== self))
    throw new SetupError(`${dir} belongs to another user: remove it or run as that user.`);
  if (account && stat.uid !== account.uid) chownSync(dir, account.uid, account.gid);
  if ((stat.mode & 0o777) !== mode) chmodSync(dir, mode);
  return dir;
}
