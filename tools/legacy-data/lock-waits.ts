import type { Database } from '@canvass/postgres';

/** Sessions that wait for a lock which a backfill holds, and for how long. Sampled, so the end of a wait is missed: a lower bound. */
const waiting = `
  select a.pid, a.query_start::text as since,
    extract(epoch from clock_timestamp() - l.waitstart) * 1000 as ms
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and l.waitstart is not null and exists (
    select from unnest(pg_blocking_pids(l.pid)) b join pg_stat_activity h on h.pid = b
    where h.application_name = 'backfill')`;

/** Looks every few milliseconds for sessions that the backfill keeps waiting. */
export function watchLockWaits(db: Database): { stop(): Promise<{ longestMs: number; waits: number }> } {
  const longest = new Map<string, number>();
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const rows = await db.query<{ pid: number; since: string; ms: string }>(waiting);
      for (const { pid, since, ms } of rows) {
        const key = `${pid} ${since}`;
        longest.set(key, Math.max(longest.get(key) ?? 0, Number(ms)));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return { longestMs: Math.max(0, ...longest.values()), waits: longest.size };
    },
  };
}
