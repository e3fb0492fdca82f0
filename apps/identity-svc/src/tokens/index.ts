export { browserSessionRoutes } from './browser-session.routes';
export { clientOf } from './client';
export { ownActor } from './own-actor';
export { createHousekeeping } from './housekeeping';
export { invalidCredentials } from './session';
export { secondFactorRoutes } from './second-factor.routes';
export { limitMails } from './sign-in-attempts';
export { tokenRoutes } from './tokens.routes';
