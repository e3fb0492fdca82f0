import type { JsonWebKey } from 'node:crypto';
import type { Database, Queryable } from '../database';
import { statement } from '../statement';
import { reencrypt, type Box, type SealedColumn } from './reencryption';

/** The shape of `StoredKey` of @canvass/auth. */
interface SigningKey {
  kid: string;
  privateKeyPem: string;
  publicJwk: JsonWebKey;
  notBefore: Date;
  expiresAt: Date;
}

/** The shape of `KeyStore` of @canvass/auth. */
interface Store {
  load(): Promise<SigningKey[]>;
  insert(key: SigningKey): Promise<void>;
  deleteExpired(now: Date): Promise<void>;
  lock<T>(fn: (store: Store) => Promise<T>): Promise<T>;
}

export interface SigningKeyStore extends Store {
  /** The column for re-encryption. */
  sealed: SealedColumn;
}

interface Row {
  kid: string;
  private_key: string;
  public_jwk: JsonWebKey;
  not_before: Date;
  expires_at: Date;
}

export interface SigningKeyStoreOptions {
  db: Database;
  box: Box;
  /** Table with the columns kid (primary key), private_key, public_jwk (json), not_before and expires_at. */
  table: string;
  /** The purpose of the keys. A sealed key can be opened only for this purpose and in its own row. */
  context: string;
}

/** Signing keys in the schema of the service, with sealed private keys. All replicas share them. */
export function createSigningKeyStore({ db, box, table, context }: SigningKeyStoreOptions): SigningKeyStore {
  const contextOf = (kid: string) => `${context}:${kid}`;
  const columns = 'kid, private_key, public_jwk, not_before, expires_at';
  const load = statement<void, Row>(`${table}_load`, `select ${columns} from ${table} order by not_before`);
  const insert = statement<{
    kid: string;
    sealed: string;
    publicJwk: string;
    notBefore: Date;
    expiresAt: Date;
  }>(
    `${table}_insert`,
    `insert into ${table} (${columns}) values ($kid, $sealed, $publicJwk, $notBefore, $expiresAt)`,
  );
  const deleteExpired = statement<{ now: Date }>(
    `${table}_delete_expired`,
    `delete from ${table} where expires_at <= $now`,
  );
  /** Held by a transaction that rotates the keys, so that only one replica does. */
  const lock = statement(
    `${table}_lock`,
    `select pg_advisory_xact_lock(hashtext(current_schema() || '.${table}'))`,
  );

  const on = (queryable: Queryable): Store => ({
    async load() {
      const rows = await queryable.query(load());
      return rows.map((row) => ({
        kid: row.kid,
        privateKeyPem: box.open(row.private_key, contextOf(row.kid)),
        publicJwk: row.public_jwk,
        notBefore: row.not_before,
        expiresAt: row.expires_at,
      }));
    },
    async insert({ kid, privateKeyPem, publicJwk, notBefore, expiresAt }) {
      const sealed = box.seal(privateKeyPem, contextOf(kid));
      const jwk = JSON.stringify(publicJwk);
      await queryable.query(insert({ kid, sealed, publicJwk: jwk, notBefore, expiresAt }));
    },
    async deleteExpired(now) {
      await queryable.query(deleteExpired({ now }));
    },
    lock: (fn) =>
      db.transaction(async (tx) => {
        // A pool may limit the wait for locks. Another replica makes a key for as long as it takes.
        await tx.query('set local lock_timeout = 0');
        await tx.query(lock());
        return fn(on(tx));
      }),
  });
  return {
    ...on(db),
    sealed: {
      table,
      column: 'private_key',
      key: ['kid'],
      reencrypt: (sealed, { kid = '' }) => reencrypt(box, sealed, contextOf(kid)),
    },
  };
}
