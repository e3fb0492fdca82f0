export { transferRoutes } from './transfer.routes';
export { removeExpiredImports } from './apply-import';
