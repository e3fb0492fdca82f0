import type { Database } from '@canvass/postgres';
import { readBody } from './claim.sql';
import type { Claimed } from './leases';

/** Bytes of large bodies in memory at once. One that is larger waits until it is alone. */
const budgetBytes = 32 * 1024 * 1024;
/** pg holds a value three times while it reads it, twice of that in hexadecimal digits. */
const pieceBytes = 512 * 1024;

/** The bodies that are sent, with a budget for large ones. */
export type MessageBodies = ReturnType<typeof createMessageBodies>;

export function createMessageBodies(db: Database) {
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
    /**
     * The body of a claimed delivery, null if its message is no longer kept. A large one is read now, after
     * a wait while others take up the budget. Call `release` when it has been sent.
     */
    async load({
      tenantId,
      messageId,
      bytes,
      body,
    }: Claimed): Promise<{ body: Buffer | null; release: () => void }> {
      if (body !== null || bytes === null) return { body, release: () => undefined };
      await new Promise<void>((resolve) => {
        waiting.push({ bytes, resolve });
        admit();
      });
      const release = () => {
        used -= bytes;
        admit();
      };
      try {
        return { body: await read(tenantId, messageId, bytes), release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
