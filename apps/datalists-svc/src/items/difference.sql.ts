import type { DataListItem } from '@canvass/contracts';
import { statement, type Queryable } from '@canvass/postgres';
import { ofVersion, type ItemsVersion } from './items.sql';

/** The difference between a version and a later one, counted by value. */
export interface Difference {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
}

export const differenceKinds = ['added', 'changed', 'removed', 'unchanged'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** Two versions of the items of a list. */
interface Compared extends ItemsVersion {
  after: string;
}

// Both are sorted by value, so the join needs no memory.
const counts = statement<Compared, Difference>(
  'items-difference-by-value',
  `select count(*) filter (where before.labels is null)::int as added,
          count(*) filter (where before.labels <> after.labels)::int as changed,
          count(*) filter (where after.labels is null)::int as removed,
          count(*) filter (where before.labels = after.labels)::int as unchanged
   from (select value, labels from items where ${ofVersion('$version')}) before
   full join (select value, labels from items where ${ofVersion('$after')}) after
   using (value)`,
);

/** The difference between two versions of a list. */
export async function countDifference(
  db: Queryable,
  before: ItemsVersion,
  after: string,
): Promise<Difference> {
  const { tenantId, listId, version } = before;
  const [row] = await db.query(counts({ tenantId, listId, version, after }));
  return row!;
}

/** An item in two versions. `before` is null for an added one, `after` for a removed one. */
export interface ItemDifference {
  value: string;
  before: DataListItem['labels'] | null;
  after: DataListItem['labels'] | null;
}

/** A part of two versions, by value. */
export interface DifferenceSpan {
  kind: DifferenceKind;
  /** The values after this one, or before it. */
  last: string;
  /** Largest number of items of each version that are read, and of items that are returned. */
  span: number;
  limit: number;
}

/** The records of a kind in a span. */
export interface FoundInSpan {
  /** Items in the order of reading. */
  items: ItemDifference[];
  /** The last value that was compared; null at the end of both versions. */
  end: string | null;
}

/**
 * Reads both versions along the index by value. They are compared up to the value to which both were read, so
 * that one of them may have many more values there than the other.
 */
const spanOf = (direction: 'asc' | 'desc') => {
  const [sign, extreme, nearest] = direction === 'asc' ? ['>', 'max', 'least'] : ['<', 'min', 'greatest'];
  return statement<Compared & DifferenceSpan, FoundInSpan>(
    `items-difference-span-${direction}`,
    `with before as (
     select value, labels from items where ${ofVersion('$version')} and value ${sign} $last order by value ${direction} limit $span
   ), after as (
     select value, labels from items where ${ofVersion('$after')} and value ${sign} $last order by value ${direction} limit $span
   ), ends as materialized (
     select ${nearest}((select ${extreme}(value) from before having count(*) = $span),
                  (select ${extreme}(value) from after having count(*) = $span)) as value
   ), compared as (
     select value, before.labels as before, after.labels as after,
            case when before.labels is null then 'added' when after.labels is null then 'removed'
                 when before.labels = after.labels then 'unchanged' else 'changed' end as kind
     from before full join after using (value)
   )
   select ends.value as end,
          (select coalesce(json_agg(json_build_object('value', value, 'before', before, 'after', after)
                                    order by value ${direction}), '[]')
           from (select * from compared where kind = $kind and (ends.value is null or value ${direction === 'asc' ? '<=' : '>='} ends.value)
                 order by value ${direction} limit $limit) found) as items
   from ends`,
  );
};
const spans = { asc: spanOf('asc'), desc: spanOf('desc') };

/** The items of one kind of difference in a span. */
export async function selectDifference(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  after: string,
  direction: 'asc' | 'desc',
  asked: DifferenceSpan,
): Promise<FoundInSpan> {
  const [row] = await db.query(spans[direction]({ tenantId, listId, version, after, ...asked }));
  return row!;
}
