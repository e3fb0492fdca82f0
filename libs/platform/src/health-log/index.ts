export { healthLogSchema } from './schema';
export { createHealthLog } from './health-log';
export { healthLogRoutes } from './routes';
