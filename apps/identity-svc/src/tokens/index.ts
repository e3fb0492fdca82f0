export type { TokenDeps } from './deps';
export { startHousekeeping } from './housekeeping';
export { tokenRoutes } from './tokens.routes';
