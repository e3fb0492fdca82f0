import type { Database, Queryable } from '@canvass/postgres';
import { hashOf, noHash } from './chain';
import { findChainEnds, findUnsealed, saveDays, sealRows, takeSealLock } from './seal.sql';

const rowsAtOnce = 1_000;

/** The chain of a tenant while rows are added to it. */
interface Chain {
  tenantId: string;
  day: string;
  sealedRows: bigint;
  hash: Buffer;
  /** The last hash of the day before. */
  previous: Buffer;
}

/**
 * Gives committed rows of the audit trail their place in the chain of their tenant and day. One process does
 * so at a time, so that writers never wait for each other. A row that commits late is sealed late.
 *
 * @returns the number of sealed rows; 0 if another process is sealing
 */
export async function sealAudit(db: Database): Promise<number> {
  if ((await db.query(findUnsealed({ limit: 1 }))).length === 0) return 0;
  return db.transaction(async (tx) => {
    const [lock] = await tx.query(takeSealLock());
    if (!lock?.taken) return 0;
    const rows = await tx.query(findUnsealed({ limit: rowsAtOnce }));
    const chains = await chainsOf(tx, [...new Set(rows.map(({ tenantId }) => tenantId))]);
    const sealed = rows.map(({ tenantId, id, text }) => {
      const chain = chains.get(tenantId)!;
      chain.sealedRows += 1n;
      chain.hash = hashOf(chain.hash, text);
      return { tenantId, id, day: chain.day, sequence: String(chain.sealedRows), hash: chain.hash };
    });
    const ends = [...chains.values()];
    await tx.query(
      sealRows({
        tenantIds: sealed.map(({ tenantId }) => tenantId),
        ids: sealed.map(({ id }) => id),
        days: sealed.map(({ day }) => day),
        sequences: sealed.map(({ sequence }) => sequence),
        hashes: sealed.map(({ hash }) => hash),
      }),
    );
    await tx.query(
      saveDays({
        tenantIds: ends.map(({ tenantId }) => tenantId),
        days: ends.map(({ day }) => day),
        sealedRows: ends.map(({ sealedRows }) => String(sealedRows)),
        hashes: ends.map(({ hash }) => hash),
        previous: ends.map(({ previous }) => previous),
      }),
    );
    return sealed.length;
  });
}

/** The chain that each tenant continues today. Its first hash follows the last one of the day before. */
async function chainsOf(db: Queryable, tenantIds: string[]): Promise<Map<string, Chain>> {
  const ends = await db.query(findChainEnds({ tenantIds }));
  return new Map(
    ends.map(({ tenantId, day, sealedRows, hash, today }) => {
      const last = day === null ? noHash : hash;
      // A clock that steps back does not reopen an earlier day.
      const chain =
        day !== null && day >= today
          ? { tenantId, day, sealedRows: BigInt(sealedRows), hash, previous: noHash }
          : { tenantId, day: today, sealedRows: 0n, hash: last, previous: last };
      return [tenantId, chain] as const;
    }),
  );
}
