export { loadConfig, type LoadConfigOptions } from './config';
export { ConfigurationError } from './configuration-error';
export { describeConfig, maskSecrets, type ConfigKey } from './describe';
export {
  defaultHealthPaths,
  healthSettingsSchema,
  hostingSettings,
  loggingSettingsSchema,
  modulePath,
  type HealthSettings,
  type HostingSettings,
  type LoggingSettings,
} from './settings';
