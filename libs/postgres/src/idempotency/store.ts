import type { Database, Transactor, Tx } from '../database';
import { sqlState } from '../faults';
import { statement } from '../statement';
import { within } from '../within';

/** Through what a keyed request makes its changes. */
export interface IdempotencyUnit {
  db: Transactor;
  /** What `onCommit` does, once the transaction is committed. */
  wake(): void;
}

/** Same shape as service-kit's `KeyedRequest`. */
interface KeyedRequest {
  tenantId: string;
  route: string;
  keyHash: Buffer;
  fingerprint: Buffer;
}

type Outcome<A> = { outcome: 'made' | 'replayed'; answer: A } | { outcome: 'reused' } | { outcome: 'busy' };

/** Same shape as service-kit's `IdempotencyStore`. */
export interface PostgresIdempotencyStore {
  /** `make` may run again after a deadlock (40P01) or serialization failure, so it must do nothing but SQL through its unit. */
  once<A>(request: KeyedRequest, make: (unit: IdempotencyUnit) => Promise<A>): Promise<Outcome<A>>;
  /** Begins to remove expired keys, every ten minutes. */
  start(): void;
  stop(): void;
  /** Removes expired keys now; answers how many. */
  sweep(): Promise<number>;
}

export interface IdempotencyStoreOptions {
  db: Database;
  /** Seals kept answers (`SecretBox` of @canvass/auth); without it they are kept in clear. */
  box?: { seal(plain: string, context: string): string; open(sealed: string, context: string): string };
  /** Called after the commit of a request that asked for it through `unit.wake`. */
  onCommit?(): void;
  onError?(error: unknown): void;
}

const sweepEveryMs = 10 * 60_000;
const sweptAtOnce = 1_000;

/** $1 tenant, $2 route, $3 hash of the key, $4 fingerprint → a row where the key is new or expired. Waits for a twin. */
const reserve = statement(
  'idempotency_reserve',
  `insert into idempotency_keys as k (tenant_id, route, key_hash, fingerprint) values ($1, $2, $3, $4)
   on conflict (tenant_id, key_hash, route) do update
     set fingerprint = excluded.fingerprint, answer = null, expires_at = excluded.expires_at
     where k.expires_at <= now()
   returning true as reserved`,
);

/** $1 tenant, $2 route, $3 hash of the key → the kept answer */
const find = statement(
  'idempotency_find',
  `select fingerprint, answer from idempotency_keys where tenant_id = $1 and route = $2 and key_hash = $3`,
);

/** $1 tenant, $2 route, $3 hash of the key, $4 answer */
const keep = statement(
  'idempotency_keep',
  `update idempotency_keys set answer = $4 where tenant_id = $1 and route = $2 and key_hash = $3`,
);

/** $1 most rows → one row for each that was removed */
const removeExpired = statement(
  'idempotency_remove_expired',
  `delete from idempotency_keys where ctid = any (array(
     select ctid from idempotency_keys where expires_at <= now() limit $1 for update skip locked)) returning true`,
);

/**
 * Idempotency keys in Postgres. Key, change, outbox row and answer are one transaction: whichever moment a process or
 * the server dies at, either all of them are there and a repetition replays the answer, or none is and it begins anew.
 * The unique key makes a concurrent twin wait until the first one has committed, 5 s at most; then it is told `busy`.
 */
export function createIdempotencyStore(options: IdempotencyStoreOptions): PostgresIdempotencyStore {
  const { db, box, onCommit = () => undefined, onError = () => undefined } = options;
  let timer: NodeJS.Timeout | undefined;

  async function attempt<A>(
    tx: Tx,
    { tenantId, route, keyHash, fingerprint }: KeyedRequest,
    make: (unit: IdempotencyUnit) => Promise<A>,
  ): Promise<Outcome<A>> {
    const key = [tenantId, route, keyHash];
    const context = `idempotency:${tenantId}:${route}:${keyHash.toString('hex')}`;
    await tx.query(`set local lock_timeout = '5s'`);
    const [fresh] = await tx.query(reserve, [...key, fingerprint]);
    if (!fresh) {
      const [kept] = await tx.query<{ fingerprint: Buffer; answer: string }>(find, key);
      // Expired and swept between the two statements: as good as a twin that has just ended.
      if (!kept) return { outcome: 'busy' };
      if (!kept.fingerprint.equals(fingerprint)) return { outcome: 'reused' };
      const text = box ? box.open(kept.answer, context) : kept.answer;
      return { outcome: 'replayed', answer: JSON.parse(text) as A };
    }
    await tx.query('set local lock_timeout = default');
    const answer = await make({ db: within(tx), wake: () => tx.afterCommit(onCommit) });
    const text = JSON.stringify(answer);
    await tx.query(keep, [...key, box ? box.seal(text, context) : text]);
    return { outcome: 'made', answer };
  }

  async function sweep(): Promise<number> {
    for (let removed = 0; ;) {
      const rows = await db.query(removeExpired, [sweptAtOnce]);
      removed += rows.length;
      if (rows.length < sweptAtOnce) return removed;
    }
  }

  return {
    async once(request, make) {
      let making = false;
      try {
        return await db.transaction((tx) => {
          making = false;
          return attempt(tx, request, (unit) => {
            making = true;
            return make(unit);
          });
        });
      } catch (error) {
        if (!making && sqlState(error) === '55P03') return { outcome: 'busy' };
        throw error;
      }
    },
    sweep,
    start() {
      timer ??= setInterval(() => void sweep().catch(onError), sweepEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
