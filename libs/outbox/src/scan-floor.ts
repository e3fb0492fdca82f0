import type pg from 'pg';
import { openTransactions, type ScanStart } from './lane.sql';
import type { Lane } from './lanes';

/** A lane is scanned after `id` while all of these transactions are open. */
interface Floor {
  id: bigint;
  open: readonly string[];
}

/**
 * Lets scans skip the rows that the leader has deleted. While any transaction of the server is old, vacuum
 * cannot remove them, and a scan from the start would step over every row published since.
 *
 * This is not a cursor by id, which would lose rows that commit late with a low id. The transaction of such a
 * row was open when the floor was chosen. The scan itself checks in its own snapshot whether one of these
 * transactions has ended.
 */
export interface ScanFloors {
  start(lanes: readonly Lane[]): ScanStart;
  /** Reports the highest id that a scan found. */
  seen(id: string): void;
  /**
   * Reports that a scan found all rows of the lane up to `reach`, or for null all rows, and that those from
   * `unfinished` on, if it is not null, are not deleted yet.
   */
  scanned(lane: Lane, reach: bigint | null, unfinished: bigint | null): void;
  /** Forgets the floor of a lane that another process may lead from now on. */
  forget(lane: Lane): void;
  /** Reads the open transactions. Call it about once a second. */
  renew(client: pg.ClientBase): Promise<void>;
}

/**
 * A full scan at this interval finds rows that were inserted before their transaction had an id.
 */
const fullScanMs = 30_000;

export function createScanFloors(): ScanFloors {
  const floors = new Map<Lane, Floor>();
  let highest = 0n;
  /** The floor of the last call of `renew`. It becomes the limit of floors at the next one. */
  let candidate: Floor = { id: 0n, open: [] };
  /** Old enough that most transactions below it have ended. */
  let limit: Floor = candidate;
  let fullScanAt = performance.now();

  return {
    start(lanes) {
      if (performance.now() - fullScanAt >= fullScanMs) {
        fullScanAt = performance.now();
        floors.clear();
      }
      const open = new Set<string>();
      const ids = lanes.map((lane) => {
        const floor = floors.get(lane);
        for (const id of floor?.open ?? []) open.add(id);
        return String(floor?.id ?? 0n);
      });
      return { lanes, floors: ids, open: [...open] };
    },
    seen(id) {
      if (BigInt(id) > highest) highest = BigInt(id);
    },
    scanned(lane, reach, unfinished) {
      const before = unfinished === null ? limit.id : unfinished - 1n;
      const id = [limit.id, before, reach ?? limit.id].reduce((a, b) => (a < b ? a : b));
      floors.set(lane, { id, open: limit.open });
    },
    forget: (lane) => void floors.delete(lane),
    async renew(client) {
      const id = highest;
      const { open, stillOpen } = await openTransactions(client, candidate.open);
      limit = { id: candidate.id, open: stillOpen };
      candidate = { id, open };
    },
  };
}
