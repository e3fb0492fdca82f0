export { createReencryption, reencrypt, type ReencryptionResult, type SealedColumn } from './reencryption';
export { createSigningKeyStore, type SigningKeyStore } from './signing-key-store';
