import type { KeyStore, SecretBox, StoredKey } from '@canvass/auth';
import { statement, type Database, type Queryable } from '@canvass/postgres';

const select = statement(
  'keys.select',
  'select kid, private_key, public_jwk, not_before, expires_at from signing_keys order by not_before',
);
const insert = statement(
  'keys.insert',
  'insert into signing_keys (kid, private_key, public_jwk, not_before, expires_at) values ($1, $2, $3, $4, $5)',
);
const deleteExpired = statement('keys.delete_expired', 'delete from signing_keys where expires_at <= $1');
const reseal = statement(
  'keys.reseal',
  'update signing_keys set private_key = $3 where kid = $1 and private_key = $2',
);
const lock = statement(
  'keys.lock',
  `select pg_advisory_xact_lock(hashtext(current_schema() || '.signing_keys'))`,
);

interface Row {
  kid: string;
  private_key: string;
  public_jwk: StoredKey['publicJwk'];
  not_before: Date;
  expires_at: Date;
}

/** A sealed key opens in its own row only. */
const contextOf = (kid: string) => `signing-key:${kid}`;

/** Signing keys in the service's schema, private halves sealed. All copies of the service share them. */
export function createKeyStore(db: Database, box: SecretBox): KeyStore {
  const on = (queryable: Queryable): KeyStore => ({
    async load() {
      const rows = await queryable.query<Row>(select);
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
      await queryable.query(insert, [kid, sealed, JSON.stringify(publicJwk), notBefore, expiresAt]);
    },
    async deleteExpired(now) {
      await queryable.query(deleteExpired, [now]);
    },
    lock: (fn) =>
      db.transaction(async (tx) => {
        await tx.query(lock);
        return fn(on(tx));
      }),
  });
  return on(db);
}

/** Seals keys anew that are sealed with an older key than the first of `Service:Encryption:Keys`. */
export async function resealKeys(db: Database, box: SecretBox): Promise<void> {
  for (const { kid, private_key: sealed } of await db.query<Row>(select)) {
    if (!box.isStale(sealed)) continue;
    await db.query(reseal, [kid, sealed, box.seal(box.open(sealed, contextOf(kid)), contextOf(kid))]);
  }
}
