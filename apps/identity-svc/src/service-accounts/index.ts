export { newServiceAccountSchema, secretHash, secretMatches } from './service-account';
export { serviceAccountRoutes } from './service-accounts.routes';
export { credentialsByClientId, insertServiceAccount, noteUse } from './service-accounts.sql';
