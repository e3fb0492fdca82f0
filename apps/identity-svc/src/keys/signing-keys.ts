import type { SecretBox } from '@canvass/auth';
import { createSigningKeyStore, type Database, type SigningKeyStore } from '@canvass/postgres';

/** The keys of access tokens. */
export const signingKeys = (db: Database, box: SecretBox): SigningKeyStore =>
  createSigningKeyStore({ db, box, table: 'signing_keys', context: 'signing-key' });
