import { readJson, writeJson } from '@canvass/json-numbers';
import { every } from '@canvass/async';
import type { Database, Transactor, Tx } from '../database';
import { sqlState } from '../faults';
import { statement } from '../statement';
import { within } from '../within';

/** Connection for the changes of a request: the transaction of its key, or the pool if it has no key. */
export interface IdempotencyUnit {
  db: Transactor;
  /** Calls `onCommit` after the commit. Without a key call it after the change. */
  wake(entityId?: string, when?: 'now' | 'soon'): void;
}

/** The shape of service-kit's `KeyedRequest`. */
interface KeyedRequest {
  tenantId: string;
  route: string;
  keyHash: Buffer;
  fingerprint: Buffer;
  keptSeconds: number;
}

/** The shape of service-kit's `MadeAnswer`. */
interface Made<A> {
  answer: A;
  entityId: string | null;
}

type Outcome<A> = { outcome: 'made' | 'replayed'; answer: A } | { outcome: 'reused' } | { outcome: 'busy' };

/** The shape of service-kit's `IdempotencyStore`. */
export interface PostgresIdempotencyStore {
  readonly unkeyed: IdempotencyUnit;
  /**
   * `make` may run again after a deadlock (40P01) or serialization failure, so it must do nothing but SQL
   * through its unit.
   */
  once<A>(request: KeyedRequest, make: (unit: IdempotencyUnit) => Promise<Made<A>>): Promise<Outcome<A>>;
  /** Starts to delete expired keys every ten minutes. */
  start(): void;
  stop(): Promise<void>;
  /** Deletes expired keys now and returns their number. */
  sweep(): Promise<number>;
}

export interface IdempotencyStoreOptions {
  db: Database;
  /** Seals stored answers (`SecretBox` of @canvass/auth). Without it they are stored in plain text. */
  box?: { seal(plain: string, context: string): string; open(sealed: string, context: string): string };
  /** Called with the arguments of `unit.wake`, after the commit. */
  onCommit?(entityId?: string, when?: 'now' | 'soon'): void;
  onError?(error: unknown): void;
}

const sweepEveryMs = 10 * 60_000;
const sweptAtOnce = 1_000;

/** Returns a row if the key is new or expired. Waits for a concurrent request with the key. */
const reserve = statement<
  { tenantId: string; route: string; keyHash: Buffer; fingerprint: Buffer; keptSeconds: number },
  { reserved: true }
>(
  'idempotency_reserve',
  `insert into idempotency_keys as k (tenant_id, route, key_hash, fingerprint, expires_at)
   values ($tenantId, $route, $keyHash, $fingerprint, now() + make_interval(secs => $keptSeconds))
   on conflict (tenant_id, key_hash, route) do update
     set fingerprint = excluded.fingerprint, answer = null, entity_id = null, expires_at = excluded.expires_at
     where k.expires_at <= now()
   returning true as reserved`,
);

const find = statement<
  { tenantId: string; route: string; keyHash: Buffer },
  { fingerprint: Buffer; answer: string }
>(
  'idempotency_find',
  `select fingerprint, answer from idempotency_keys where tenant_id = $tenantId and route = $route and key_hash = $keyHash`,
);

const keep = statement<{
  tenantId: string;
  route: string;
  keyHash: Buffer;
  answer: string;
  entityId: string | null;
}>(
  'idempotency_keep',
  `update idempotency_keys set answer = $answer, entity_id = $entityId
   where tenant_id = $tenantId and route = $route and key_hash = $keyHash`,
);

/** Deletes the kept answers about the entities. A repetition of such a request is a new request. */
export const forgetAnswers = statement<{ tenantId: string; entityIds: readonly string[] }>(
  'idempotency_forget_answers',
  `delete from idempotency_keys where tenant_id = $tenantId and entity_id = any ($entityIds::bigint[])`,
);

/** Returns one row per deleted key. */
const removeExpired = statement<{ limit: number }, object>(
  'idempotency_remove_expired',
  `delete from idempotency_keys where ctid = any (array(
     select ctid from idempotency_keys where expires_at <= now() limit $limit for update skip locked)) returning true`,
);

/**
 * Idempotency keys in Postgres. Key, change, outbox row and answer are one transaction. After a crash either
 * all of them exist and a repeated request replays the answer, or none exists and it starts again. The unique
 * key makes a concurrent request with the same key wait until the first one commits. After 5 s it gets
 * `busy`.
 */
export function createIdempotencyStore(options: IdempotencyStoreOptions): PostgresIdempotencyStore {
  const { db, box, onCommit = () => undefined, onError = () => undefined } = options;

  async function attempt<A>(
    tx: Tx,
    { tenantId, route, keyHash, fingerprint, keptSeconds }: KeyedRequest,
    make: (unit: IdempotencyUnit) => Promise<Made<A>>,
  ): Promise<Outcome<A>> {
    const key = { tenantId, route, keyHash };
    const context = `idempotency:${tenantId}:${route}:${keyHash.toString('hex')}`;
    await tx.query(`set local lock_timeout = '5s'`);
    const [fresh] = await tx.query(reserve({ fingerprint, keptSeconds, ...key }));
    if (!fresh) {
      const [kept] = await tx.query(find(key));
      // Deleted between the two statements, because it expired: the same as a request that has just ended.
      if (!kept) return { outcome: 'busy' };
      if (!kept.fingerprint.equals(fingerprint)) return { outcome: 'reused' };
      const text = box ? box.open(kept.answer, context) : kept.answer;
      return { outcome: 'replayed', answer: readJson(text) as A };
    }
    await tx.query('set local lock_timeout = default');
    const { answer, entityId } = await make({
      db: within(tx),
      wake: (...args) => tx.afterCommit(() => onCommit(...args)),
    });
    const text = writeJson(answer);
    await tx.query(keep({ answer: box ? box.seal(text, context) : text, entityId, ...key }));
    return { outcome: 'made', answer };
  }

  async function sweep(): Promise<number> {
    for (let removed = 0; ;) {
      const rows = await db.query(removeExpired({ limit: sweptAtOnce }));
      removed += rows.length;
      if (rows.length < sweptAtOnce) return removed;
    }
  }

  const sweeper = every(sweepEveryMs, async () => void (await sweep()), { onError });

  return {
    unkeyed: { db, wake: onCommit },
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
    start: () => sweeper.start(),
    stop: () => sweeper.stop(),
  };
}
