export { logRoutes } from './log.routes';
