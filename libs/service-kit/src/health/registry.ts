import { CheckRunner } from './check-runner';
import {
  timeSpan,
  worst,
  type CheckEntry,
  type HealthCheck,
  type HealthReport,
  type HealthResponseWriter,
} from './report';

/** `starting`: the dependencies are not there yet. `draining`: a stop was asked for. Only `serving` can be ready. */
export type ServiceState = 'starting' | 'serving' | 'draining';

const aboutState: Record<ServiceState, string | null> = {
  starting: 'The process is alive and waits for what it needs.',
  serving: null,
  draining: 'The process is alive and is stopping; it finishes what it has begun.',
};

/**
 * The checks of one process and the state of its life. `service-self` is always registered; further checks are
 * registered while the process is composed. A check joins a probe only by its tags.
 */
export class HealthRegistry {
  state: ServiceState = 'serving';
  /** Writes `/health`, `/alive` and `/ready` in the place of the default writer; must not throw. */
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

  /** Only `self` and `live` checks: is the process alive? They do no I/O. */
  liveness(): Promise<HealthReport> {
    return this.#report(({ tags }) => tags.includes('self') || tags.includes('live'));
  }

  /** Only `ready` checks; Unhealthy when there is none, while starting and from the moment a stop is asked for. */
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
      // The checks run side by side, so the whole takes as long as the slowest, also for callers who share a run.
      totalDuration: timeSpan(Math.max(0, ...outcomes.map(({ milliseconds }) => milliseconds))),
    };
  }
}
