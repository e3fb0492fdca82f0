import { Problem, validationProblem } from '@canvass/errors';
import type { Queryable, Transactor } from './database';
import { sqlState } from './faults';
import { inShareOfListings } from './listing-share';

/** How the values of a column are compared. A `time` is a `timestamp` in UTC with milliseconds. */
export type KeyType = 'bigint' | 'integer' | 'boolean' | 'text' | 'time';

/** A total order of the rows of a source: by its column `key`, if there is one, then by its column `id`. */
export interface KeyOrder {
  /** Part of the cursors, so that a cursor of another order is rejected. */
  name: string;
  direction: 'asc' | 'desc';
  /** Rows without a value come last in both directions. */
  key?: { type: KeyType; isNullable?: boolean };
}

/** The order of ids, which grow with the time of creation. */
export const newestFirst: KeyOrder = { name: 'id', direction: 'desc' };

/** The rows after or before a cursor; without one the first rows. */
export interface KeyWindow {
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
  /** The id of the last row that is read, see `endOfPart`. Only in an order by id. */
  end?: string | null;
}

/** A select with its values $1, $2, …. Any bound statement is one. */
export interface KeySource {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Whether and how the rows of a source are counted, see `totalOf`. */
export type TotalMode = 'none' | 'estimated' | 'exact';

/** The sort values of a row as texts: id, then key. */
export type WithKeys<Row> = Row & { keys: (string | null)[] };

/** Items in order, with the cursors for the next and the previous page; null without such a page. */
export interface KeySlice<Row> {
  rows: WithKeys<Row>[];
  next: string | null;
  previous: string | null;
}

const sqlTypes: Record<KeyType, string> = {
  bigint: 'bigint',
  integer: 'integer',
  boolean: 'boolean',
  text: 'text',
  time: 'timestamp',
};

/**
 * A query for the rows of a window and one more, which shows whether further rows follow. With `before` they
 * are in reverse order. An index on the conditions of the source, `key` and `id` finds the first of them, so
 * that rows of other pages are not read.
 *
 * @param sources select the bigint `id`, `key` if the order has one, and the same further columns. The rows
 * of several are one list, and each source is read along its own index.
 * @returns rows of the sources with their `keys`
 * @throws {Problem} `validation_failed` that names `after` or `before`
 */
export function keyPageQuery(
  sources: readonly KeySource[],
  order: KeyOrder,
  window: KeyWindow,
): { text: string; values: unknown[] } {
  const isBackward = window.before !== undefined;
  const at = cursorOf(order, window);
  const values = sources.flatMap((source) => source.values);
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const isUpward = (order.direction === 'asc') !== isBackward;
  const [sign, direction] = isUpward ? ['>', 'asc'] : ['<', 'desc'];
  const limit = `${parameter(window.limit + 1)}::bigint`;
  const id = at && `${parameter(at.id)}::bigint`;
  const key = at && at.key !== null ? `${parameter(at.key)}::${sqlTypes[order.key!.type]}` : undefined;
  const pastId = id && `x.id ${sign} ${id}`;
  const end =
    window.end === undefined || window.end === null
      ? undefined
      : `x.id ${isUpward ? '<=' : '>='} ${parameter(window.end)}::bigint`;
  const pastKey = key && `(x.key, x.id) ${sign} (${key}, ${id})`;
  const byId = `x.id ${direction}`;
  const byKey = order.key === undefined ? byId : `x.key ${direction}, ${byId}`;

  let ranges: Range[];
  if (order.key?.isNullable !== true) {
    ranges = [{ conditions: [order.key === undefined ? pastId : pastKey, end], by: byKey }];
  } else {
    // Rows with and without a value are two ranges of the index. A single condition for both would read it
    // from its start.
    const isInValues = key !== undefined;
    const isInAbsent = at !== undefined && !isInValues;
    const valued = { conditions: ['x.key is not null', pastKey], by: byKey };
    const absent = { conditions: ['x.key is null', isInAbsent ? pastId : undefined], by: byId };
    const isValuedRead = isBackward || !isInAbsent;
    const isAbsentRead = isBackward ? !isInValues : true;
    ranges = [...(isValuedRead ? [valued] : []), ...(isAbsentRead ? [absent] : [])];
  }
  const parts = inOneList(sources).flatMap((source) =>
    ranges.map(({ conditions, by }) => {
      const where = conditions.filter(Boolean).join(' and ');
      return `select x.*, ${keysOf(order)} as keys from (${source}) x${where && ` where ${where}`}
        order by ${by} limit ${limit}`;
    }),
  );
  if (parts.length === 1) return { text: parts[0]!, values };
  const absentLast = order.key?.isNullable ? `(x.key is null) ${isBackward ? 'desc' : 'asc'}, ` : '';
  const text = `select * from (${parts.map((part) => `(${part})`).join(' union all ')}) x
    order by ${absentLast}${byKey} limit ${limit}`;
  return { text, values };
}

/** A part of the index of an order. */
interface Range {
  conditions: (string | undefined)[];
  by: string;
}

/** The texts of the sources, with the parameters of all in one list. */
function inOneList(sources: readonly KeySource[]): string[] {
  let before = 0;
  return sources.map(({ text, values }) => {
    const moved = before;
    before += values.length;
    return moved === 0 ? text : text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + moved}`);
  });
}

/**
 * Finds the last row that a page checks. A condition without an index is checked for each row, so one page
 * checks `most` rows only. The page may have fewer rows than its limit, even none. The next page starts after
 * that row.
 *
 * @param sources without that condition, in an order by id
 * @returns the id of the last row of the part; null if the part reaches the end of the list
 * @throws {Problem} `validation_failed` that names `after` or `before`
 */
export async function endOfPart(
  db: Queryable,
  sources: readonly KeySource[],
  order: KeyOrder,
  { after, before }: KeyWindow,
  most: number,
): Promise<string | null> {
  const { text, values } = keyPageQuery(sources, order, { after, before, limit: most - 1 });
  const last = (order.direction === 'asc') !== (before !== undefined) ? 'max' : 'min';
  const [found] = await db.query<{ id: string | null }>(
    `select case when count(*) = ${most} then ${last}(id) end as id from (${text}) part`,
    values,
  );
  return found!.id;
}

/** The rows of `keyPageQuery` in the order of the list, with the cursors of the neighbours. */
export function keySliceOf<Row>(
  found: readonly WithKeys<Row>[],
  order: KeyOrder,
  window: KeyWindow,
): KeySlice<Row> {
  const { after, before, limit, end = null } = window;
  const isBackward = before !== undefined;
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (isBackward) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    const [onward, back] = [end === null ? null : textOf(order, [end]), cursorBack(order, window)];
    return isBackward ? { rows, next: back, previous: onward } : { rows, next: onward, previous: back };
  }
  const onward = isBackward ? first : last;
  const further = hasMore ? textOf(order, onward.keys) : end === null ? null : textOf(order, [end]);
  return isBackward
    ? { rows, next: textOf(order, last.keys), previous: further }
    : { rows, next: further, previous: after === undefined ? null : textOf(order, first.keys) };
}

/** From an empty page to the page that it was reached from, in an order by id; null without one. */
function cursorBack(order: KeyOrder, window: KeyWindow): string | null {
  const cursor = cursorOf(order, window);
  if (cursor === undefined || order.key !== undefined) return null;
  // A page begins behind its cursor, so this one lies before the row at the cursor.
  const isUpward = (order.direction === 'asc') !== (window.before !== undefined);
  return textOf(order, [String(BigInt(cursor.id) + (isUpward ? 1n : -1n))]);
}

/** Numbers up to this are exact in the mode `estimated`. */
const mostCounted = 10_000;

/**
 * The number of rows of a source. `none`: it is not counted. `estimated`: exact up to 10,000, above that the
 * estimate of the planner.
 */
export async function totalOf(
  db: Queryable,
  { text, values }: KeySource,
  mode: TotalMode,
): Promise<{ total: number | null; totalIsExact: boolean }> {
  if (mode === 'none') return { total: null, totalIsExact: false };
  const limit = mode === 'exact' ? '' : ` limit ${mostCounted + 1}`;
  const [counted] = await db.query<{ total: string }>(
    `select count(*) as total from (select from (${text}) y${limit}) x`,
    values,
  );
  const total = Number(counted!.total);
  if (mode === 'exact' || total <= mostCounted) return { total, totalIsExact: true };
  return { total: Math.max(total, await estimateRows(db, { text, values })), totalIsExact: false };
}

/** What the planner expects of a query, without running it. */
export interface ExpectedPlan {
  rows: number;
  /** In the units of Postgres: about 1 for a page that is read in order. */
  cost: number;
}

export async function planOf(db: Queryable, { text, values }: KeySource): Promise<ExpectedPlan> {
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: Record<'Plan Rows' | 'Total Cost', number> }] }>(
    `explain (format json) ${text}`,
    values,
  );
  const { 'Plan Rows': rows, 'Total Cost': cost } = plan!['QUERY PLAN'][0].Plan;
  return { rows, cost };
}

/** The number of rows of a source as the planner estimates it, without reading them. */
export const estimateRows = async (db: Queryable, source: KeySource): Promise<number> =>
  (await planOf(db, source)).rows;

/** A page by key in the shape of the API. */
export interface ReadKeyPage<View> {
  items: View[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
}

/**
 * Reads a page by key, and counts the source if `window` asks for it. For sources with small rows: where the
 * order has no index, all rows are built before they are sorted.
 *
 * @throws {Problem} `validation_failed` that names `after` or `before`
 */
export async function readKeyPage<Row, View>(
  db: Queryable,
  source: KeySource & { row?: Row },
  order: KeyOrder,
  window: KeyWindow & { total: TotalMode },
  viewOf: (row: Row) => View,
): Promise<ReadKeyPage<View>> {
  const { text, values } = keyPageQuery([source], order, window);
  const found = await db.query<WithKeys<Row & { key?: unknown }>>(text, values);
  const { rows, next, previous } = keySliceOf(found, order, window);
  const items = rows.map(({ keys: _keys, key: _key, ...row }) => viewOf(row as unknown as Row));
  return { items, next, previous, ...(await totalOf(db, source, window.total)) };
}

/** Limit of a statement that may read a whole table, in milliseconds. */
const longestScanMs = 5_000;

/**
 * Reads of a list that may visit all rows of a tenant. They see one snapshot each.
 *
 * @param advice the parameters that make the query fast, as a sentence
 * @throws {Problem} `query_too_broad` after 5 s of one statement
 */
export async function readBounded<T>(
  db: Transactor,
  advice: string,
  read: (db: Queryable) => Promise<T>,
): Promise<T> {
  try {
    return await inShareOfListings(db, () => db.transaction(read, { longestStatementMs: longestScanMs }));
  } catch (error) {
    if (sqlState(error) !== queryCanceled) throw error;
    throw new Problem('query_too_broad', { detail: advice, cause: error });
  }
}

/** SQLSTATE of a statement that reached its limit. */
const queryCanceled = '57014';

const keysOf = ({ key }: KeyOrder): string => {
  if (key === undefined) return 'array[x.id::text]';
  const text = key.type === 'time' ? `to_char(x.key, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : 'x.key::text';
  return `array[x.id::text, ${text}]`;
};

const headOf = ({ name, direction }: KeyOrder): string => `${name} ${direction}`;

const textOf = (order: KeyOrder, keys: readonly (string | null)[]): string =>
  Buffer.from(JSON.stringify([headOf(order), ...keys])).toString('base64url');

interface Cursor {
  id: string;
  key: string | null;
}

function cursorOf(order: KeyOrder, { after, before }: KeyWindow): Cursor | undefined {
  const [name, text] = after === undefined ? ['before', before] : ['after', after];
  if (text === undefined) return undefined;
  const cursor = readCursor(order, text);
  if (cursor !== undefined) return cursor;
  throw validationProblem({
    [name!]: [`must be \`next\` or \`previous\` of a page of this list with the same order`],
  });
}

function readCursor(order: KeyOrder, text: string): Cursor | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== (order.key === undefined ? 2 : 3)) return undefined;
  const [head, id, key = null] = parts as unknown[];
  if (head !== headOf(order) || !isValue('bigint', id)) return undefined;
  if (order.key === undefined) return { id, key: null };
  if (key === null) return order.key.isNullable === true ? { id, key } : undefined;
  return isValue(order.key.type, key) ? { id, key } : undefined;
}

/** Whether a client that changed a cursor left a value that Postgres can compare. */
function isValue(type: KeyType, value: unknown): value is string {
  if (typeof value !== 'string') return false;
  switch (type) {
    case 'bigint':
      return /^\d{1,19}$/.test(value) && BigInt(value) < 2n ** 63n;
    case 'integer':
      return /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) < 2 ** 31;
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'time':
      return !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
    case 'text':
      return !value.includes('\u0000');
  }
}
