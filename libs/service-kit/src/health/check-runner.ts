import { TimeoutError, withTimeout } from '@canvass/async';
import { performance } from 'node:perf_hooks';
import { failureDescription, sanitise } from './sanitise';
import { isHealthStatus, type CheckResult, type HealthCheck, type HealthStatus } from './report';

/** Maximum duration of a check in milliseconds. */
const checkDeadlineMs = 800;
/** Callers within this many milliseconds share one run, so that frequent probes do not load a dependency. */
const sharedRunMs = 1000;
/**
 * The time for which no further call starts after one that missed its deadline, so that calls do not pile up.
 */
const abandonedMs = 5000;

export interface CheckOutcome {
  name: string;
  status: HealthStatus;
  description: string | null;
  data: Record<string, unknown>;
  milliseconds: number;
}

/** Runs one check: within its deadline, without throwing, and at most once a second for all callers. */
export class CheckRunner {
  #shared: { startedAt: number; outcome: Promise<CheckOutcome> } | undefined;
  #abandonedAt: number | undefined;
  /** The status and since when the check has it, as this process has seen it. */
  #last: { status: HealthStatus; since: string } | undefined;

  constructor(readonly definition: HealthCheck) {}

  run(): Promise<CheckOutcome> {
    const now = performance.now();
    if (this.#shared === undefined || now - this.#shared.startedAt >= sharedRunMs) {
      this.#shared = { startedAt: now, outcome: this.#call(now) };
    }
    return this.#shared.outcome;
  }

  async #call(startedAt: number): Promise<CheckOutcome> {
    const { name } = this.definition;
    const outcome = (status: HealthStatus, result: CheckResult): CheckOutcome => {
      if (this.#last?.status !== status) this.#last = { status, since: new Date().toISOString() };
      const { description, data } = sanitise(result);
      const milliseconds = performance.now() - startedAt;
      const since = status === 'Healthy' ? {} : { since: this.#last.since };
      return { name, status, description, data: { ...since, ...data }, milliseconds };
    };
    const failure = this.definition.failureStatus ?? 'Unhealthy';
    try {
      const result = await this.#withinDeadline(startedAt);
      if (!isHealthStatus(result?.status)) throw new TypeError('A health check must give a status.');
      if (!isData(result.data)) throw new TypeError('The data of a health check must be an object.');
      return outcome(result.status, result);
    } catch (error) {
      const description =
        error instanceof TimeoutError || error instanceof CheckStillRunning
          ? error.message
          : failureDescription(error);
      return outcome(failure, { status: failure, description });
    }
  }

  async #withinDeadline(startedAt: number): Promise<CheckResult> {
    const deadline = Math.min(this.definition.timeoutMs ?? checkDeadlineMs, checkDeadlineMs);
    if (this.#abandonedAt !== undefined && startedAt - this.#abandonedAt < abandonedMs)
      throw new CheckStillRunning();
    const settled = () => (this.#abandonedAt = undefined);
    return withTimeout(
      (signal) => {
        signal.addEventListener('abort', () => (this.#abandonedAt = startedAt));
        // The async wrapper turns a synchronous throw of the check into a rejection.
        const call = (async () => this.definition.check(signal))();
        call.then(settled, settled);
        return call;
      },
      deadline,
      `The check did not answer within ${deadline} ms.`,
    );
  }
}

const isData = (data: unknown): boolean =>
  data === undefined || (typeof data === 'object' && data !== null && !Array.isArray(data));

class CheckStillRunning extends Error {
  override readonly message = 'An earlier call of the check has not ended yet.';
}
