import { statement, type Queryable, type Tx } from '@canvass/postgres';
import { currentContext, type Actor } from '@canvass/service-kit';
import type { ListRow } from '../catalog';

/** The cause of a version. */
export type VersionCause = 'imported' | 'restored' | 'locale_removed' | 'default_locale_changed';

export interface VersionRow {
  number: number;
  cause: VersionCause;
  restored_from: number | null;
  items_version: string;
  items_count: number;
  default_locale: string;
  available_locales: string[];
  revision: string;
  created_at: Date;
  created_by: Actor | null;
}

const columns = `number, cause, restored_from, items_version, items_count, default_locale, available_locales, revision, created_at, created_by`;

const record = statement<
  {
    tenantId: string;
    listId: string;
    cause: VersionCause;
    restoredFrom: number | null;
    createdBy: string | null;
  },
  { number: number }
>(
  'version-record',
  `insert into data_list_versions
     (tenant_id, list_id, number, cause, restored_from, items_version, items_count, default_locale, available_locales, revision,
      created_at, created_by)
   select tenant_id, id, (select coalesce(max(number), 0) + 1 from data_list_versions
                          where tenant_id = $tenantId and list_id = $listId),
          $cause, $restoredFrom, items_version, items_count, default_locale, available_locales, revision, modified_at, $createdBy::json
   from data_lists where tenant_id = $tenantId and id = $listId
   returning number`,
);

/**
 * Items that a later version also uses stay; others are discarded with their last version. Uses the current
 * time instead of the start of the transaction, because an upload may take longer than the grace period of
 * readers.
 */
const trim = statement<{ tenantId: string; listId: string; last: number }>(
  'version-trim',
  `with gone as (
     delete from data_list_versions where tenant_id = $tenantId and list_id = $listId and number <= $last
     returning items_version
   )
   insert into discarded_versions (tenant_id, list_id, version, discarded_at)
   select distinct $tenantId::bigint, $listId::bigint, items_version, statement_timestamp() from gone
   where not exists (
     select from data_list_versions kept
     where kept.tenant_id = $tenantId and kept.list_id = $listId and kept.number > $last
       and kept.items_version = gone.items_version)`,
);

/**
 * Records the current state as the next version and drops those beyond the latest `kept`. The list must be
 * locked.
 */
export async function recordVersion(
  tx: Tx,
  { tenant_id, id }: ListRow,
  kept: number,
  cause: VersionCause,
  restoredFrom: number | null,
): Promise<void> {
  const list = { tenantId: tenant_id, listId: id };
  const actor = currentContext()?.actor;
  const createdBy = actor === undefined ? null : JSON.stringify(actor);
  const [made] = await tx.query(record({ ...list, cause, restoredFrom, createdBy }));
  await tx.query(trim({ ...list, last: made!.number - kept }));
}

const discardAll = statement<{ tenantId: string; listId: string }>(
  'version-discard-all',
  `insert into discarded_versions (tenant_id, list_id, version)
   select distinct tenant_id, list_id, items_version from data_list_versions
   where tenant_id = $tenantId and list_id = $listId`,
);

/** Marks all items of a list for deletion. The same transaction deletes the list. */
export async function discardAllItems(tx: Tx, tenantId: string, listId: string): Promise<void> {
  await tx.query(discardAll({ tenantId, listId }));
}

const byNumber = statement<{ tenantId: string; listId: string; number: number }, VersionRow>(
  'version-by-number',
  `select ${columns} from data_list_versions where tenant_id = $tenantId and list_id = $listId and number = $number`,
);

export async function selectVersion(
  db: Queryable,
  tenantId: string,
  listId: string,
  number: number,
): Promise<VersionRow | undefined> {
  const [row] = await db.query(byNumber({ tenantId, listId, number }));
  return row;
}

/** All stored versions, for pages; the ids are the numbers. There are few. */
export const allVersions = statement<
  { tenantId: string; listId: string },
  VersionRow & { id: string; is_current: boolean }
>(
  'version-all',
  `select number::bigint as id, ${columns}, number = max(number) over () as is_current from data_list_versions
   where tenant_id = $tenantId and list_id = $listId`,
);
