export {
  defineService,
  type ServiceCommand,
  type ServiceConfig,
  type ServiceDefinition,
} from './define-service';
export { ListenError } from './listener';
export { runService } from './run-service';
export type { RunningService, ServiceContext, ServiceParts, StartOptions } from './service';
export { startService } from './start-service';
