import { createServiceTokens } from '@canvass/auth';
import { Pool } from 'undici';
import type { RateLimitSettings } from '../config';

export interface Wish {
  /** SHA-256 of whom the budget is for, base64url without padding. */
  subject: string;
  limit: number;
  want: number;
}

export interface Lease {
  granted: number;
  /** Not lent to any gateway yet. */
  remaining: number;
  msLeft: number;
}

/** Who counts for all gateways together. */
export interface Ledger {
  /** @throws {Error} when there is no answer in time, and at once for a moment after that */
  lend(wish: Wish): Promise<Lease>;
  close(): Promise<void>;
}

export interface LedgerEvents {
  /** Called when an answer failed to come, and with null when one comes again. */
  onAway(error: unknown): void;
  onAsked(outcome: 'lent' | 'failed', wishes: number): void;
}

type Waiting = Wish & { resolve(lease: Lease): void; reject(error: unknown): void };

const path = '/internal/rate-limits/leases';
const mostWishes = 200;
const mostCalls = 4;
/** Wishes that may wait for a call; more find no ledger. */
const mostWaiting = 10_000;
/** Less than identity-svc keeps its idle connections, so that it is the gateway who closes them. */
const keepIdleMs = 3_000;
/** After a failure nobody waits for the next one. */
const sparedMs = 1_000;

/** For gateways that count each for itself. */
export const noLedger: Ledger = {
  lend: () => Promise.reject(new Error('There is no ledger.')),
  close: () => Promise.resolve(),
};

/** The ledger of identity-svc, at its internal address. Wishes of one moment travel together. */
export function createLedger(
  { Url, Secret, TimeoutMs }: Required<RateLimitSettings['Ledger']>,
  windowSeconds: number,
  events: LedgerEvents,
): Ledger {
  const pool = new Pool(new URL(Url).origin, {
    connections: mostCalls,
    pipelining: 1,
    keepAliveTimeout: keepIdleMs,
    keepAliveMaxTimeout: keepIdleMs,
  });
  const tokens = createServiceTokens(Secret);
  let waiting: Waiting[] = [];
  let calls = 0;
  let isAway = false;
  let sparedUntil = 0;

  async function ask(wishes: readonly Waiting[]): Promise<void> {
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path,
        headers: { authorization: `Bearer ${tokens.sign('gateway')}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          windowSeconds,
          wishes: wishes.map(({ subject, limit, want }) => ({ subject, limit, want })),
        }),
        signal: AbortSignal.timeout(TimeoutMs),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      const leases = leasesOf(text);
      for (const { subject, resolve, reject } of wishes) {
        const lease = leases.get(subject);
        if (lease) resolve(lease);
        else reject(new Error('The ledger left out a wish.'));
      }
      if (isAway) events.onAway(null);
      isAway = false;
      events.onAsked('lent', wishes.length);
    } catch (error) {
      // Those that wait for a call go on without one, too: each would wait as long for the same answer.
      for (const { reject } of [...wishes, ...waiting.splice(0)]) reject(error);
      sparedUntil = performance.now() + sparedMs;
      if (!isAway) events.onAway(error);
      isAway = true;
      events.onAsked('failed', wishes.length);
    }
  }

  function flush(): void {
    while (calls < mostCalls && waiting.length > 0) {
      const batch = nextBatch(waiting);
      waiting = waiting.filter((wish) => !batch.has(wish));
      calls += 1;
      void ask([...batch]).then(() => {
        calls -= 1;
        flush();
      });
    }
  }

  return {
    lend: (wish) =>
      new Promise((resolve, reject) => {
        if (performance.now() < sparedUntil || waiting.length >= mostWaiting)
          return reject(new Error('The ledger is not asked for a moment.'));
        waiting.push({ ...wish, resolve, reject });
        if (waiting.length === 1) setImmediate(flush);
      }),
    async close() {
      await pool.destroy();
    },
  };
}

/** The ledger takes a subject once in a call. */
function nextBatch(waiting: readonly Waiting[]): Set<Waiting> {
  const bySubject = new Map<string, Waiting>();
  for (const wish of waiting) {
    if (bySubject.size === mostWishes) break;
    if (!bySubject.has(wish.subject)) bySubject.set(wish.subject, wish);
  }
  return new Set(bySubject.values());
}

function leasesOf(text: string): Map<string, Lease> {
  const { leases } = JSON.parse(text) as { leases: (Lease & { subject: string })[] };
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  if (!leases.every((lease) => isCount(lease.granted) && isCount(lease.remaining) && isCount(lease.msLeft))) {
    throw new Error('The ledger gave no usable answer.');
  }
  return new Map(leases.map((lease) => [lease.subject, lease]));
}
