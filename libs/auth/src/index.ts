export { createAuthenticator, type Authenticator, type AuthenticatorOptions } from './authenticator';
export { authenticationRequired, invalidToken, permissionDenied } from './challenge';
export { currentPrincipal, type CurrentPrincipal } from './current-principal';
export {
  createFormAccessVerifier,
  formAccessAudience,
  formAccessClaims,
  formAccessIssuer,
  type FormAccess,
  type FormAccessVerifier,
} from './form-access';
export { createJwksVerifier, type JwksVerifier, type JwksVerifierOptions } from './jwks/jwks-verifier';
export { createKeyRing, type KeyRing, type KeyRingOptions, type TokenOptions } from './keys/key-ring';
export { keyExpires as signingKeyExpires } from './keys/rotation';
export { keySetExample, keySetSchema } from './keys/key-set-schema';
export { newSigningKey, type KeyStore, type StoredKey } from './keys/stored-key';
export {
  permissions,
  permissionsOf,
  privilegedPermissions,
  rolePermissions,
  roles,
  type Permission,
  type Role,
} from './permissions';
export { createRevocations, type Revocation, type Revocations, type RevocationsOptions } from './revocations';
export { ownProvider, requirePermission, requirePrincipal, versionOf, type Principal } from './principal';
export { createSecretBox, SecretBoxError, type SecretBox } from './secret-box';
export { createServiceTokens, internalSecrets, type ServiceTokens } from './service-tokens';
export {
  authSettingsSchema,
  encryptionSettingsSchema,
  internalSettingsSchema,
  type AuthSettings,
  type EncryptionSettings,
  type ExternalProvider,
  type InternalSettings,
} from './settings';
export { bearerToken, readUnverified } from './token-text';
