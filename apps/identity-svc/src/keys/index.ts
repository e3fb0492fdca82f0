export { keyRoutes } from './keys.routes';
export { createKeyStore, resealKeys } from './keys.sql';
