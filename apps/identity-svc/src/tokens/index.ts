export type { TokenDeps } from './deps';
export { startHousekeeping } from './housekeeping';
export { invalidCredentials } from './session';
export { tokenRoutes } from './tokens.routes';
