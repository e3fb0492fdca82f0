export { consoleConfigurationOperation } from './configuration';
export { consoleFolder, loadConsole, type FindConsoleFile } from './console-files';
export { redirectToConsole, sendConsole } from './send-console';
