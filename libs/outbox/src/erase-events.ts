import { statement, type Tx } from '@canvass/postgres';
import { laneSql } from './lanes';
import { lockPublished } from './published.sql';

interface Values {
  tenantId: string;
  entityIds: readonly string[];
}

export interface EventErasure extends Values {
  /** Members of the data, and what they become. Members that an event does not have are ignored. */
  members: Readonly<Record<string, unknown>>;
  /** Returns whether no webhook is to report these events: they lose their settings. */
  withoutWebhooks: boolean;
}

const blankIn = (table: string, found: string) =>
  statement<Values & { members: string; withoutWebhooks: boolean }>(
    `${table}_erase`,
    `update ${table} o set
       settings = case when $withoutWebhooks::boolean then null else o.settings end,
       data = (select json_object_agg(m.key, coalesce($members::json -> m.key, m.value)) from json_each(o.data) m)
     where ${found} o.tenant_id = $tenantId and o.entity_id = any ($entityIds::bigint[])`,
  );
const blank = blankIn('outbox', `o.lane in (select ${laneSql('n')} from unnest($entityIds::bigint[]) n) and`);
const blankPublished = blankIn('outbox_published', '');

/** A poisoned event can never be published. */
const removePoison = statement<Values>(
  'outbox_erase_poison',
  `delete from outbox_poison where (event ->> 'tenant_id')::bigint = $tenantId::bigint
     and (event ->> 'entity_id')::bigint = any ($entityIds::bigint[])`,
);

/**
 * Erases data from the events of entities, the unpublished and the published ones. The events stay, so that
 * revisions have no gap. Call it with the rows of the entities locked, and before `append`, because it would
 * also change the new event.
 */
export async function eraseEvents(tx: Tx, erasure: EventErasure): Promise<void> {
  const { tenantId, entityIds, members, withoutWebhooks } = erasure;
  const values = { tenantId, entityIds, members: JSON.stringify(members), withoutWebhooks };
  await tx.query(lockPublished());
  await tx.query(blank(values));
  // After the outbox: an event that is published meanwhile is here then.
  await tx.query(blankPublished(values));
  await tx.query(removePoison({ tenantId, entityIds }));
}
