import { statement, type Tx } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';

const withoutKey = statement(
  'items-without-key',
  `insert into items (tenant_id, list_id, version, position, value, labels, folded_value, folded_labels)
   select tenant_id, list_id, $4, position, value, labels - $5::text, folded_value, folded_labels - $5::text
   from items where tenant_id = $1 and list_id = $2 and version = $3`,
);

/** Copies a version, without the labels of one key. */
export async function copyWithoutKey(tx: Tx, from: ItemsVersion, to: string, key: string): Promise<void> {
  await tx.query(withoutKey, [from.tenantId, from.listId, from.version, to, key]);
}

const swapped = (labels: string) => `
  (${labels} - $5::text) || jsonb_build_object(
    'default', coalesce(${labels} ->> $5::text, ${labels} ->> 'default'),
    $6::text, ${labels} ->> 'default')`;

const withOtherDefault = statement(
  'items-with-other-default',
  `insert into items (tenant_id, list_id, version, position, value, labels, folded_value, folded_labels)
   select tenant_id, list_id, $4, position, value, ${swapped('labels')}, folded_value, ${swapped('folded_labels')}
   from items where tenant_id = $1 and list_id = $2 and version = $3`,
);

/** Copies a version; the labels of `next` become the default ones, which are kept under `previous`. */
export async function copyWithDefault(
  tx: Tx,
  from: ItemsVersion,
  to: string,
  { next, previous }: { next: string; previous: string },
): Promise<void> {
  await tx.query(withOtherDefault, [from.tenantId, from.listId, from.version, to, next, previous]);
}
