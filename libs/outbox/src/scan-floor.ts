import type pg from 'pg';
import { openTransactions, type ScanStart } from './lane.sql';

/** Scans every row of the lane. */
const fromFirstRow: ScanStart = { floor: '0', open: [] };

/**
 * Lets scans skip the rows that the leader has deleted. While any transaction of the server is old, vacuum
 * cannot remove them, and a scan from the start would step over every row published since.
 *
 * This is not a cursor by id, which would lose rows that commit late with a low id. The transaction of such a
 * row was open when the floor was chosen. The scan itself checks in its own snapshot whether one of these
 * transactions has ended.
 */
export interface ScanFloor {
  next(): ScanStart;
  /** Reports that a scan from `next()` left no rows up to `lastId`, or, for null, no rows at all. */
  cleared(lastId: string | null): void;
  /** Reports that rows up to this one were seen. */
  seen(lastId: string | null): void;
  /** Reads the open transactions from time to time. Do not call it within a transaction of the client. */
  renew(client: pg.ClientBase): Promise<void>;
}

/** Minimum age of a floor, so that most transactions below it have ended. */
const renewMs = 1_000;
/**
 * A full scan at this interval finds rows that were locked or inserted before their transaction had an id.
 */
const fullScanMs = 30_000;

export function createScanFloor(): ScanFloor {
  let from = fromFirstRow;
  let highest = 0n;
  /** Becomes the floor when all rows below it whose transactions have ended are gone. */
  let candidate: ScanStart = fromFirstRow;
  let ripe: ScanStart | undefined;
  let renewedAt = performance.now();
  let fullScanAt = performance.now();

  return {
    next() {
      if (performance.now() - fullScanAt < fullScanMs) return from;
      fullScanAt = performance.now();
      return fromFirstRow;
    },
    seen(lastId) {
      if (lastId !== null && BigInt(lastId) > highest) highest = BigInt(lastId);
    },
    cleared(lastId) {
      if (ripe && (lastId === null || BigInt(lastId) >= BigInt(ripe.floor))) {
        from = ripe;
        ripe = undefined;
      }
    },
    async renew(client) {
      if (performance.now() - renewedAt < renewMs) return;
      renewedAt = performance.now();
      const floor = String(highest);
      const { open, stillOpen } = await openTransactions(client, candidate.open);
      ripe = { floor: candidate.floor, open: stillOpen };
      candidate = { floor, open };
    },
  };
}
