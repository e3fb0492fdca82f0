import { every, type Loop } from '@canvass/async';
import { sqlState, type Database, type Queryable } from '@canvass/postgres';
import { countStatements, type CountedSet, type CountRow } from './counts.sql';

/** Rows of a range. A count reads fewer than two ranges and what is younger than all ranges. */
const rangeSize = 10_000;
const changesAtOnce = 1_000;
/** Ranges end before the ids of this time. No transaction that creates a row lasts so long. */
const youngestMs = 600_000;
const everyMs = 60_000;
/** Without a read, changes are added once an hour. */
const runsUntilAll = 60;

/** Counts rows in groups, such as submissions of forms, by ranges of their ids (decision 0080). */
export interface RangeCounts<Group> extends Loop {
  /** The exact number of rows of a group. */
  total(db: Queryable, group: Group): Promise<number>;
  /** The same number, and where a page by number in the order of ids starts. */
  page(db: Queryable, group: Group, place: PagePlace): Promise<CountedPage>;
  /** Notes a count of a group, so that its ranges are counted if that was much to read. */
  counted(group: Group, row: CountRow): void;
  /** Notes that a group with so many rows is read, so that its ranges are counted if it is large. */
  seen(group: Group, total: number): void;
  /** Counts the ranges of a group now. @param options see `RangeOptions` */
  countRanges(group: Group, signal?: AbortSignal, options?: RangeOptions): Promise<void>;
}

export interface PagePlace {
  /** Rows before the page. */
  offset: number;
  sortDir: 'asc' | 'desc';
}

/** A page that reads few of the rows before it. */
export interface CountedPage {
  total: number;
  /** Descending: the page has ids below it. Ascending: it has this id and those above it. Null: no limit. */
  startId: string | null;
  /** Rows before the page that have to be skipped from there. */
  offset: number;
}

export interface RangeOptions {
  /** Rows of a range. */
  size?: number;
  /** Age of the youngest of them, in milliseconds. */
  age?: number;
}

/**
 * Counts the ranges of the groups that were read and have many rows.
 *
 * @param onError called if a run fails; the next one is in a minute
 */
export function createRangeCounts<Group extends object>(
  db: Database,
  set: CountedSet<Group>,
  onError: (error: unknown) => void,
): RangeCounts<Group> {
  const sql = countStatements(set);
  const members = Object.values(set.group);
  /** Callers pass more than the group. */
  const groupOf = (given: Group) =>
    Object.fromEntries(members.map((member) => [member, given[member]])) as Group;
  /** Groups that were read and may have ranges to count. */
  const wanted = new Map<string, Group>();
  const keyOf = (group: Group) => members.map((member) => group[member]).join(' ');
  const want = (group: Group) => wanted.set(keyOf(group), group);

  async function countRanges(
    group: Group,
    signal?: AbortSignal,
    { size = rangeSize, age = youngestMs }: RangeOptions = {},
  ): Promise<void> {
    for (let isDone = false; !isDone;) {
      signal?.throwIfAborted();
      isDone = await db.transaction(async (tx) => {
        const [lock] = await tx.query(sql.tryLock(group));
        if (!lock!.acquired) return true; // another process counts, or the group changes: the next run
        const [changes] = await tx.query(sql.addChanges({ ...group, limit: changesAtOnce }));
        const ranges = await tx.query(sql.addRange({ ...group, size, youngestMs: age }));
        return ranges.length === 0 && changes!.added < changesAtOnce;
      });
    }
  }

  let run = 0;
  const loop = every(
    everyMs,
    async (signal) => {
      const changed = run % runsUntilAll === 0 ? await db.query(sql.findChanged()) : [];
      run += 1;
      for (const group of [...changed, ...wanted.values()]) {
        wanted.delete(keyOf(group));
        await countRanges(group, signal);
      }
    },
    { onError },
  );
  function counted(group: Group, { rest, changes }: CountRow): void {
    if (Number(rest) > 2 * rangeSize || Number(changes) > changesAtOnce) want(group);
  }
  async function count<Row extends CountRow>(group: Group, rows: Promise<Row[]>): Promise<Row> {
    const [row] = await rows.catch((error: unknown) => {
      want(group); // it may have taken too long
      throw error;
    });
    counted(group, row!);
    return row!;
  }
  return {
    ...loop,
    countRanges,
    counted: (group, row) => counted(groupOf(group), row),
    async total(reader, given) {
      const group = groupOf(given);
      const { total } = await count(group, reader.query(sql.count(group)));
      return Number(total);
    },
    async page(reader, given, { offset, sortDir }) {
      const group = groupOf(given);
      const read = sortDir === 'asc' ? sql.pageAscending : sql.pageDescending;
      const { total, bound, skipped } = await count(group, reader.query(read({ ...group, offset })));
      return { total: Number(total), startId: bound, offset: offset - Number(skipped ?? 0) };
    },
    seen: (group, total) => void (total > 2 * rangeSize && want(groupOf(group))),
  };
}

/** SQLSTATE of a table that does not exist. */
const undefinedTable = '42P01';

/**
 * Reads with counts; without them if the schema is one version older and has no tables for them (decision
 * 0015).
 */
export async function withCounts<Counts, Read>(
  counts: Counts,
  read: (counts: Counts | null) => Promise<Read>,
): Promise<Read> {
  try {
    return await read(counts);
  } catch (error) {
    if (sqlState(error) !== undefinedTable) throw error;
    return read(null);
  }
}
