import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from './checkout';
import { isAlive, recordOf, type ProcessRecord } from './processes';

/** The living process that holds a lock file, or null. */
export function lockHolder(file: string): ProcessRecord | null {
  const record = readJson<ProcessRecord>(file);
  return isAlive(record) ? record : null;
}

/** Takes the lock for this process if no living process holds it. Returns the release function, or null. */
export function tryLock(file: string): (() => void) | null {
  mkdirSync(path.dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(recordOf(process.pid)));
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      // A link is atomic, and the file is complete when it appears.
      if (attempted(() => linkSync(own, file)))
        return () => {
          if (lockHolder(file)?.pid === process.pid) rmSync(file, { force: true });
        };
      if (lockHolder(file)) return null;
      removeStale(file);
    }
    return null;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Moves a dead holder's lock away; if a living process took it in the meantime, puts it back. */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  attempted(() => {
    renameSync(file, aside);
    if (lockHolder(aside)) linkSync(aside, file);
  });
  rmSync(aside, { force: true });
}

/** False if another process was faster: the file exists, or does not exist any more. */
function attempted(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}

/** Runs `work` while holding the lock; waits for another process that holds it. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  let release = tryLock(file);
  for (; release === null; release = tryLock(file)) await sleep(100);
  try {
    return await work();
  } finally {
    release();
  }
}
