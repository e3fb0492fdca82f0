import { idAt, kx } from '@canvass/postgres';
import { readInstant } from '@canvass/service-kit';
import type { Knex } from 'knex';
import type { DeliveryFilter } from './delivery-filter';

const hourMs = 3_600_000;
/** A delivery is younger than its message, up to ten minutes between the clocks. */
const clocksMs = 10 * 60_000;

/** A filter with what the database knows of its message. */
export interface FoundFilter extends DeliveryFilter {
  tenantId: string;
  /** The entity of the message `messageId`. Its deliveries have an index, those of a message have none. */
  messageEntityId?: string;
  /** The only deliveries. */
  ids?: readonly string[];
}

/** The conditions of a filter that hold for a row of `deliveries` or `waiting`. */
function matching(table: 'deliveries' | 'waiting', filter: FoundFilter): Knex.QueryBuilder {
  const query = kx(table);
  const { tenantId, endpointId, formId, entityId, messageId, messageEntityId, eventName } = filter;
  const equal = [
    ['endpoint_id', endpointId],
    ['form_id', formId],
    ['entity_id', entityId],
    ['event_name', eventName],
    ['message_id', messageId],
    ['entity_id', messageEntityId],
  ] as const;
  for (const [column, value] of equal) if (value !== undefined) void query.where(column, value);
  if (filter.ids !== undefined) void query.whereIn('id', [...filter.ids]);
  if (messageId !== undefined) void query.where('id', '>=', idBefore(messageId));
  if (filter.isTest !== undefined) void query.where('entity_id', filter.isTest ? '=' : '<>', 0);
  // The range of ids selects the partitions and what is read of them. A delivery gets its id within the
  // transaction that makes it, so an hour is enough.
  const [from, to] = [filter.from, filter.to].map((text) => text && readInstant(text));
  if (from) void query.where('created_at', '>=', from).where('id', '>=', idAt(from, -hourMs));
  if (to) void query.where('created_at', '<', to).where('id', '<=', idAt(to, hourMs));
  if (filter.text !== undefined) {
    const spellings = spellingsOf(filter.text);
    const contains = spellings.map(() => 'position(?::bytea in m.body) > 0').join(' or ');
    void query.whereRaw(
      `exists (select from messages m where m.tenant_id = ${table}.tenant_id and m.id = ${table}.message_id and (${contains}))`,
      spellings,
    );
  }
  return query.where('tenant_id', tenantId);
}

const idBefore = (messageId: string): string => {
  const id = BigInt(messageId) - (BigInt(clocksMs) << 22n);
  return String(id > 0n ? id : 0n);
};

/** The text in the JSON of a message: in a member, and in JSON text within a member such as `jsonData`. */
function spellingsOf(text: string): Buffer[] {
  const escaped = (value: string) => JSON.stringify(value).slice(1, -1);
  return [...new Set([text, escaped(text), escaped(escaped(text))])].map((each) => Buffer.from(each));
}

/** All but deliveries of which the first attempt succeeded; the index `deliveries_exceptions` has them. */
const isException = `(status <> 'delivered' or attempt_count > 1)`;

/** Returns whether a filter has exceptions only. The planner does not see it from its conditions. */
function hasOnlyExceptions({ status, outcome, statusCode, minAttempts = 0 }: FoundFilter): boolean {
  const [first, last = first] = statusCode?.split('-').map(Number) ?? [];
  return (
    status?.includes('delivered') === false ||
    outcome?.includes('success') === false ||
    (statusCode !== undefined && (last! < 200 || first! > 299)) ||
    minAttempts > 1
  );
}

/** Deliveries that are final, or have been tried. */
export function logged(filter: FoundFilter): Knex.QueryBuilder {
  const { status, outcome, statusCode, minAttempts } = filter;
  const query = matching('deliveries', filter);
  if (hasOnlyExceptions(filter)) void query.whereRaw(isException);
  if (status !== undefined) void oneOf(query, 'status', status);
  if (outcome !== undefined) void oneOf(query, 'last_outcome', outcome);
  if (statusCode !== undefined) {
    const [first, last = first] = statusCode.split('-');
    void query.whereBetween('last_status_code', [Number(first), Number(last)]);
  }
  return minAttempts === undefined ? query : query.where('attempt_count', '>=', minAttempts);
}

/** Waiting deliveries that were never tried: the others are in the log. */
export function untried(filter: FoundFilter): Knex.QueryBuilder {
  const { status = ['pending'], outcome, statusCode, minAttempts = 0 } = filter;
  const query = matching('waiting', filter).where('attempts', 0);
  const isPossible =
    status.includes('pending') && outcome === undefined && statusCode === undefined && minAttempts === 0;
  return isPossible ? query : query.whereRaw('false');
}

/** Compares a column: for a single value the planner uses the indexes of failed deliveries in id order. */
const oneOf = (query: Knex.QueryBuilder, column: string, values: readonly string[]) =>
  values.length === 1 ? query.where(column, values[0]!) : query.whereIn(column, [...values]);
