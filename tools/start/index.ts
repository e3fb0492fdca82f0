export { buildApps } from './build';
export { endLeftoverServices } from './leftovers';
export { ownDatabase } from './own-database';
export { ownVirtualHost } from './own-virtual-host';
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
