import { statement, type Database } from '@canvass/postgres';

/** Readers of a version may finish with it, for example exports of slow clients. */
const graceSeconds = 3600;
const batchSize = 20_000;

interface Discarded {
  tenant_id: string;
  list_id: string;
  version: string;
}

const claim = statement(
  'items-discarded-claim',
  `select tenant_id, list_id, version from discarded_versions
   where discarded_at < now() - make_interval(secs => $1)
   order by discarded_at limit 1 for update skip locked`,
);
const remove = statement(
  'items-discarded-remove-first',
  `with gone as (
     delete from items where tenant_id = $1 and list_id = $2 and version = $3
       and position < (select position from items
                       where tenant_id = $1 and list_id = $2 and version = $3
                       order by position limit 1) + $4::int
     returning 1
   )
   select count(*)::int as count from gone`,
);
const forget = statement(
  'items-discarded-forget',
  'delete from discarded_versions where tenant_id = $1 and list_id = $2 and version = $3',
);

/**
 * Deletes one batch of a discarded version whose grace period is over, if there is one. Each replica claims
 * another version. After a crash it continues where it stopped.
 *
 * @returns whether there may be more to do
 */
export async function removeDiscardedBatch(db: Database, grace: number = graceSeconds): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [version] = await tx.query<Discarded>(claim, [grace]);
    if (version === undefined) return false;
    const key = [version.tenant_id, version.list_id, version.version];
    const [removed] = await tx.query<{ count: number }>(remove, [...key, batchSize]);
    // A short batch is not the end: a step covers positions, and some of them may be missing.
    if (removed!.count === 0) await tx.query(forget, key);
    return true;
  });
}
