export { bulkStep } from './bulk-step';
export { bulkRoutes } from './bulk.routes';
export { bulkKind } from './change-many';
