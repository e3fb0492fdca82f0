export { healthLogMigration } from './migration';
export { createHealthLog } from './health-log';
export { healthLogRoutes } from './routes';
