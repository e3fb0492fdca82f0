export { transferRoutes } from './transfer.routes';
