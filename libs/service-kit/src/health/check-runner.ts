import { TimeoutError, withTimeout } from '@canvass/async';
import { performance } from 'node:perf_hooks';
import { failureDescription, sanitise } from './sanitise';
import { isHealthStatus, type CheckResult, type HealthCheck, type HealthStatus } from './report';

/** The most a check may take, in milliseconds. */
const checkDeadlineMs = 800;
/** Callers within this many milliseconds share one run, so that probes cannot load a dependency. */
const sharedRunMs = 1000;
/** A call that ignored its deadline is not joined by a second one for this long: probes must not pile up work. */
const abandonedMs = 5000;

export interface CheckOutcome {
  name: string;
  status: HealthStatus;
  description: string | null;
  data: Record<string, unknown>;
  milliseconds: number;
}

/** Runs one check: within its deadline, never throwing, and at most once a second however many ask. */
export class CheckRunner {
  #shared: { startedAt: number; outcome: Promise<CheckOutcome> } | undefined;
  #abandonedAt: number | undefined;

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
    const outcome = (status: HealthStatus, result: CheckResult): CheckOutcome => ({
      name,
      status,
      ...sanitise(result),
      milliseconds: performance.now() - startedAt,
    });
    const failure = this.definition.failureStatus ?? 'Unhealthy';
    try {
      const result = await this.#withinDeadline(startedAt);
      if (!isHealthStatus(result?.status)) throw new TypeError('A health check must give a status.');
      if (!isData(result.data)) throw new TypeError('The data of a health check must be an object.');
      return outcome(result.status, result);
    } catch (error) {
      const description =
        error instanceof TimeoutError || error instanceof Busy ? error.message : failureDescription(error);
      return outcome(failure, { status: failure, description });
    }
  }

  async #withinDeadline(startedAt: number): Promise<CheckResult> {
    const deadline = Math.min(this.definition.timeoutMs ?? checkDeadlineMs, checkDeadlineMs);
    if (this.#abandonedAt !== undefined && startedAt - this.#abandonedAt < abandonedMs) throw new Busy();
    const settled = () => (this.#abandonedAt = undefined);
    return withTimeout(
      (signal) => {
        signal.addEventListener('abort', () => (this.#abandonedAt = startedAt));
        // Wrapped, so that a check which throws at once is a rejection like any other.
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

class Busy extends Error {
  override readonly message = 'An earlier call of the check has not ended yet.';
}
