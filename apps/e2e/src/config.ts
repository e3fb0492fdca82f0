/** The environment variables of the tests. Only this file reads them. */
export const environment = process.env;

const controlKey = 'E2E_CONTROL_URL';

/** The control URL of the stack of this run; undefined before the stack has started. */
export const controlUrl = (): string | undefined => environment[controlKey];

/** Sets the control URL for the spec files, which may run in other processes. */
export function setControlUrl(url: string): void {
  environment[controlKey] = url;
}
