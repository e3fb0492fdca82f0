export {
  defineService,
  type ServiceCommand,
  type ServiceConfig,
  type ServiceDefinition,
  type StartOptions,
} from './define-service';
export { ListenError } from './listener';
export { runService } from './run-service';
export type { RunningService, ServiceContext, ServiceParts } from './service';
export { startService } from './start-service';
