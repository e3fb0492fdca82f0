import type { ExchangeOutcome } from './exchange';

export interface BreakerSettings {
  /** Requests in a row that got no answer before the service is spared. */
  Failures: number;
  /** How long it is spared, in milliseconds; then one request is let through in each such time. */
  OpenMs: number;
}

/** Outcomes that say something of the service; a client that left or a queue that is full say nothing. */
const failures: ReadonlySet<ExchangeOutcome> = new Set(['not_reached', 'broken', 'silent']);

/**
 * The circuit breaker of one copy of a service. One that gives no answer many times in a row is not asked for a moment:
 * callers learn it at once instead of waiting for a time-out each, and it gets room to come back. Any
 * answer, also an error of the service's own, closes it.
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

  /** Whether `admits` would say yes now. */
  get wouldAdmit(): boolean {
    return !this.isOpen || this.now() >= this.#openUntil;
  }

  /** Whether a request may be sent now. While open, one is let through each `OpenMs`, to see whether the service is back. */
  admits(): boolean {
    if (!this.isOpen) return true;
    if (!this.wouldAdmit) return false;
    this.#openUntil = this.now() + this.settings.OpenMs;
    return true;
  }

  record(outcome: ExchangeOutcome): void {
    if (outcome === 'answered') this.#failed = 0;
    else if (failures.has(outcome)) {
      this.#failed += 1;
      if (this.#failed === this.settings.Failures) this.#openUntil = this.now() + this.settings.OpenMs;
    }
  }
}
