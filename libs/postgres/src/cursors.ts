import { validationProblem } from '@canvass/errors';
import { createHash } from 'node:crypto';

/** Type by which values of a column are compared. A `time` is a `timestamp` in UTC with milliseconds. */
export type KeyType = 'bigint' | 'integer' | 'boolean' | 'text' | 'time';

/** A total order of the rows of a source: by its column `key`, if there is one, then by its column `id`. */
export interface KeyOrder {
  /** Part of the cursors, so that one of another order is rejected. */
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
  /** Stands for the text in cursors, which then survive a change of the text. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Begins the cursors of a list, with a digest of its filter: those of another list or filter differ. */
function headOf(sources: readonly KeySource[], { name, direction }: KeyOrder): string {
  const list = sources.map(({ name: source, text, values }) => [source ?? text, values]);
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
  return `${name} ${direction} ${digest}`;
}

/** The cursor at a row of a list. @param keys id, then key */
export const cursorAt = (
  sources: readonly KeySource[],
  order: KeyOrder,
  keys: readonly (string | null)[],
): string => Buffer.from(JSON.stringify([headOf(sources, order), ...keys])).toString('base64url');

/** The place of a cursor in a list. */
interface Position {
  id: string;
  key: string | null;
}

/**
 * The row at the cursor of a window; undefined without one.
 *
 * @throws {Problem} `validation_failed` that names `after` or `before`
 */
export function positionOf(
  sources: readonly KeySource[],
  order: KeyOrder,
  { after, before }: Pick<KeyWindow, 'after' | 'before'>,
): Position | undefined {
  const [name, text] = after === undefined ? ['before', before] : ['after', after];
  if (text === undefined) return undefined;
  const cursor = readCursor(headOf(sources, order), order, text);
  if (cursor !== undefined) return cursor;
  throw validationProblem({
    [name!]: [`must be \`next\` or \`previous\` of a page of this list with the same filter and order`],
  });
}

function readCursor(head: string, order: KeyOrder, text: string): Position | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== (order.key === undefined ? 2 : 3)) return undefined;
  const [sent, id, key = null] = parts as unknown[];
  if (sent !== head || !isValue('bigint', id)) return undefined;
  if (order.key === undefined) return { id, key: null };
  if (key === null) return order.key.isNullable === true ? { id, key } : undefined;
  return isValue(order.key.type, key) ? { id, key } : undefined;
}

/** Returns whether a client that changed a cursor left a value that Postgres can compare. */
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
