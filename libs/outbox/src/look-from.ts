import type pg from 'pg';
import { openTransactions } from './lane.sql';

/** Where a look at a lane begins: behind `floor` while all of `open` are still open, else at the beginning. */
export interface From {
  floor: string;
  /** Transaction ids. */
  open: readonly string[];
}

/** Every row of the lane, whatever is known. */
export const fromTheBeginning: From = { floor: '0', open: [] };

/**
 * Spares each look the rows that the leader has deleted. While any transaction of the server is old, no vacuum may remove
 * them, and a look from the beginning would step over every row that was ever published since.
 *
 * It is not a cursor by id, which would lose what commits late with a low id: that row's transaction was open when the floor
 * was chosen, and the statement of the look itself judges, by its own snapshot, whether such a transaction has ended.
 */
export interface LookFrom {
  next(): From;
  /** A look that began at `next()` has left nothing behind: up to the row `lastId`, or, for null, at all. */
  cleared(lastId: string | null): void;
  /** Rows up to this one have been seen. */
  seen(lastId: string | null): void;
  /** Asks, now and then, which transactions are open. Never within a transaction of the client. */
  renew(client: pg.ClientBase): Promise<void>;
}

/** A floor is of this age at least, so that the transactions under its ids are over, but for the long ones. */
const renewMs = 1_000;
/** Should anybody insert without a transaction id of its own yet, or lock rows of ours, this finds them. */
const wholeLookMs = 30_000;

export function createLookFrom(): LookFrom {
  let from = fromTheBeginning;
  let highest = 0n;
  /** Chosen a while ago: becomes the floor when everything below it is gone that has ended meanwhile. */
  let candidate: From = fromTheBeginning;
  let ripe: From | undefined;
  let renewedAt = performance.now();
  let wholeAt = performance.now();

  return {
    next() {
      if (performance.now() - wholeAt < wholeLookMs) return from;
      wholeAt = performance.now();
      return fromTheBeginning;
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
