import { statement, type Tx } from '@canvass/postgres';
import { ofVersion, type ItemsVersion } from './items.sql';
import { beginStaged, dropStaged } from './staged.sql';
import { maxWriteMs } from './write-items.sql';

/** Both are sorted by value, so the join needs no memory. A label that is null in the file is cleared. */
const merge = statement<ItemsVersion & { base: string; to: string }, { count: number }>(
  'items-merge',
  `with merged as (
     insert into items (tenant_id, list_id, version, position, value, labels)
     select $tenantId, $listId, $to,
       row_number() over (order by base.position, file.position) - 1, value,
       jsonb_strip_nulls(coalesce(base.labels, '{}') || coalesce(file.labels, '{}'))
     from (select position, value, labels from items where ${ofVersion('$base')}) base
     full join (select position, value, labels from items where ${ofVersion('$version')}) file using (value)
     returning 1
   )
   select count(*)::int as count from merged`,
);

/**
 * Begins a staged version with the items of `base`, changed by those of `file`, a staged version, too, which
 * is dropped. Items keep their order; new ones follow in the order of the file.
 *
 * @returns the version, and its number of items
 */
export async function mergeStaged(
  tx: Tx,
  file: ItemsVersion,
  base: string,
): Promise<{ to: ItemsVersion; count: number }> {
  const { tenantId, listId } = file;
  const to = await beginStaged(tx, { tenantId, listId });
  await tx.limitStatements(maxWriteMs);
  const [merged] = await tx.query(merge({ ...file, base, to: to.version }));
  await dropStaged(tx, file);
  return { to, count: merged!.count };
}
