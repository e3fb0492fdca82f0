export { browserSessionRoutes } from './browser-session.routes';
export { createHousekeeping } from './housekeeping';
export { invalidCredentials } from './session';
export { secondFactorRoutes } from './second-factor.routes';
export { tokenRoutes } from './tokens.routes';
