export {
  consoleConfiguration,
  consoleConfigurationOperation,
  providerOrigins,
  type ConsoleConfiguration,
  type ConsoleVariables,
} from './configuration';
export { consoleFolder, fileOf, loadConsole, type ConsoleFile, type FindConsoleFile } from './console-files';
export { consolePolicy, redirectToConsole, requireRead, sendConsole, sendFile } from './send-console';
export {
  consoleSettingsSchema,
  limitsSchema,
  submitterSchema,
  type ConsoleSettings,
  type KnownSettings,
} from './settings';
