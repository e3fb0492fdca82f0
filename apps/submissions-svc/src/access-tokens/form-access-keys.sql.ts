import { statement } from '@canvass/postgres';

export interface KeyRow {
  kid: string;
  private_key: string;
  public_jwk: { kty: string };
  not_before: Date;
  expires_at: Date;
}

export const loadKeys = statement(
  'form_access_keys_load',
  'select kid, private_key, public_jwk, not_before, expires_at from form_access_keys',
);

/** $1 kid, $2 sealed private key, $3 public JWK, $4 not before, $5 expires at */
export const insertKey = statement(
  'form_access_keys_insert',
  'insert into form_access_keys (kid, private_key, public_jwk, not_before, expires_at) values ($1, $2, $3, $4, $5)',
);

/** $1 now */
export const deleteExpiredKeys = statement(
  'form_access_keys_delete_expired',
  'delete from form_access_keys where expires_at < $1',
);

/** Held by a transaction while it rotates the keys: one copy of the service at a time. */
export const lockRotation = `select pg_advisory_xact_lock(hashtext('submissions.form_access_keys'))`;
