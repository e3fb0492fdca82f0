import type { Tx } from '@canvass/postgres';
import { announce, updateListRow, type ListRef, type ListRow } from '../catalog';
import { recordVersion, type VersionCause } from './versions.sql';

export interface ItemsSwitch {
  /** Columns of the list to set, the version of the items among them. */
  values: Partial<Pick<ListRow, 'items_count' | 'default_locale' | 'available_locales'>> & {
    items_version: string;
  };
  cause: VersionCause;
  /** Number of the version that is repeated. */
  restoredFrom?: number;
}

/** Makes another version of the items the current one of a locked list, of which the latest `kept` can be restored. */
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
  await announce(tx, replaced ? 'datalist.imported' : 'datalist.updated', changed, traceparent);
  return changed;
}
