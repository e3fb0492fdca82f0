export { browserSessionRoutes } from './browser-session.routes';
export { createHousekeeping } from './housekeeping';
export { invalidCredentials } from './session';
export { tokenRoutes } from './tokens.routes';
