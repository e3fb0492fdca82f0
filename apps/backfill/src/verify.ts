import type { Database } from '@canvass/postgres';
import { leftoversOfRange, type Leftover } from './leftovers.sql';
import { firstPosition, nextRange, type Position, type Range } from './steps.sql';

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
  externalProviders: readonly string[],
  onLeftover: OnLeftover,
): Promise<Verification> {
  const counts: Verification = { unlinked: 0, legacyKeys: 0 };
  for await (const { after, upto } of ranges(db)) {
    const values = [after.tenantId, after.id, upto.tenantId, upto.id, externalProviders];
    for (const leftover of await db.query<Leftover>(leftoversOfRange, values)) {
      counts[leftover.kind === 'unlinked' ? 'unlinked' : 'legacyKeys'] += 1;
      await onLeftover(leftover);
    }
  }
  return counts;
}

/** The whole table in pieces. */
export async function* ranges(db: Pick<Database, 'query'>): AsyncGenerator<{ after: Position; upto: Range }> {
  for (let after = firstPosition; ;) {
    const [upto] = await db.query<Range>(nextRange, [after.tenantId, after.id, lastId, rowsAtOnce]);
    if (!upto) return;
    yield { after, upto };
    after = upto;
  }
}
