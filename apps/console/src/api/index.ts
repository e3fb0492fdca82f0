export { readConfiguration, type Configuration } from './configuration';
export { Fault, faultOf, noAnswer, type Violation } from './fault';
export {
  outagesOf,
  readHealth,
  type HealthReport,
  type HealthStatus,
  type Outage,
  type ServiceCheck,
} from './health';
