import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { FaultCode, FaultList } from './faults';
import { insertFaults, saveProgress, type ImportKey } from './imports.sql';

/** Errors in memory at most, and the time between two reports of the progress, in milliseconds. */
const faultsAtOnce = 1_000;
const progressMs = 1_000;

export interface ImportProgress {
  /** Stores the numbers now and then, and the errors before they are many. */
  note(rows: number): Promise<void>;
  /** Stores what is left. */
  flush(): Promise<void>;
  totals(): { bytes: number; rows: number; faults: number; faultsByCode: string };
}

/** Stores how far an import is. @throws {Problem} `conflict` if the import was cancelled */
export function createProgress(
  db: Database,
  key: ImportKey,
  faults: FaultList,
  bytes: () => number,
): ImportProgress {
  const byCode: Partial<Record<FaultCode, number>> = {};
  let rows = 0;
  let stored = 0;
  let savedAt = performance.now();

  async function flush(): Promise<void> {
    savedAt = performance.now();
    const found = faults.take();
    for (const { code } of found) byCode[code] = (byCode[code] ?? 0) + 1;
    await db.transaction(async (tx) => {
      // Locks the import, so that it is there for its errors.
      const numbers = { ...key, bytes: bytes(), rows, faults: faults.count };
      assertNotCancelled(await tx.query(saveProgress(numbers)));
      if (found.length > 0) await insertFaults(tx, key, stored, found);
    });
    stored += found.length;
  }

  return {
    async note(count) {
      rows = count;
      const isDue = performance.now() - savedAt > progressMs;
      if (isDue || faults.faults.length >= faultsAtOnce) await flush();
    },
    flush,
    totals: () => ({ bytes: bytes(), rows, faults: faults.count, faultsByCode: JSON.stringify(byCode) }),
  };
}

/** @throws {Problem} `conflict` if an update found no import */
export function assertNotCancelled(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Problem('conflict', { detail: 'The import was cancelled.' });
}
