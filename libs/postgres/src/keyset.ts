import { Problem, validationProblem } from '@canvass/errors';
import type { Database, Queryable, Transactor } from './database';
import { sqlState } from './faults';
import { turnOf } from './shares';

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
  const pastKey = key && `(x.key, x.id) ${sign} (${key}, ${id})`;
  const byId = `x.id ${direction}`;
  const byKey = order.key === undefined ? byId : `x.key ${direction}, ${byId}`;

  const listed = inOneList(sources);
  const read = ({ conditions, by }: Range): string =>
    listed
      .map((source) => {
        const where = conditions.filter(Boolean).join(' and ');
        return `(select x.*, ${keysOf(order)} as keys from (${source}) x${where && ` where ${where}`}
          order by ${by} limit ${limit})`;
      })
      .join(' union all ');
  const sorted = (rows: string, by: string) => `select * from (${rows}) x order by ${by} limit ${limit}`;

  if (order.key?.isNullable !== true) {
    const rows = read({ conditions: [order.key === undefined ? pastId : pastKey], by: byKey });
    return { text: listed.length === 1 ? rows.slice(1, -1) : sorted(rows, byKey), values };
  }
  // Rows with and without a value are two ranges of the index. A single condition for both would read it
  // from its start.
  const isInAbsent = at !== undefined && key === undefined;
  const valued: Range = { conditions: ['x.key is not null', pastKey], by: byKey };
  const absent: Range = { conditions: ['x.key is null', isInAbsent ? pastId : undefined], by: byId };
  if (isBackward) {
    const rows = isInAbsent ? `${read(absent)} union all ${read(valued)}` : read(valued);
    return { text: sorted(rows, `(x.key is null) desc, ${byKey}`), values };
  }
  if (isInAbsent) return { text: sorted(read(absent), byId), values };
  // If there are none without a value, the search for them would read all rows.
  absent.conditions.push(`(select count(*) from valued) < ${limit}`);
  const rows = `select * from valued union all ${read(absent)}`;
  return {
    text: `with valued as (${read(valued)}) ${sorted(rows, `(x.key is null), ${byKey}`)}`,
    values,
  };
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

/** The rows of `keyPageQuery` in the order of the list, with the cursors of the neighbours. */
export function keySliceOf<Row>(
  found: readonly WithKeys<Row>[],
  order: KeyOrder,
  { after, before, limit }: KeyWindow,
): KeySlice<Row> {
  const isBackward = before !== undefined;
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (isBackward) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = last !== undefined && (isBackward || hasMore);
  const hasPrevious = first !== undefined && (isBackward ? hasMore : after !== undefined);
  return {
    rows,
    next: hasNext ? textOf(order, last.keys) : null,
    previous: hasPrevious ? textOf(order, first.keys) : null,
  };
}

/** Pages by key count so many rows at most. */
const maxCounted = 10_000;

/** The number of all rows of a source, which are read for it. */
export const countRows = (db: Queryable, source: KeySource): Promise<number> => countUpTo(db, source, null);

/**
 * The number of rows of a source for a page by key. It is exact up to 10,000. Of more rows `exact` says
 * 10,000, and `estimated` what the planner expects. `none`: they are not counted.
 */
export async function totalOf(
  db: Queryable,
  source: KeySource,
  mode: TotalMode,
): Promise<{ total: number | null; totalIsExact: boolean }> {
  if (mode === 'none') return { total: null, totalIsExact: false };
  const counted = await countUpTo(db, source, maxCounted + 1);
  if (counted <= maxCounted) return { total: counted, totalIsExact: true };
  if (mode === 'exact') return { total: maxCounted, totalIsExact: false };
  return { total: Math.max(counted, await estimateRows(db, source)), totalIsExact: false };
}

/** @param limit of rows that are read; null: all */
async function countUpTo(db: Queryable, { text, values }: KeySource, limit: number | null): Promise<number> {
  const [counted] = await db.query<{ total: string }>(
    `select count(*) as total from (select from (${text}) y${limit === null ? '' : ` limit ${limit}`}) x`,
    values,
  );
  return Number(counted!.total);
}

/** The number of rows of a source as the planner estimates it, without reading them. */
export async function estimateRows(db: Queryable, { text, values }: KeySource): Promise<number> {
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) ${text}`,
    values,
  );
  return plan!['QUERY PLAN'][0].Plan['Plan Rows'];
}

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
 * Reads of a list that may visit all rows of a tenant, when it is their turn of long work. Within an open
 * transaction nothing waits.
 *
 * @param advice the parameters that make the query fast, as a sentence
 * @throws {Problem} `query_too_broad` after 5 s of one statement
 */
export async function readBounded<T>(
  db: Transactor,
  advice: string,
  read: (db: Queryable) => Promise<T>,
): Promise<T> {
  const { pool } = db as Partial<Database>;
  const giveBack = pool && (await turnOf(pool, 'search'));
  try {
    return await db.transaction(read, { longestStatementMs: longestScanMs });
  } catch (error) {
    if (sqlState(error) !== queryCanceled) throw error;
    throw new Problem('query_too_broad', { detail: advice, cause: error });
  } finally {
    giveBack?.();
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
