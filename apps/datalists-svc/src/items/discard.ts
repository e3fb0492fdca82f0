import { statement, type Database } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';

/** Readers of a version may finish with it, for example exports of slow clients; uploads may write to it. */
export const graceSeconds = 3600;
const batchSize = 20_000;

/** A version that is claimed is lost, also for an upload: see `writeStaged`. */
const claim = statement<{ graceSeconds: number }, ItemsVersion>(
  'items-discarded-claim',
  `update discarded_versions set discarded_at = '-infinity'
   where (tenant_id, list_id, version) = (
     select tenant_id, list_id, version from discarded_versions
     where discarded_at < now() - make_interval(secs => $graceSeconds)
     order by discarded_at limit 1 for update skip locked)
   returning tenant_id as "tenantId", list_id as "listId", version`,
);
const remove = statement<
  { tenantId: string; listId: string; version: string; count: number },
  { count: number }
>(
  'items-discarded-remove-first',
  `with gone as (
     delete from items where tenant_id = $tenantId and list_id = $listId and version = $version
       and position < (select position from items
                       where tenant_id = $tenantId and list_id = $listId and version = $version
                       order by position limit 1) + $count::int
     returning 1
   )
   select count(*)::int as count from gone`,
);
const forget = statement<{ tenantId: string; listId: string; version: string }>(
  'items-discarded-forget',
  'delete from discarded_versions where tenant_id = $tenantId and list_id = $listId and version = $version',
);

/**
 * Deletes one batch of a discarded version whose grace period is over, if there is one. Each replica claims
 * another version. After a crash it continues where it stopped.
 *
 * @returns whether there may be more to do
 */
export async function removeDiscardedBatch(db: Database, grace: number = graceSeconds): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [version] = await tx.query(claim({ graceSeconds: grace }));
    if (version === undefined) return false;
    const [removed] = await tx.query(remove({ ...version, count: batchSize }));
    // A short batch is not the end: a step covers positions, and some of them may be missing.
    if (removed!.count === 0) await tx.query(forget(version));
    return true;
  });
}
