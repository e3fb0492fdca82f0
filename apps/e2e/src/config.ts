/** The environment of the tests; the only place that reads it. */
export const environment = process.env;

const controlKey = 'E2E_CONTROL_URL';

/** Where the stack of this run takes orders, or undefined before it was started. */
export const controlUrl = (): string | undefined => environment[controlKey];

/** Tells the spec files, which may run in other processes. */
export function setControlUrl(url: string): void {
  environment[controlKey] = url;
}
