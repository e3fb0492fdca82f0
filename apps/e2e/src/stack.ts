import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { controlUrl } from './config';

/** The members of stack.json that the specs use. */
export interface StackFile {
  gatewayUrl: string;
  /** Folder with a file per process. */
  logs: string;
  services: Record<ServiceName, { url: string; metricsUrl: string; pid: number | null }>;
  /** Superuser URL of the database. */
  databaseUrl: string;
  amqpUrl: string;
  amqpManagementUrl: string | null;
  demo: {
    tenantId: string;
    adminEmail: string;
    adminPassword: string;
    serviceAccount: { clientId: string; clientSecret: string };
    otherTenant: { tenantId: string; adminEmail: string; adminPassword: string };
  };
}

export type ServiceName =
  'identity-svc' | 'submissions-svc' | 'datalists-svc' | 'webhook-relay-svc' | 'gateway';

async function control(at: string, method: 'GET' | 'POST', ask = fetch, body?: object): Promise<unknown> {
  const base = controlUrl();
  if (base === undefined) throw new Error('There is no stack: run this through apps/e2e/jest.config.js.');
  const response = await ask(base + at, { method, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${at}: ${await response.text()}`);
  return response.json();
}

/** Reads the current stack.json. */
export const stackFile = async (ask = fetch): Promise<StackFile> =>
  (await control('/', 'GET', ask)) as StackFile;

/** A span as a service exported it (OTLP). */
export interface Span {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** The spans that the services have exported. They export about once a second. */
export const exportedSpans = async (): Promise<Span[]> => (await control('/spans', 'GET')) as Span[];

/** The log of every process, including the private servers, by file name. */
export async function processLogs(): Promise<Record<string, string>> {
  const { logs } = await stackFile();
  return Object.fromEntries(
    readdirSync(logs).map((file) => [file, readFileSync(path.join(logs, file), 'utf8')]),
  );
}

/** The configured secrets of the stack, by purpose. */
export const stackSecrets = async () => (await control('/secrets', 'GET')) as Record<string, string>;

/** The members of the other stack that the specs use. */
export type OtherStackFile = Pick<StackFile, 'gatewayUrl' | 'amqpManagementUrl'> & {
  services: Record<Exclude<ServiceName, 'identity-svc'>, { url: string }>;
};

/**
 * Starts services with another configuration and without identity-svc, beside the stack and on its servers.
 *
 * @param env environment variables by service
 */
export const startOtherStack = async (env: Partial<Record<ServiceName, Record<string, string>>>) =>
  (await control('/other/start', 'POST', fetch, env)) as OtherStackFile;

export const stopOtherStack = () => control('/other/stop', 'POST');

/** Kills a service. The stack restarts it. */
export const killService = (name: ServiceName) => control(`/${name}/SIGKILL`, 'POST');

/** Makes a service stop answering, or continue. Its process stays. */
export const freezeService = (name: ServiceName) => control(`/${name}/SIGSTOP`, 'POST');
export const continueService = (name: ServiceName) => control(`/${name}/SIGCONT`, 'POST');

export const stopServer = (name: 'rabbitmq' | 'postgres') => control(`/${name}/stop`, 'POST');
export const startServer = (name: 'rabbitmq' | 'postgres') => control(`/${name}/start`, 'POST');
