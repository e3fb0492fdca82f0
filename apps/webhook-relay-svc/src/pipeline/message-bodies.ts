import type { Database } from '@canvass/postgres';
import { readBody } from './claim.sql';
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
/** pg holds a value three times while it reads it, twice of that in hexadecimal digits. */
const pieceBytes = 512 * 1024;

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

  async function read(tenantId: string, id: string, bytes: number): Promise<Buffer | null> {
    const body = Buffer.allocUnsafe(bytes);
    for (let at = 0; at < bytes; at += pieceBytes) {
      const [row] = await db.query(readBody({ tenantId, id, from: at + 1, size: pieceBytes }));
      if (!row) return null;
      if (row.piece.copy(body, at) !== Math.min(pieceBytes, bytes - at))
        throw new Error(`The body of message ${id} changed while it was read.`);
    }
    return body;
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
        return { body: await read(tenantId, message.id, bytes), release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
