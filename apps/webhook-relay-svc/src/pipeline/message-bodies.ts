import type { Database } from '@canvass/postgres';
import { findBody } from './claim.sql';
import type { Claimed } from './leases';

/** A body in memory, until it is released. */
export interface LoadedBody {
  /** Null if the message is no longer kept. */
  body: Buffer | null;
  release(): void;
}

export interface MessageBodies {
  /**
   * The body of a claimed delivery. A large one is read now; it waits while the others take up the budget.
   */
  load(delivery: Claimed): Promise<LoadedBody>;
}

/** Bytes of large bodies in memory at once. One that is larger waits until it is alone. */
const budgetBytes = 32 * 1024 * 1024;

export function createMessageBodies(db: Database): MessageBodies {
  let used = 0;
  const waiting: { bytes: number; resolve: () => void }[] = [];

  function admit(): void {
    while (waiting.length > 0 && (used === 0 || used + waiting[0]!.bytes <= budgetBytes)) {
      const { bytes, resolve } = waiting.shift()!;
      used += bytes;
      resolve();
    }
  }

  return {
    async load({ tenantId, message }) {
      const { bytes } = message;
      if (message.body !== null || bytes === null) return { body: message.body, release: () => undefined };
      await new Promise<void>((resolve) => {
        waiting.push({ bytes, resolve });
        admit();
      });
      const release = () => {
        used -= bytes;
        admit();
      };
      try {
        const [row] = await db.query(findBody({ tenantId, id: message.id }));
        return { body: row?.body ?? null, release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
