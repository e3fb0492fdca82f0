export { sessionRoutes } from './sessions.routes';
export { revokeSessions } from './sessions.sql';
