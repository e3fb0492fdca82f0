export {
  consoleConfiguration,
  consoleConfigurationOperation,
  providerOrigins,
  type ConsoleConfiguration,
  type ConsoleVariables,
} from './configuration';
export { consoleFolder, loadConsole, type FindConsoleFile } from './console-files';
export { consolePolicy, redirectToConsole, sendConsole } from './send-console';
export {
  consoleSettingsSchema,
  limitsSchema,
  submitterSchema,
  type ConsoleSettings,
  type KnownSettings,
} from './settings';
