import type { Tx } from '@canvass/postgres';
import { announce, updateListRow, type ListRef, type ListRow } from '../catalog';
import { recordVersion, type VersionCause } from './versions.sql';

export interface ItemsSwitch {
  /** Columns of the list to set, including the version of the items. */
  values: Partial<Pick<ListRow, 'items_count' | 'default_locale' | 'available_locales'>> & {
    items_version: string;
  };
  cause: VersionCause;
  /** Number of the restored version. */
  restoredFrom?: number;
}

/**
 * Makes another version of the items current in a locked list. The latest `kept` versions can be restored.
 */
export async function switchItems(
  tx: Tx,
  { traceparent }: ListRef,
  row: ListRow,
  kept: number,
  { values, cause, restoredFrom }: ItemsSwitch,
): Promise<ListRow> {
  const changed = await updateListRow(tx, row, values);
  await recordVersion(tx, row, kept, cause, restoredFrom ?? null);
  const replaced = cause === 'imported' || cause === 'restored';
  await announce(tx, replaced ? 'datalist.imported' : 'datalist.updated', row, changed, traceparent);
  return changed;
}
