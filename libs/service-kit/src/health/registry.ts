import { CheckRunner } from './check-runner';
import {
  timeSpan,
  worst,
  type CheckEntry,
  type HealthCheck,
  type HealthReport,
  type HealthResponseWriter,
} from './report';

/** `starting`: waiting for dependencies. `draining`: stopping. Only `serving` can be ready. */
export type ServiceState = 'starting' | 'serving' | 'draining';

const aboutState: Record<ServiceState, string | null> = {
  starting: 'The process works and waits for its dependencies.',
  serving: null,
  draining: 'The process is stopping and completes the requests in progress.',
};

/**
 * The health checks and the state of one process. `service-self` is always registered. A service registers
 * its other checks when it is created. The tags of a check decide which probes include it.
 */
export class HealthRegistry {
  state: ServiceState = 'serving';
  /** Replaces the default writer of `/health`, `/alive` and `/ready`; must not throw. */
  writer: HealthResponseWriter | undefined;
  readonly #runners = new Map<string, CheckRunner>();

  constructor() {
    this.register({
      name: 'service-self',
      tags: ['self'],
      check: () => Promise.resolve({ status: 'Healthy', description: aboutState[this.state] }),
    });
  }

  /** Adds a check. Its name must be unique in the report. */
  register(check: HealthCheck): void {
    if (this.#runners.has(check.name))
      throw new Error(`There is already a health check named ${check.name}.`);
    this.#runners.set(check.name, new CheckRunner(check));
  }

  get checks(): HealthCheck[] {
    return [...this.#runners.values()].map((runner) => runner.definition);
  }

  /** All checks: `/health`, its report and its page. */
  overall(): Promise<HealthReport> {
    return this.#report(() => true);
  }

  /** Runs only checks with the tag `self` or `live`. They do no I/O. */
  liveness(): Promise<HealthReport> {
    return this.#report(({ tags }) => tags.includes('self') || tags.includes('live'));
  }

  /** Runs only checks with the tag `ready`. Unhealthy without one, while starting and while draining. */
  async readiness(): Promise<HealthReport> {
    if (this.state !== 'serving') return { status: 'Unhealthy', checks: [], totalDuration: timeSpan(0) };
    const report = await this.#report(({ tags }) => tags.includes('ready'));
    const serving = (this.state as ServiceState) === 'serving';
    return report.checks.length === 0 || !serving ? { ...report, status: 'Unhealthy' } : report;
  }

  async #report(joins: (check: HealthCheck) => boolean): Promise<HealthReport> {
    const runners = [...this.#runners.values()].filter((runner) => joins(runner.definition));
    const outcomes = await Promise.all(runners.map((runner) => runner.run()));
    const checks: CheckEntry[] = outcomes.map(({ milliseconds, ...entry }) => ({
      ...entry,
      duration: timeSpan(milliseconds),
    }));
    return {
      status: worst(checks.map(({ status }) => status)),
      checks,
      // The checks run in parallel, so the total is the duration of the slowest.
      totalDuration: timeSpan(Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds))),
    };
  }
}
