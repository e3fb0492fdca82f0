import type { Queryable } from '@canvass/postgres';
import { whereOf, type SubmissionFilter } from '../filters';

/** A part of the matches of a filter, in the order of ids. */
export interface Batch {
  ids: string[];
  /** All matches up to this id are in this part or an earlier one. */
  last: string;
  /** There is no further part. */
  isLast: boolean;
}

export interface BatchLimits {
  /** Submissions of the form that are looked at. A filter without an index reads each of them. */
  scanned: number;
  /** Matches of one part. */
  taken: number;
  /** Bytes of their answers; a larger submission is a part of its own. */
  bytes: number;
}

/** Ids above `after` and below `before`. */
export interface BatchWindow {
  after: string;
  before: string;
}

/**
 * The next matches of a filter, for work in small steps.
 *
 * @param condition of the matches beyond the filter, as SQL over the submission `s`; null: none
 * @param isLocked locks their rows, in the order of ids, until the transaction ends
 */
export async function nextMatches(
  db: Queryable,
  filter: SubmissionFilter,
  condition: string | null,
  { after, before }: BatchWindow,
  limits: BatchLimits,
  isLocked: boolean,
): Promise<Batch> {
  const window = await windowOf(db, filter, { after, before }, limits.scanned);
  if (window.last === null) return { ids: [], last: after, isLast: true };
  const { where, values } = whereOf(filter);
  const by = (place: number) => `$${values.length + place}`;
  const rows = await db.query<{ id: string; bytes: number }>(
    `select s.id, octet_length(s.json_data) + octet_length(s.metadata) as bytes from submissions s
     where ${where} ${condition === null ? '' : `and ${condition}`}
       and s.id > ${by(1)}::bigint and s.id <= ${by(2)}::bigint
     order by s.id limit ${by(3)} ${isLocked ? 'for no key update of s' : ''}`,
    [...values, after, window.last, limits.taken],
  );
  const ids = withinBytes(rows, limits.bytes);
  const isWhole = ids.length === rows.length && rows.length < limits.taken;
  return isWhole
    ? { ids, last: window.last, isLast: window.isLast }
    : { ids, last: ids.at(-1)!, isLast: false };
}

/** The end of the part of the form that one step looks at. Named submissions need no such part. */
async function windowOf(
  db: Queryable,
  { tenantId, formId, isDeleted, ids }: SubmissionFilter,
  { after, before }: BatchWindow,
  scanned: number,
): Promise<{ last: string | null; isLast: boolean }> {
  if (ids !== null) return { last: before, isLast: true };
  const [row] = await db.query<{ last: string | null; found: number }>(
    `select max(id) as last, count(*)::integer as found from (
       select s.id from submissions s
       where s.tenant_id = $1 and s.form_id = $2 and s.deleted_at is ${isDeleted ? 'not null' : 'null'}
         and s.id > $3 and s.id < $4
       order by s.id limit $5) part`,
    [tenantId, formId, after, before, scanned],
  );
  return { last: row!.last, isLast: row!.found < scanned };
}

/** The first rows with so many bytes together, at least one. */
function withinBytes(rows: readonly { id: string; bytes: number }[], maxBytes: number): string[] {
  let sum = 0;
  const end = rows.findIndex(({ bytes }, n) => (sum += bytes) > maxBytes && n > 0);
  return (end === -1 ? rows : rows.slice(0, end)).map(({ id }) => id);
}
