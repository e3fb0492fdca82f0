import type { KeyStore, SecretBox } from '@canvass/auth';
import type { Database, Queryable } from '@canvass/postgres';
import { deleteExpiredKeys, insertKey, loadKeys, lockRotation, type KeyRow } from './form-access-keys.sql';

const contextOf = (kid: string) => `form-access-key:${kid}`;

/** Signing keys in Postgres, private keys sealed; shared by all copies of the service. */
export function postgresKeyStore(db: Database, box: SecretBox): KeyStore {
  const on = (queryable: Queryable): KeyStore => ({
    async load() {
      const rows = await queryable.query<KeyRow>(loadKeys);
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
      await queryable.query(insertKey, [kid, sealed, JSON.stringify(publicJwk), notBefore, expiresAt]);
    },
    async deleteExpired(now) {
      await queryable.query(deleteExpiredKeys, [now]);
    },
    lock: (fn) =>
      db.transaction(async (tx) => {
        await tx.query(lockRotation);
        return fn(on(tx));
      }),
  });
  return on(db);
}
