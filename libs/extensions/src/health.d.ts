export type HealthStatus = 'Healthy' | 'Degraded' | 'Unhealthy';

export interface CheckResult {
  status: HealthStatus;
  /** One sentence for operators. Addresses, secrets and further lines are removed before it is shown. */
  description?: string | null;
  data?: Record<string, unknown>;
}

/** `AbortSignal` if the types of the platform are installed, else the part of it that checks use. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Instance } }
  ? Instance
  : { readonly aborted: boolean };

/**
 * A dependency of a process. A module exports it as `healthCheck`, and `Service:Health:Checks` names the
 * module.
 *
 * Every check is part of `/health`. Its tags add it to probes: `self` or `live` to `/alive` (it must do no
 * I/O), `ready` to `/ready`.
 */
export interface HealthCheck {
  /** Unique within a process. */
  name: string;
  tags: string[];
  /** Milliseconds; default and at most 800. */
  timeoutMs?: number;
  /** The status for a throw, a timeout or an invalid result; default `Unhealthy`. */
  failureStatus?: 'Degraded' | 'Unhealthy';
  /** Called at most once a second. The signal aborts at the timeout. */
  check(signal: Signal): CheckResult | Promise<CheckResult>;
}

/** The result of one check in the report. */
export interface CheckEntry {
  name: string;
  status: HealthStatus;
  description: string | null;
  data: Record<string, unknown>;
  /** `hh:mm:ss.fffffff` */
  duration: string;
}

export interface HealthReport {
  /** The worst status of all checks. */
  status: HealthStatus;
  checks: CheckEntry[];
  /** `hh:mm:ss.fffffff` */
  totalDuration: string;
}

/**
 * `overall` is `/health`, `liveness` `/alive`, `readiness` `/ready`, independent of their configured paths.
 */
export type HealthProbe = 'overall' | 'liveness' | 'readiness';

export interface HealthResponseContext {
  /** `submissions-svc`, `gateway` … */
  service: string;
  probe: HealthProbe;
}

export interface HealthResponse {
  /** Value of `Content-Type`. */
  contentType: string;
  body: string;
}

/**
 * Writes the body of `/health`, `/alive` and `/ready`. `/health/detail` and `/health/ui` are not affected,
 * nor is the HTTP status: 200 for Healthy and Degraded, 503 for Unhealthy. A module exports it as
 * `healthResponseWriter`, and `Service:Health:Writer` names the module. It must be synchronous. If it throws
 * or returns an invalid value, the default writer is used.
 */
export type HealthResponseWriter = (report: HealthReport, context: HealthResponseContext) => HealthResponse;
