export { rateLimitRoutes } from './rate-limits.routes';
export { startClearing } from './clearing';
