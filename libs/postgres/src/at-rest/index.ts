export { createResealer, sealedAnew, type Renewal, type Resealer, type SealedColumn } from './sealed-column';
export { createSigningKeyStore, type SigningKeyStore } from './signing-key-store';
