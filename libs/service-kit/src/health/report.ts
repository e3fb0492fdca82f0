export type HealthStatus = 'Healthy' | 'Degraded' | 'Unhealthy';

export interface CheckResult {
  status: HealthStatus;
  /** One sentence for an operator; never a connection string or a stack trace. */
  description?: string | null;
  data?: Record<string, unknown>;
}

/** One thing a process depends on. `tags` say which probe it joins: `self` or `live` /alive, `ready` /ready. */
export interface HealthCheck {
  name: string;
  tags: string[];
  /** Default and at most 800 ms. */
  timeoutMs?: number;
  /** What a throw or a timeout counts as; default `Unhealthy`. */
  failureStatus?: 'Degraded' | 'Unhealthy';
  check(signal: AbortSignal): Promise<CheckResult>;
}

/** The outcome of one check as the report shows it. */
export interface CheckEntry {
  name: string;
  status: HealthStatus;
  description: string | null;
  data: Record<string, unknown>;
  /** `hh:mm:ss.fffffff` */
  duration: string;
}

export interface HealthReport {
  status: HealthStatus;
  checks: CheckEntry[];
  /** `hh:mm:ss.fffffff` */
  totalDuration: string;
}

const severity: Record<HealthStatus, number> = { Healthy: 0, Degraded: 1, Unhealthy: 2 };

export const isHealthStatus = (value: unknown): value is HealthStatus =>
  typeof value === 'string' && Object.hasOwn(severity, value);

/** The worst of all; Healthy when there is none. */
export const worst = (statuses: readonly HealthStatus[]): HealthStatus =>
  statuses.reduce(
    (sum, status) => (severity[status] > severity[sum] ? status : sum),
    'Healthy' as HealthStatus,
  );

/** Milliseconds as a time span `hh:mm:ss.fffffff` (seven decimals: units of 100 nanoseconds). */
export function timeSpan(milliseconds: number): string {
  const ticks = Math.max(0, Math.round(milliseconds * 10_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(ticks / 10_000_000);
  const fraction = String(ticks % 10_000_000).padStart(7, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}
