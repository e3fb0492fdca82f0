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

/** A part of a version, by value. */
export interface DifferenceSpan {
  kind: DifferenceKind;
  /** The values after this one. */
  last: string;
  /** Most items that are looked at, and most that are returned. */
  span: number;
  limit: number;
}

/** What a span has of a kind. */
export interface FoundInSpan {
  items: ItemDifference[];
  /** Number of items in the span: fewer than asked at the end of the version. */
  looked: number;
  /** The last value of the span; null if it is empty. */
  end: string | null;
}

type Asked = Compared & Omit<DifferenceSpan, 'kind'>;

/**
 * Reads along the index by value and looks each value up in the other version. A join would be planned with
 * the statistics of a version that was just written, which has none, and then take minutes.
 */
const spanOf = (
  kind: DifferenceKind,
  {
    own,
    other,
    condition,
    before,
    after,
  }: Record<'own' | 'other' | 'condition' | 'before' | 'after', string>,
) =>
  statement<Asked, FoundInSpan>(
    `items-difference-${kind}`,
    `with span as materialized (
       select a.value, a.labels as own,
              (select b.labels from items b where b.tenant_id + 0 = $tenantId and b.list_id + 0 = $listId
                 and b.version + 0 = ${other} and b.value = a.value) as other
       from (select value, labels from items where ${ofVersion(own)} and value > $last
             order by value limit $span) a
     )
     select (select max(value) from span) as end, (select count(*)::int from span) as looked,
            (select coalesce(json_agg(json_build_object('value', value, 'before', ${before}, 'after', ${after})
                                      order by value), '[]')
             from (select * from span where ${condition} order by value limit $limit) found) as items`,
  );

const inBoth = { own: '$version', other: '$after', before: 'own', after: 'other' };
const spans = {
  added: spanOf('added', {
    own: '$after',
    other: '$version',
    condition: 'other is null',
    before: 'other',
    after: 'own',
  }),
  removed: spanOf('removed', { ...inBoth, condition: 'other is null' }),
  changed: spanOf('changed', { ...inBoth, condition: 'own <> other' }),
  unchanged: spanOf('unchanged', { ...inBoth, condition: 'own = other' }),
};

/** The items of one kind of difference in a span. */
export async function selectDifference(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  after: string,
  { kind, ...asked }: DifferenceSpan,
): Promise<FoundInSpan> {
  const [row] = await db.query(spans[kind]({ tenantId, listId, version, after, ...asked }));
  return row!;
}
