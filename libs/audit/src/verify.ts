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
  days: VerifiedDay[];
  /** Rows that have waited for their seal for more than five minutes. */
  overdue: string;
}

/** The trail differs from its seals. The message names the place. */
class BrokenTrail extends Error {}

/**
 * Computes the chains of the range again, from one snapshot.
 *
 * @throws {BrokenTrail} at the first row or day that was changed, removed or inserted
 */
export function verifyAudit(db: Database, { tenantId, from, to }: VerifyRange): Promise<Verification> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const [stray] = await tx.query(findRowsWithoutDay({ tenantId }));
    if (stray)
      throw broken(stray, 'its rows have no chain: the chain was removed, or the rows were inserted');
    const days: VerifiedDay[] = [];
    for (const day of await tx.query(findDays({ tenantId, from, to }))) {
      await verifyDay(tx, day);
      const { sealedRows: rows, isDropped } = day;
      days.push({ tenantId: day.tenantId, day: day.day, rows, hash: day.hash.toString('hex'), isDropped });
    }
    const [waiting] = await tx.query(countOverdue());
    return { days, overdue: waiting!.overdue };
  });
}

async function verifyDay(tx: Tx, day: DayRow): Promise<void> {
  if (!day.previous.equals(day.hashBefore ?? noHash))
    throw broken(day, 'it does not continue the day before, which was changed or removed');
  const sealed = BigInt(day.sealedRows);
  let hash = day.previous;
  let sequence = 0n;
  while (!day.isDropped) {
    const page = { tenantId: day.tenantId, day: day.day, after: String(sequence), limit: rowsAtOnce };
    const rows = await tx.query(findSealedRows(page));
    for (const row of rows) {
      sequence += 1n;
      if (BigInt(row.sequence) !== sequence) throw broken(day, `row ${sequence} was removed`);
      if (sequence > sealed) throw broken(day, `row ${sequence} (id ${row.id}) was inserted`);
      hash = hashOf(hash, row.text);
      if (!hash.equals(row.hash)) throw broken(day, `row ${sequence} (id ${row.id}) was changed`);
    }
    if (rows.length === rowsAtOnce) continue;
    if (sequence < sealed) throw broken(day, `row ${sequence + 1n} was removed`);
    if (!hash.equals(day.hash)) throw broken(day, 'its last hash was changed');
    return;
  }
}

const broken = ({ tenantId, day }: { tenantId: string; day: string }, what: string) =>
  new BrokenTrail(`The audit trail is broken: tenant ${tenantId}, day ${day}: ${what}.`);
