import { statement, type Tx } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';
import { maxWriteMs } from './write-items.sql';

/** The key without further members, such as the number of items. */
const keyOf = ({ tenantId, listId, version }: ItemsVersion) => ({ tenantId, listId, version });

const withoutKey = statement<{ tenantId: string; listId: string; version: string; to: string; key: string }>(
  'items-without-key',
  `insert into items (tenant_id, list_id, version, position, value, labels)
   select tenant_id, list_id, $to, position, value, labels - $key::text
   from items where tenant_id = $tenantId and list_id = $listId and version = $version`,
);

/** Copies a version, without the labels of one key. */
export async function copyWithoutKey(tx: Tx, from: ItemsVersion, to: string, key: string): Promise<void> {
  await tx.limitStatements(maxWriteMs);
  await tx.query(withoutKey({ ...keyOf(from), to, key }));
}

const swapped = `
  (labels - $next::text) || jsonb_build_object(
    'default', coalesce(labels ->> $next::text, labels ->> 'default'),
    $previous::text, labels ->> 'default')`;

const withOtherDefault = statement<{
  tenantId: string;
  listId: string;
  version: string;
  to: string;
  next: string;
  previous: string;
}>(
  'items-with-other-default',
  `insert into items (tenant_id, list_id, version, position, value, labels)
   select tenant_id, list_id, $to, position, value, ${swapped}
   from items where tenant_id = $tenantId and list_id = $listId and version = $version`,
);

/**
 * Copies a version. The labels of `next` become the default labels; the old ones are kept under `previous`.
 */
export async function copyWithDefault(
  tx: Tx,
  from: ItemsVersion,
  to: string,
  { next, previous }: { next: string; previous: string },
): Promise<void> {
  await tx.limitStatements(maxWriteMs);
  await tx.query(withOtherDefault({ ...keyOf(from), to, next, previous }));
}
