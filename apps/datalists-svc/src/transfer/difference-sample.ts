import type { DataListItem } from '@canvass/contracts';
import type { Queryable } from '@canvass/postgres';
import { walkDifference, type DifferenceKind, type ItemsVersion } from '../items';

type Labels = DataListItem['labels'];

/** The first items of each kind, by value. `changed` contains the labels of both versions. */
export interface DifferenceSample {
  added: DataListItem[];
  changed: { value: string; before: Labels; after: Labels }[];
  removed: DataListItem[];
  unchanged: DataListItem[];
}

const sampleSize = 100;
/** Items that are read to find a sample: about a second. */
const maxRead = 100_000;

export async function sampleDifference(
  db: Queryable,
  before: ItemsVersion,
  after: string,
): Promise<DifferenceSample> {
  const first = async (kind: DifferenceKind) =>
    (
      await walkDifference(db, before, after, {
        kind,
        wanted: '',
        start: '',
        isBackward: false,
        limit: sampleSize,
        maxRead,
      })
    ).items;
  const later = async (kind: DifferenceKind) =>
    (await first(kind)).map((item) => ({ value: item.value, labels: item.after! }));
  return {
    added: await later('added'),
    changed: (await first('changed')) as DifferenceSample['changed'],
    removed: (await first('removed')).map((item) => ({ value: item.value, labels: item.before! })),
    unchanged: await later('unchanged'),
  };
}
