import type { Database } from '@canvass/postgres';
import { forecastOfKeys, forecastOfRange, leftoversOfRange, takenKeys } from './leftovers.sql';
import { between, type StepName } from './steps.sql';
import { ranges, type OnLeftover, type Verification } from './verify';

export interface DryRun {
  /** Number of rows that each step would change. */
  changes: Record<StepName, number>;
  /** The counts of the verification afterwards. */
  verification: Verification;
}

/**
 * Determines what a run would do to the current table, in one read-only transaction that blocks nothing.
 * Remaining rows go to `onLeftover`.
 */
export async function dryRun(
  db: Database,
  providers: readonly string[],
  onLeftover: OnLeftover,
  onProgress: (rows: number) => void,
): Promise<DryRun> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const changes: Record<StepName, number> = { A: 0, B: 0, C: 0, D: 0, E: 0 };
    const verification: Verification = { unlinked: 0, legacyKeys: 0 };
    let seen = 0;
    for await (const { after, upto } of ranges(tx)) {
      const params = { ...between(after, upto), providers };
      const [forecast] = await tx.query(forecastOfRange(params));
      for (const step of ['A', 'B', 'C', 'D'] as const) changes[step] += forecast?.[step] ?? 0;
      for (const leftover of await tx.query(leftoversOfRange(params))) {
        if (leftover.kind === 'legacy_key' || leftover.reason === 'not_reached') continue;
        verification.unlinked += 1;
        await onLeftover(leftover);
      }
      onProgress((seen += upto.rows));
    }
    const [keys] = await tx.query(forecastOfKeys({ providers }));
    changes.E = keys?.E ?? 0;
    for (const leftover of await tx.query(takenKeys({ providers }))) {
      verification.legacyKeys += 1;
      await onLeftover(leftover);
    }
    return { changes, verification };
  });
}
