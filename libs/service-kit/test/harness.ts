import { listen, type Listening } from '@canvass/testing';
import { createHttpApp, createLogger, createMetrics, HealthRegistry, type HttpAppOptions } from '../src';

export interface TestApp extends Listening {
  health: HealthRegistry;
  /** The log lines written so far. */
  lines: Record<string, unknown>[];
  metrics: ReturnType<typeof createMetrics>;
}

const open: TestApp[] = [];

/** Serves an application over HTTP on a free port; closed after the test. */
export async function testApp(options: Partial<HttpAppOptions> = {}): Promise<TestApp> {
  const lines: Record<string, unknown>[] = [];
  const health = options.health ?? new HealthRegistry();
  const metrics = createMetrics('test', { processMetrics: false });
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  const logger = createLogger('test', { level: 'debug', destination });
  const app = createHttpApp({ endpoints: [], logger, metrics, ...options, health });
  const listening = await listen(app);
  const test = { ...listening, health, lines, metrics };
  open.push(test);
  return test;
}

export async function closeTestApps(): Promise<void> {
  await Promise.all(open.splice(0).map((app) => app.close()));
}

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  traceId: string;
  errorCode: string;
  errors?: Record<string, string[]>;
  [extra: string]: unknown;
}

export const problemOf = async (answer: Response): Promise<ProblemBody> =>
  (await answer.json()) as ProblemBody;

export const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
