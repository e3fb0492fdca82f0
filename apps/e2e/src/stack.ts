import { controlUrl } from './config';

/** What the specs need of stack.json; the stack itself belongs to tools/start. */
export interface StackFile {
  gatewayUrl: string;
  /** Folder with a file per process. */
  logs: string;
  services: Record<ServiceName, { url: string; metricsUrl: string; pid: number | null }>;
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

async function control(path: string, method: 'GET' | 'POST'): Promise<unknown> {
  const base = controlUrl();
  if (base === undefined) throw new Error('There is no stack: run this through apps/e2e/jest.config.js.');
  const response = await fetch(base + path, { method });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

/** stack.json as it is now. */
export const stackFile = async (): Promise<StackFile> => (await control('/', 'GET')) as StackFile;

/** A span as a service exported it (OTLP). */
export interface Span {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** What the services have exported so far; they do so about once a second. */
export const exportedSpans = async (): Promise<Span[]> => (await control('/spans', 'GET')) as Span[];

/** Ends a service the hard way; the stack starts it again by itself. */
export const killService = (name: ServiceName) => control(`/${name}/SIGKILL`, 'POST');

export const stopServer = (name: 'rabbitmq' | 'postgres') => control(`/${name}/stop`, 'POST');
export const startServer = (name: 'rabbitmq' | 'postgres') => control(`/${name}/start`, 'POST');
