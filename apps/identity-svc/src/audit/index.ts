export { createAreas, type AreaSettings } from './areas';
export { auditRoutes } from './audit.routes';
