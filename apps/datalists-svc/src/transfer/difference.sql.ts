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

/** Two versions of the items of a list. */
interface Compared extends ItemsVersion {
  after: string;
}

// Both are sorted by value, so the join needs no memory.
const joined = `
  (select value, labels from items where ${ofVersion('$version')}) before
  full join (select value, labels from items where ${ofVersion('$after')}) after
  using (value)`;

const counts = statement<Compared, Difference>(
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
  const before = { tenantId: list.tenant_id, listId: list.id, version: list.items_version };
  const [row] = await tx.query(counts({ ...before, after }));
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

const sampleOf = <Row>(kind: keyof DifferenceSample, columns: string, condition: string) =>
  statement<Compared, Row>(
    `items-difference-${kind}`,
    `select value, ${columns} from ${joined} where ${condition} order by value limit ${sampleSize}`,
  );

const samples = {
  added: sampleOf<DataListItem>('added', 'after.labels', 'before.labels is null'),
  changed: sampleOf<DifferenceSample['changed'][number]>(
    'changed',
    'before.labels as before, after.labels as after',
    'before.labels <> after.labels',
  ),
  removed: sampleOf<DataListItem>('removed', 'before.labels', 'after.labels is null'),
  unchanged: sampleOf<DataListItem>('unchanged', 'after.labels', 'before.labels = after.labels'),
};

export async function sampleDifference(
  tx: Tx,
  { tenantId, listId, version }: ItemsVersion,
  after: string,
): Promise<DifferenceSample> {
  const compared = { tenantId, listId, version, after };
  return {
    added: await tx.query(samples.added(compared)),
    changed: await tx.query(samples.changed(compared)),
    removed: await tx.query(samples.removed(compared)),
    unchanged: await tx.query(samples.unchanged(compared)),
  };
}
