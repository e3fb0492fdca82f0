export { accessTokenRoutes } from './access-tokens.routes';
export { postgresKeyStore } from './key-store';
