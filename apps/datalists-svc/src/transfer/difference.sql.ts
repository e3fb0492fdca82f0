import type { DataListItem } from '@canvass/contracts';
import { statement, type Tx } from '@canvass/postgres';
import type { ListRow } from '../catalog';
import { ofVersion, type ItemsVersion } from '../items';

/** The difference between a version and its predecessor, counted by value. */
export interface Difference {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
}

// Both are sorted by value, so the join needs no memory.
const joined = `
  (select value, labels from items where ${ofVersion('$3')}) before
  full join (select value, labels from items where ${ofVersion('$4')}) after
  using (value)`;

const counts = statement(
  'items-difference-by-value',
  `select count(*) filter (where before.labels is null)::int as added,
          count(*) filter (where before.labels <> after.labels)::int as changed,
          count(*) filter (where after.labels is null)::int as removed,
          count(*) filter (where before.labels = after.labels)::int as unchanged
   from ${joined}`,
);

/** The difference between `after`, a version with that many rows, and the current items. */
export async function countDifference(
  tx: Tx,
  list: ListRow,
  after: string,
  rows: number,
): Promise<Difference> {
  if (list.items_count === 0) return { added: rows, changed: 0, removed: 0, unchanged: 0 };
  const [row] = await tx.query<Difference>(counts, [list.tenant_id, list.id, list.items_version, after]);
  return row!;
}

/** The first items of each kind, by value. `changed` contains the labels of both versions. */
export interface DifferenceSample {
  added: DataListItem[];
  changed: { value: string; before: DataListItem['labels']; after: DataListItem['labels'] }[];
  removed: DataListItem[];
  unchanged: DataListItem[];
}

const sampleSize = 100;

const samples = {
  added: 'before.labels is null',
  changed: 'before.labels <> after.labels',
  removed: 'after.labels is null',
  unchanged: 'before.labels = after.labels',
} as const;

export async function sampleDifference(
  tx: Tx,
  before: ItemsVersion,
  after: string,
): Promise<DifferenceSample> {
  const values = [before.tenantId, before.listId, before.version, after];
  const sample = <R>(kind: keyof typeof samples, columns: string) =>
    tx.query<R>(
      `select value, ${columns} from ${joined} where ${samples[kind]} order by value limit ${sampleSize}`,
      values,
    );
  return {
    added: await sample('added', 'after.labels'),
    changed: await sample('changed', 'before.labels as before, after.labels as after'),
    removed: await sample('removed', 'before.labels'),
    unchanged: await sample('unchanged', 'after.labels'),
  };
}
