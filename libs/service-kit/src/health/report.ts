import type { HealthStatus } from '@canvass/extensions';

export type {
  CheckEntry,
  CheckResult,
  HealthCheck,
  HealthProbe,
  HealthReport,
  HealthResponseWriter,
  HealthStatus,
} from '@canvass/extensions';

const severity: Record<HealthStatus, number> = { Healthy: 0, Degraded: 1, Unhealthy: 2 };

export const isHealthStatus = (value: unknown): value is HealthStatus =>
  typeof value === 'string' && Object.hasOwn(severity, value);

/** The worst status; Healthy for an empty list. */
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
