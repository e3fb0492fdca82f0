import { idAtSql, statement } from '@canvass/postgres';

/** Rows that are counted in groups, such as the submissions of each form (decision 0080). */
export interface CountedSet<Group> {
  /** Begins the names of its statements. */
  name: string;
  /** Its ranges: the columns of the group, `from_id`, `until_id` and the number of rows, named `numbers`. */
  ranges: string;
  numbers: string;
  /** What changed in ranges: the columns of the group, the id of a row, named `id`, and `change`. */
  changes: string;
  id: string;
  /** The columns of a group, `tenant_id` among them, and the members of `Group` that have their values. */
  group: Readonly<Record<string, keyof Group & string>>;
  /**
   * Selects of the `id` of each row of a group, which do not overlap. The parameters are those of `group`.
   */
  sources: readonly string[];
  /** Keys of the advisory lock of a group, as SQL. */
  lock: string;
  /** Ranges end with the days of their ids (UTC), because the rows of a day are dropped at once. */
  endsWithDays: boolean;
}

export interface CountRow {
  total: string;
  /** Of them after the last range. */
  rest: string;
  /** Recorded changes that no range counts yet. */
  changes: string;
}

/** A count, and where a page begins: `offset - skipped` rows after the bound, in its direction. */
export type PageRow = CountRow & { bound: string | null; skipped: string | null };

const dayMs = 86_400_000;

/** Pieces of SQL about the groups of a set. */
function sqlOf<Group>({ group, ranges, sources }: CountedSet<Group>) {
  const columns = Object.keys(group);
  const values = Object.values(group).map((member) => `$${member}::bigint`);
  const ofGroup = (table: string) =>
    columns.map((column, n) => `${table}.${column} = ${values[n]}`).join(' and ');
  return {
    columns,
    values,
    ofGroup,
    sameGroup: (one: string, other: string) =>
      columns.map((column) => `${one}.${column} = ${other}.${column}`).join(' and '),
    /** The number of rows from an id on, of each source `most` at most. */
    countFrom: (from: string, most?: number) =>
      sources
        .map((source) => `select from (${source}) s where s.id >= ${from}`)
        .map((rows) => `(select count(*) from (${rows}${most === undefined ? '' : ` limit ${most}`}) s)`)
        .join(' + '),
    lastId: `(select coalesce(max(r.until_id), 0) from ${ranges} r where ${ofGroup('r')})`,
  };
}

/**
 * The SQL of a query with one `PageRow`. It counts the rows of a group and finds where a page by number
 * begins. An ascending page has the ids from `bound` on. A descending page has the ids below `bound`. If
 * `bound` is null, the page begins at the start of the list. The parameters are those of the group and
 * `$offset`. It is one query, because ranges may be added between two queries.
 *
 * @param mostRest the query counts at most this many rows of each source that are in no range. If `rest`
 * reaches it, the result is not exact. Default: no limit
 */
export function placeSql<Group>(
  set: CountedSet<Group>,
  direction: 'asc' | 'desc',
  mostRest?: number,
): string {
  const { ranges, numbers, changes, id } = set;
  const { ofGroup, sameGroup, countFrom } = sqlOf(set);
  /** The ends of the ranges in the direction of the list. */
  const bounds =
    direction === 'asc'
      ? 'select until_id as bound, numbers from ranges'
      : `select from_id as bound, numbers from ranges
         union all select max(until_id), (select numbers from rest) from ranges having count(*) > 0`;
  return `with ranges as materialized (
      select r.from_id, r.until_id, r.${numbers} + coalesce(x.change, 0) as numbers
      from ${ranges} r
      left join lateral (
        select sum(change) as change from ${changes} x
        where ${sameGroup('x', 'r')} and x.${id} >= r.from_id and x.${id} < r.until_id
      ) x on true
      where ${ofGroup('r')}
    ), rest as materialized (
      select ${countFrom('(select coalesce(max(until_id), 0) from ranges)', mostRest)} as numbers
    ), start as (
      select bound, skipped from (
        select bound, sum(numbers) over (order by bound ${direction}) as skipped from (${bounds}) b) s
      where skipped <= $offset order by skipped desc, bound ${direction === 'asc' ? 'desc' : 'asc'} limit 1
    )
    select ((select coalesce(sum(numbers), 0) from ranges) + rest.numbers)::bigint as total, rest.numbers as rest,
      (select count(*) from ${changes} x where ${ofGroup('x')}) as changes, start.bound, start.skipped::bigint as skipped
    from rest left join start on true`;
}

