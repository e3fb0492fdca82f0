import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { findList, type ListRow } from '../catalog';
import { mergeStaged, type ItemsVersion } from '../items';
import type { FaultList } from './faults';
import type { ItemLimits } from './item-rules';

/**
 * Merges the items of a file with those of its list, into a version that replaces both.
 *
 * @param base the items that the list had when the import began
 * @throws {Problem} `conflict` if the list has others now; `import_rejected` if it would have too many
 */
export function mergeItems(
  { db, limits }: { db: Database; limits: ItemLimits },
  file: ItemsVersion,
  base: string,
  faults: FaultList,
): Promise<ItemsVersion> {
  return db.transaction(async (tx) => {
    assertBase(await findList(tx, file.tenantId, file.listId), base);
    const { to, count } = await mergeStaged(tx, file, base);
    if (count > limits.items) {
      const message = `A list holds at most ${limits.items} items; with those of the file it has ${count}.`;
      faults.stop({ line: null, column: null, field: null, code: 'too_many_items', message });
    }
    return to;
  });
}

/**
 * @param base null if nothing was merged
 * @throws {Problem} `conflict` if the list has other items than those that were merged
 */
export function assertBase(list: ListRow, base: string | null): void {
  if (base !== null && list.items_version !== base)
    throw new Problem('conflict', {
      detail: 'The items of the list were changed since the import began. Send it again.',
    });
}
