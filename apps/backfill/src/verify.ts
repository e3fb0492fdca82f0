import type { Database } from '@canvass/postgres';
import { leftoversOfRange, type Leftover } from './leftovers.sql';
import { between, firstPosition, nextRange, type Position, type Range } from './steps.sql';

/** Both are 0 once the migration is complete. */
export interface Verification {
  /** Rows with SubmitterId null and SubmittedBy non-null. */
  unlinked: number;
  /** Non-test rows with SubmitterId set and a RestrictionKey lacking `:Submitter:`. */
  legacyKeys: number;
}

export type OnLeftover = (leftover: Leftover) => Promise<void> | void;

const rowsAtOnce = 5_000;
const lastId = '9223372036854775807';

/**
 * The verification of the specification over the whole table, in small reads. Each counted row goes to
 * `onLeftover`.
 */
export async function verify(
  db: Pick<Database, 'query'>,
  providers: readonly string[],
  onLeftover: OnLeftover,
): Promise<Verification> {
  const counts: Verification = { unlinked: 0, legacyKeys: 0 };
  for await (const { after, upto } of ranges(db)) {
    for (const leftover of await db.query(leftoversOfRange({ ...between(after, upto), providers }))) {
      counts[leftover.kind === 'unlinked' ? 'unlinked' : 'legacyKeys'] += 1;
      await onLeftover(leftover);
    }
  }
  return counts;
}

/** The whole table in pieces. */
export async function* ranges(db: Pick<Database, 'query'>): AsyncGenerator<{ after: Position; upto: Range }> {
  for (let after = firstPosition; ;) {
    const next = { afterTenantId: after.tenantId, afterId: after.id, lastId, limit: rowsAtOnce };
    const [upto] = await db.query(nextRange(next));
    if (!upto) return;
    yield { after, upto };
    after = upto;
  }
}