/** The statements about a set. */
export function countStatements<Group>(set: CountedSet<Group>) {
  const { name, ranges, numbers, changes, id, sources, group } = set;
  const { columns, values, ofGroup, countFrom, lastId } = sqlOf(set);
  const page = (direction: 'asc' | 'desc') =>
    statement<Group & { offset: number }, PageRow>(`${name}_page_${direction}`, placeSql(set, direction));

  return {
    /** Counts the rows of a group exactly. Reads those after the last range only. */
    count: statement<Group, CountRow>(
      `${name}_count`,
      `with ranges as materialized (
         select coalesce(sum(r.${numbers}), 0) as numbers, coalesce(max(r.until_id), 0) as until_id
         from ${ranges} r where ${ofGroup('r')}
       ), changes as materialized (
         select coalesce(sum(x.change), 0) as change, count(*) as recorded from ${changes} x where ${ofGroup('x')}
       ), rest as materialized (
         select ${countFrom('(select until_id from ranges)')} as numbers
       )
       select (ranges.numbers + changes.change + rest.numbers)::bigint as total, rest.numbers as rest,
         changes.recorded as changes
       from ranges, changes, rest`,
    ),

    /** See `placeSql`. */
    pageAscending: page('asc'),
    pageDescending: page('desc'),

    /** Orders a count with changes of the group until the transaction ends. No process waits to count. */
    tryLock: statement<Group, { acquired: boolean }>(
      `${name}_try_lock`,
      `select pg_try_advisory_xact_lock(${set.lock}) as acquired from (values (${values.join(', ')})) as g (${columns.join(', ')})`,
    ),

    /** Adds recorded changes to their ranges. Returns how many it added. The group must be locked. */
    addChanges: statement<Group & { limit: number }, { added: number }>(
      `${name}_add_changes`,
      `with added as (
         delete from ${changes} x where ctid = any (array(
           select ctid from ${changes} x where ${ofGroup('x')} limit $limit)) and ${ofGroup('x')}
         returning x.${id} as id, x.change
       ), sums as (
         select c.from_id, sum(a.change) as change from added a
         cross join lateral (
           select r.from_id from ${ranges} r where ${ofGroup('r')} and r.from_id <= a.id order by r.from_id desc limit 1) c
         group by c.from_id
       ), changed as (
         update ${ranges} r set ${numbers} = r.${numbers} + sums.change
         from sums where ${ofGroup('r')} and r.from_id = sums.from_id
       )
       select count(*)::integer as added from added`,
    ),

    /**
     * Counts the next range of a group, if it has so many rows that are old enough, or its day has ended.
     * Returns whether it did. The group must be locked.
     *
     * `youngestMs` is the age of the youngest row in milliseconds; an id has the time at which it was
     * made.
     */
    addRange: statement<Group & { size: number; youngestMs: number }, object>(
      `${name}_add_range`,
      `with bounds as materialized (
         select ${lastId} as from_id,
           ${idAtSql(`(clock_timestamp() - $youngestMs::float8 * interval '1 millisecond')`)} as youngest
       ), next as materialized (
         select id from (${sources
           .map(
             (source) => `(
               select s.id from (${source}) s
               where s.id >= (select from_id from bounds) and s.id < (select youngest from bounds)
               order by s.id limit $size + 1)`,
           )
           .join(' union all ')}) s
         order by id limit $size + 1
       ), day as materialized (
         select ${set.endsWithDays ? `((min(id) >> 22) / ${dayMs} + 1) * ${dayMs} << 22` : 'max(9223372036854775807)'} as until_id
         from next
       ), range as (
         select max(id) as last, count(*) as numbers from next where id < (select until_id from day)
       )
       insert into ${ranges} (${columns.join(', ')}, from_id, until_id, ${numbers})
       select ${values.join(', ')}, bounds.from_id, case when range.numbers > $size then range.last else day.until_id end,
         least(range.numbers, $size)
       from bounds, day, range
       where range.numbers > $size or day.until_id <= bounds.youngest
       returning 1`,
    ),

    /** Groups with recorded changes. */
    findChanged: statement<void, Group>(
      `${name}_find_changed`,
      `select distinct ${columns.map((column) => `${column} as "${group[column]}"`).join(', ')} from ${changes}`,
    ),
  };
}
