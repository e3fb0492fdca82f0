import type { Database } from '@canvass/postgres';
import { leftoversOfRange, type Leftover } from './leftovers.sql';
import { nextRange } from './steps.sql';

/** Both are 0 once the migration is complete. */
export interface Verification {
  /** Rows with SubmitterId null and SubmittedBy non-null. */
  unlinked: number;
  /** Non-test rows with SubmitterId set and a RestrictionKey lacking `:Submitter:`. */
  legacyKeys: number;
}

export type OnLeftover = (leftover: Leftover) => Promise<void> | void;

const rowsAtOnce = 5_000;
const first = '-9223372036854775808';
const last = '9223372036854775807';

/**
 * The verification of the specification over the whole table, in small reads. Each counted row goes to
 * `onLeftover`.
 */
export async function verify(
  db: Pick<Database, 'query'>,
  externalProviders: readonly string[],
  onLeftover: OnLeftover,
): Promise<Verification> {
  const counts: Verification = { unlinked: 0, legacyKeys: 0 };
  for await (const [after, upto] of ranges(db)) {
    for (const leftover of await db.query<Leftover>(leftoversOfRange, [after, upto, externalProviders])) {
      counts[leftover.kind === 'unlinked' ? 'unlinked' : 'legacyKeys'] += 1;
      await onLeftover(leftover);
    }
  }
  return counts;
}

/** The whole table in pieces: after this id, up to this id, number of rows. */
export async function* ranges(db: Pick<Database, 'query'>): AsyncGenerator<[string, string, number]> {
  for (let after = first; ;) {
    const [range] = await db.query<{ upto: string | null; rows: number }>(nextRange, [
      after,
      last,
      rowsAtOnce,
    ]);
    if (!range?.upto) return;
    yield [after, range.upto, range.rows];
    after = range.upto;
  }
}
