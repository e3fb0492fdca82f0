export { sessionRoutes } from './sessions.routes';
