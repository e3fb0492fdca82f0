export { buildApps } from './build';
export { ownDatabase, ownVirtualHost } from './isolation';
export { withRunDir } from './run-dir';
export { runOps } from './run-ops';
export { loadSecrets } from './secrets';
export {
  provisionBrokerUsers,
  roleUrl,
  serviceNames,
  type ServiceEnvironments,
  type ServiceName,
} from './services';
export { startStack, type Stack, type StackOptions } from './stack';
export type { StackFile } from './stack-file';
