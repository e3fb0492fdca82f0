export { ListenError } from './listener';
export { runService } from './run-service';
export type { RunningService, ServiceContext, ServiceOptions, ServiceParts } from './service';
export { startService } from './start-service';
