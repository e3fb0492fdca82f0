export {
  createReencryption,
  reencrypt,
  type ReencryptionResult,
  type Reencryption,
  type SealedColumn,
} from './reencryption';
export { createSigningKeyStore, type SigningKeyStore } from './signing-key-store';
