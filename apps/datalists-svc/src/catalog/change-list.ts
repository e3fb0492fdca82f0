import { difference, recordAudit } from '@canvass/audit';
import type { DataListView, EventType } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import { append } from '@canvass/outbox';
import type { Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { lockListRow, updateListRow, viewOf, type ListColumns, type ListRow } from './catalog.sql';

/** The author and the list of a change. */
export interface ListRef {
  tenantId: string;
  id: string;
  /** The revisions of `If-Match`, or null. */
  ifMatch: IfMatch;
  traceparent: string | null;
}

type ListEvent = Extract<EventType, `datalist.${string}`>;

/**
 * Locks and returns the list's row until the transaction ends. Every change of a list begins with it.
 *
 * @throws {Problem} `not_found`; `revision_mismatch` if the caller's `If-Match` has another revision
 */
export async function lockList(tx: Tx, ref: ListRef): Promise<ListRow> {
  const row = await lockListRow(tx, ref.tenantId, ref.id);
  if (row === undefined) throw notFound('data list', ref.id);
  assertRevision(ref, row);
  return row;
}

/** @throws {Problem} `revision_mismatch` if the caller's `If-Match` has another revision */
export function assertRevision(ref: ListRef, row: ListRow): void {
  const asked = ref.ifMatch?.join(' or ') ?? '';
  const detail = `The data list is at revision ${row.revision}; the request was made for ${asked.slice(0, 100)}.`;
  assertIfMatch(ref.ifMatch, row.revision, detail);
}

/** Writes a change of a locked list with the next revision, and its event. */
export async function changeList(
  tx: Tx,
  ref: ListRef,
  row: ListRow,
  values: ListColumns,
  event: ListEvent,
): Promise<ListRow> {
  const changed = await updateListRow(tx, row, values);
  await announce(tx, event, row, changed, ref.traceparent);
  return changed;
}

const auditedMembers = [
  'name',
  'description',
  'isActive',
  'defaultLocale',
  'availableLocales',
  'order',
  'itemsCount',
] as const;

/**
 * Records a change in the audit trail, and adds its event to the outbox, with the changed list.
 *
 * @param before null for a new list; for a deletion the list itself
 */
export async function announce(
  tx: Tx,
  type: ListEvent,
  before: ListRow | null,
  row: ListRow,
  traceparent: string | null,
): Promise<DataListView> {
  const data = viewOf(row);
  const changes =
    before === null ? { after: { name: data.name } } : difference(viewOf(before), data, auditedMembers);
  await recordAudit(tx, { tenantId: row.tenant_id, object: ['data_list', row.id], ...changes });
  await append(tx, {
    type,
    tenantId: row.tenant_id,
    entity: 'datalist',
    entityId: row.id,
    formId: null,
    revision: row.revision,
    settings: null,
    traceparent,
    data,
  });
  return data;
}
