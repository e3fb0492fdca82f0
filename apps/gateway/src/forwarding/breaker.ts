import type { Outcome } from './outcome';

export interface BreakerSettings {
  /** Failed requests in a row after which the circuit opens. */
  Failures: number;
  /** Milliseconds for which it stays open. Then one request passes in each such time. */
  OpenMs: number;
}

/** Outcomes that count against a replica. A client that left or a full queue says nothing about it. */
const failures: ReadonlySet<Outcome> = new Set(['not_reached', 'broken', 'timeout']);

/**
 * The circuit breaker of one replica. After many failures in a row the circuit opens: callers get an error at
 * once instead of a timeout, and the replica has time to recover. Any response closes it, also an error of
 * the service.
 */
export class Breaker {
  #failed = 0;
  #openUntil = 0;

  constructor(
    private readonly settings: BreakerSettings,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get isOpen(): boolean {
    return this.#failed >= this.settings.Failures;
  }

  /** Returns whether `admits` would return true now. */
  get wouldAdmit(): boolean {
    return !this.isOpen || this.now() >= this.#openUntil;
  }

  /**
   * Returns whether a request may be sent. While the circuit is open, one passes each `OpenMs` as a probe.
   */
  admits(): boolean {
    if (!this.isOpen) return true;
    if (!this.wouldAdmit) return false;
    this.#openUntil = this.now() + this.settings.OpenMs;
    return true;
  }

  record(outcome: Outcome): void {
    if (outcome === 'answered') this.#failed = 0;
    else if (failures.has(outcome)) {
      this.#failed += 1;
      if (this.#failed === this.settings.Failures) this.#openUntil = this.now() + this.settings.OpenMs;
    }
  }
}
