import { Problem } from '@canvass/errors';
import { cursorAt, positionOf, type KeyOrder, type KeySource, type KeyType, type KeyWindow } from './cursors';
import type { Database, Queryable, Transactor } from './database';
import { sqlState } from './faults';
import { turnOf } from './shares';

/** Returns whether the rows of a source are counted, see `totalOf`. */
export type TotalMode = 'none' | 'exact';

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
  const at = positionOf(sources, order, window);
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
  sources: readonly KeySource[],
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
    next: hasNext ? cursorAt(sources, order, last.keys) : null,
    previous: hasPrevious ? cursorAt(sources, order, first.keys) : null,
  };
}

/** Largest number of rows that are counted. */
const maxCounted = 10_000;

/** The number of all rows, if `mode` asks for it: exact up to 10,000, which stands for more. */
export async function totalOf(
  db: Queryable,
  sources: readonly KeySource[],
  mode: TotalMode,
): Promise<{ total: number | null; totalIsExact: boolean }> {
  if (mode === 'none') return { total: null, totalIsExact: false };
  const all = inOneList(sources).join(' union all ');
  const [counted] = await db.query<{ total: number }>(
    `select count(*)::integer as total from (select from (${all}) y limit ${maxCounted + 1}) x`,
    sources.flatMap(({ values }) => values),
  );
  const { total } = counted!;
  return { total: Math.min(total, maxCounted), totalIsExact: total <= maxCounted };
}

/** The number of rows of a source as the planner estimates it, without reading them. */
export async function estimateRows(db: Queryable, { text, values }: KeySource): Promise<number> {
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) ${text}`,
    values,
  );
  return plan!['QUERY PLAN'][0].Plan['Plan Rows'];
}

/** A page in the shape of the API. */
export interface ReadKeyPage<View> {
  items: View[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
}

/**
 * Reads a page, and counts the source if `window` asks for it. For sources with small rows: where the
 * order has no index, all rows are built before they are sorted.
 *
 * @throws {Problem} `validation_failed` that names `after` or `before`
 */
export async function readKeyPage<Row, View>(
  db: Queryable,
  source: (KeySource & { row?: Row }) | readonly KeySource[],
  order: KeyOrder,
  window: KeyWindow & { total: TotalMode },
  viewOf: (row: Row) => View,
): Promise<ReadKeyPage<View>> {
  const sources = 'text' in source ? [source] : source;
  const { text, values } = keyPageQuery(sources, order, window);
  const found = await db.query<WithKeys<Row & { key?: unknown }>>(text, values);
  const { rows, next, previous } = keySliceOf(found, sources, order, window);
  const items = rows.map(({ keys: _keys, key: _key, ...row }) => viewOf(row as unknown as Row));
  return { items, next, previous, ...(await totalOf(db, sources, window.total)) };
}

/** Limit of a statement that may read a whole table, in milliseconds. */
const maxScanMs = 5_000;

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
    return await db.transaction(read, { maxStatementMs: maxScanMs });
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
