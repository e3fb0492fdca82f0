export type HealthStatus = 'Healthy' | 'Degraded' | 'Unhealthy';

export interface CheckResult {
  status: HealthStatus;
  /** One sentence for an operator. Addresses, secrets and further lines are taken out before it is shown. */
  description?: string | null;
  data?: Record<string, unknown>;
}

/** `AbortSignal` where the platform's types are installed; its used part where they are not. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Instance } }
  ? Instance
  : { readonly aborted: boolean };

/**
 * One thing a process depends on. A module exports it as `healthCheck` and is named in `Service:Health:Checks`.
 *
 * Every check is part of `/health`. It joins a probe only by its tags: `self` or `live` joins `/alive` (and must do no
 * I/O), `ready` joins `/ready`.
 */
export interface HealthCheck {
  /** Unique among the checks of a process. */
  name: string;
  tags: string[];
  /** Milliseconds; default and at most 800. */
  timeoutMs?: number;
  /** What a throw, a timeout or an answer of another shape counts as; default `Unhealthy`. */
  failureStatus?: 'Degraded' | 'Unhealthy';
  /** Called at most once a second. The signal is aborted when the time is over. */
  check(signal: Signal): CheckResult | Promise<CheckResult>;
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
  /** The worst of all checks. */
  status: HealthStatus;
  checks: CheckEntry[];
  /** `hh:mm:ss.fffffff` */
  totalDuration: string;
}

/** `overall` is `/health`, `liveness` `/alive`, `readiness` `/ready`, whatever their configured paths. */
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
 * Writes the body of `/health`, `/alive` and `/ready`; `/health/detail` and `/health/ui` stay as they are, and so does
 * the HTTP status: 200 for Healthy and Degraded, 503 for Unhealthy. A module exports it as `healthResponseWriter` and
 * is named in `Service:Health:Writer`. It answers at once; after a throw or a value of another shape the default
 * writer answers.
 */
export type HealthResponseWriter = (report: HealthReport, context: HealthResponseContext) => HealthResponse;
