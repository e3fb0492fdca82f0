import { readFileSync } from 'node:fs';
import type { Database } from '@canvass/postgres';
import { Client } from 'pg';

/** Waits shorter than this are not written down, so that the server is not slowed by its own log. */
const worthLoggingMs = 10;

export interface LockWaits {
  /** Waits of other sessions than the backfill's that took `worthLoggingMs` or longer. */
  waits: number;
  longestMs: number;
}

/**
 * Has Postgres log each wait for a lock (`log_lock_waits`) with its length, and reads them from its log:
 * every wait is there from its beginning to its end, for every holder of the lock.
 */
export async function logLockWaits(
  adminUrl: string,
  logFile: string,
): Promise<{ stop(): Promise<LockWaits> }> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`alter system set deadlock_timeout = '${worthLoggingMs}ms'`);
  await admin.query('alter system set log_lock_waits = on');
  await admin.query('select pg_reload_conf()');
  const from = readFileSync(logFile, 'utf8').length;
  const own = new Set<number>();
  const look = setInterval(() => {
    admin.query<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'backfill'`).then(
      ({ rows }) => rows.forEach(({ pid }) => own.add(pid)),
      () => undefined,
    );
  }, 200);
  return {
    async stop() {
      clearInterval(look);
      await admin.query('alter system reset deadlock_timeout');
      await admin.query('alter system reset log_lock_waits');
      await admin.query('select pg_reload_conf()');
      await admin.end();
      return waitsIn(readFileSync(logFile, 'utf8').slice(from), own);
    },
  };
}

/** @param own processes of the backfill, which may wait as long as they like */
export function waitsIn(log: string, own: ReadonlySet<number>): LockWaits {
  const found = [...log.matchAll(/process (\d+) acquired \w+ on .* after ([\d.]+) ms/g)]
    .filter(([, pid]) => !own.has(Number(pid)))
    .map(([, , ms]) => Number(ms));
  return { waits: found.length, longestMs: Math.max(0, ...found) };
}

/** Where the run of the backfill is, for people. */
export async function positionOf(db: Database): Promise<string> {
  const [at] = await db.query<{ at: string }>(
    `select step || ' after ' || examined as at from backfill_progress where finished_at is null order by step limit 1`,
  );
  return at?.at ?? 'the end';
}
