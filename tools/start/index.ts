export { buildApps } from './build';
export { ownDatabase, ownVirtualHost } from './isolation';
export { withRunDir } from './run-dir';
export { endLeftoverServices } from './running-stack';
export { loadSecrets } from './secrets';
export {
  serviceEnvironment,
  serviceNames,
  type ServiceEnvironments,
  type ServiceName,
  type StackAddresses,
} from './services';
export { startStack, type Stack, type StackOptions } from './stack';
export type { StackFile } from './stack-file';
