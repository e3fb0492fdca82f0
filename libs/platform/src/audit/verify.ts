import type { Database, Tx } from '@canvass/postgres';
import { hashOf, noHash } from './chain';
import { countOverdue, findDays, findRowsWithoutDay, findSealedRows, type DayRow } from './verify.sql';

const rowsAtOnce = 5_000;

export interface VerifyRange {
  /** Null: all tenants. */
  tenantId: string | null;
  /** First and last UTC day, `YYYY-MM-DD`; null: no limit. */
  from: string | null;
  to: string | null;
}

/** A day whose chain is whole. Compare `hash` with a copy kept elsewhere to detect a rewritten trail. */
export interface VerifiedDay {
  tenantId: string;
  day: string;
  rows: string;
  /** Last hash of the chain, in hexadecimal. */
  hash: string;
  isDropped: boolean;
}

export interface Verification {
  /** Days whose chain is whole. */
  days: VerifiedDay[];
  /** Sentences that name the places where the trail differs from its seals, in a day the first one. */
  breaks: string[];
  /** Rows that have waited for their seal for more than five minutes. */
  overdue: string;
}

/**
 * Computes the chains of the range again, from one snapshot. A day that is broken does not end the check of
 * the others.
 */
export function verifyAudit(db: Database, { tenantId, from, to }: VerifyRange): Promise<Verification> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const breaks = (await tx.query(findRowsWithoutDay({ tenantId }))).map((stray) =>
      broken(stray, 'its rows have no chain: the chain was removed, or the rows were inserted'),
    );
    const days: VerifiedDay[] = [];
    for (const day of await tx.query(findDays({ tenantId, from, to }))) {
      const fault = await faultOf(tx, day);
      const { sealedRows: rows, isDropped } = day;
      if (fault !== null) breaks.push(broken(day, fault));
      else
        days.push({ tenantId: day.tenantId, day: day.day, rows, hash: day.hash.toString('hex'), isDropped });
    }
    const [waiting] = await tx.query(countOverdue());
    return { days, breaks, overdue: waiting!.overdue };
  });
}

/** The first row or day that was changed, removed or inserted; null if the chain of the day is whole. */
async function faultOf(tx: Tx, day: DayRow): Promise<string | null> {
  if (!day.previous.equals(day.hashBefore ?? noHash))
    return 'it does not continue the day before, which was changed or removed';
  const sealed = BigInt(day.sealedRows);
  let hash = day.previous;
  let sequence = 0n;
  while (!day.isDropped) {
    const page = { tenantId: day.tenantId, day: day.day, after: String(sequence), limit: rowsAtOnce };
    const rows = await tx.query(findSealedRows(page));
    for (const row of rows) {
      sequence += 1n;
      if (BigInt(row.sequence) !== sequence) return `row ${sequence} was removed`;
      if (sequence > sealed) return `row ${sequence} (id ${row.id}) was inserted`;
      hash = hashOf(hash, row.text);
      if (!hash.equals(row.hash)) return `row ${sequence} (id ${row.id}) was changed`;
    }
    if (rows.length === rowsAtOnce) continue;
    if (sequence < sealed) return `row ${sequence + 1n} was removed`;
    return hash.equals(day.hash) ? null : 'its last hash was changed';
  }
  return null;
}

const broken = ({ tenantId, day }: { tenantId: string; day: string | null }, what: string) =>
  `tenant ${tenantId}, day ${day ?? 'unknown'}: ${what}.`;
