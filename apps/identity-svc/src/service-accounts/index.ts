export { secretHash, secretMatches } from './service-account';
export { serviceAccountRoutes } from './service-accounts.routes';
export { credentialsByClientId, insertServiceAccount } from './service-accounts.sql';
