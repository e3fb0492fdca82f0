import type { KeyStore, SecretBox } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import {
  deleteExpiredKeys,
  insertKey,
  loadKeys,
  lockRotation,
  unlockRotation,
  type KeyRow,
} from './form-access-keys.sql';

const contextOf = (kid: string) => `form-access-key:${kid}`;

/** Signing keys in Postgres, private keys sealed; shared by all copies of the service. */
export function postgresKeyStore(db: Database, box: SecretBox): KeyStore {
  return {
    async load() {
      const rows = await db.query<KeyRow>(loadKeys);
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
      await db.query(insertKey, [kid, sealed, JSON.stringify(publicJwk), notBefore, expiresAt]);
    },
    async deleteExpired(now) {
      await db.query(deleteExpiredKeys, [now]);
    },
    lock: (fn) =>
      db.withClient(async (client) => {
        await client.query(lockRotation);
        try {
          return await fn();
        } finally {
          await client.query(unlockRotation);
        }
      }),
  };
}
