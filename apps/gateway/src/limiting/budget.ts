import type { Ledger } from './ledger';

export interface BudgetRules {
  /** Requests in one window. */
  limit: number;
  windowMs: number;
  /** What this gateway lets through in a window while nobody counts for all of them. */
  localLimit: number;
}

/** How somebody stands after a request. */
export interface Standing {
  isAdmitted: boolean;
  limit: number;
  /** Requests left in this window as far as this gateway knows; what others have borrowed counts as spent. */
  remaining: number;
  /** Milliseconds to the end of the window. */
  resetMs: number;
}

/**
 * What one client may still do in its window. Spends from leases of the ledger, which lends no more than the limit to
 * all gateways together: small ones first, each twice the one before, the next asked for before the last is spent. A
 * lease ends with its window, here a little earlier than at the ledger, never later. Without the ledger this gateway
 * keeps to its own share until the window ends.
 */
export class Budget {
  #left = 0;
  #notLent = 0;
  #spent = 0;
  #endsAt = 0;
  #lastLease = 0;
  #want: number;
  #renewal: Promise<void> | undefined;

  constructor(
    private readonly subject: string,
    private readonly rules: BudgetRules,
    private readonly ledger: Ledger,
  ) {
    this.#want = this.#firstWant();
  }

  /** Spends one request, or says that there is none left. Answers at once but for the first of a window and the last ones. */
  take(): Standing | Promise<Standing> {
    const now = performance.now();
    if (now >= this.#endsAt) return this.#takeFromNext();
    if (this.#left === 0) return this.#notLent === 0 ? this.#standing(false, now) : this.#takeFromNext();
    this.#left -= 1;
    this.#spent += 1;
    if (this.#notLent > 0 && this.#left * 4 < this.#lastLease) this.#renewal ??= this.#renew();
    return this.#standing(true, now);
  }

  /** Waits for a lease; of several who wait some may find it spent again, and wait for the next. */
  async #takeFromNext(): Promise<Standing> {
    await (this.#renewal ??= this.#renew());
    return this.take();
  }

  /** Never fails: without an answer the local limit holds. */
  async #renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      if (askedAt >= this.#endsAt) this.#want = this.#firstWant();
      const { limit, windowMs } = this.rules;
      const lease = await this.ledger.lend({ subject: this.subject, limit, want: this.#want });
      this.#want = Math.min(this.#want * 2, limit);
      // The ledger began its time after we asked.
      this.#borrow(lease.granted, lease.remaining, askedAt + Math.min(lease.msLeft, windowMs));
    } catch {
      this.#goOnAlone();
    } finally {
      this.#renewal = undefined;
    }
  }

  #borrow(granted: number, notLent: number, endsAt: number): void {
    // Our windows end before the ledger's: while one is open here, a lease is of the same.
    const isSameWindow = performance.now() < this.#endsAt;
    this.#left = isSameWindow ? this.#left + granted : granted;
    if (!isSameWindow) this.#spent = 0;
    this.#endsAt = isSameWindow ? Math.max(this.#endsAt, endsAt) : endsAt;
    this.#notLent = notLent;
    this.#lastLease = granted;
  }

  #goOnAlone(): void {
    const now = performance.now();
    if (now < this.#endsAt && this.#left > 0) return; // asked ahead of time: there is time to ask again
    if (now >= this.#endsAt) {
      this.#spent = 0;
      this.#endsAt = now + this.rules.windowMs;
    }
    this.#left = Math.max(this.rules.localLimit - this.#spent, 0);
    this.#notLent = 0;
  }

  #firstWant(): number {
    return Math.ceil(this.rules.limit / 100);
  }

  #standing(isAdmitted: boolean, now: number): Standing {
    return {
      isAdmitted,
      limit: this.rules.limit,
      remaining: this.#left + this.#notLent,
      resetMs: this.#endsAt - now,
    };
  }
}
