export { checkDeadlineMs } from './check-runner';
export { HealthRegistry, type ServiceState } from './registry';
export {
  timeSpan,
  type CheckEntry,
  type CheckResult,
  type HealthCheck,
  type HealthReport,
  type HealthStatus,
} from './report';
export { healthRoutes, type HealthPaths, type HealthWriter, type Probe } from './routes';
