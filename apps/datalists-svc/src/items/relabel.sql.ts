import { statement, type Tx } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';

/** A million items take longer than the statement timeout. */
const withoutTimeout = (tx: Tx) => tx.query('set local statement_timeout = 0');

const withoutKey = statement(
  'items-without-key',
  `insert into items (tenant_id, list_id, version, position, value, labels)
   select tenant_id, list_id, $4, position, value, labels - $5::text
   from items where tenant_id = $1 and list_id = $2 and version = $3`,
);

/** Copies a version, without the labels of one key. */
export async function copyWithoutKey(tx: Tx, from: ItemsVersion, to: string, key: string): Promise<void> {
  await withoutTimeout(tx);
  await tx.query(withoutKey, [from.tenantId, from.listId, from.version, to, key]);
}

const swapped = `
  (labels - $5::text) || jsonb_build_object(
    'default', coalesce(labels ->> $5::text, labels ->> 'default'),
    $6::text, labels ->> 'default')`;

const withOtherDefault = statement(
  'items-with-other-default',
  `insert into items (tenant_id, list_id, version, position, value, labels)
   select tenant_id, list_id, $4, position, value, ${swapped}
   from items where tenant_id = $1 and list_id = $2 and version = $3`,
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
  await withoutTimeout(tx);
  await tx.query(withOtherDefault, [from.tenantId, from.listId, from.version, to, next, previous]);
}
