export { healthOperations, type HealthPaths } from './operations';
export { HealthRegistry, type ServiceState } from './registry';
export {
  type CheckEntry,
  type CheckResult,
  type HealthCheck,
  type HealthReport,
  type HealthStatus,
} from './report';
export { createHealthResponders, type Responder } from './routes';
export { loadHealthExtensions } from './load-health-extensions';
