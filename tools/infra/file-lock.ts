import { linkSync, readFileSync, renameSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, recordOf, type ProcessRecord } from './process-record';

/** Who holds a lock file: a record, or null for a file that is missing or unreadable. */
export function lockHolder(file: string): ProcessRecord | null {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord;
    return isAlive(record) ? record : null;
  } catch {
    return null;
  }
}

/** Takes the lock for this process if no living process holds it. Returns the release function, or null. */
export function tryLock(file: string): (() => void) | null {
  mkdirSync(path.dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(recordOf(process.pid)));
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        linkSync(mine, file); // atomic, and the file is complete when it appears
        return () => {
          if (lockHolder(file)?.pid === process.pid) rmSync(file, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (lockHolder(file)) return null;
      clearStale(file);
    }
    return null;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Moves a dead holder's lock away; if a living one took it since we looked, puts it back. */
function clearStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (lockHolder(aside)) linkSync(aside, file);
  } catch {
    // Someone else was faster; the caller looks again.
  }
  rmSync(aside, { force: true });
}

/** Runs `work` while holding the lock; waits for another process that holds it. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const release = tryLock(file);
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    await sleep(100);
  }
}
