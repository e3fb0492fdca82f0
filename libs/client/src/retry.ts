/** Sends a request, like `fetch`. */
export type Send = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** The number of times a request is sent at most; by default 4. */
  attempts?: number;
  /** Milliseconds before the second attempt; doubled for each further one; by default 250. */
  firstDelayMs?: number;
  /** The longest wait in milliseconds, also for `Retry-After`; by default 30,000. */
  maxDelayMs?: number;
}

const repeatable = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const unavailable = new Set([502, 503, 504]);

/**
 * Repeats what may be sent twice. A response that asks for a longer wait than `maxDelayMs` is returned.
 * The signal of the request ends the wait.
 */
export const withRetries =
  (send: Send, { attempts = 4, firstDelayMs = 250, maxDelayMs = 30_000 }: RetryOptions): Send =>
  async (request) => {
    const mayRepeat = repeatable.has(request.method) || request.headers.has('idempotency-key');
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      const backoffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      try {
        const response = await send(isLast ? request : request.clone());
        const isWorthIt = response.status === 429 || (mayRepeat && unavailable.has(response.status));
        const waitMs = retryAfterMs(response) ?? backoffMs;
        if (isLast || !isWorthIt || waitMs > maxDelayMs) return response;
        await response.body?.cancel();
        await sleep(waitMs, request.signal);
      } catch (error) {
        if (isLast || !mayRepeat || request.signal.aborted) throw error;
        await sleep(backoffMs, request.signal);
      }
    }
  };

/** Milliseconds; null without the header. It has seconds, or an HTTP date (RFC 9110, section 10.2.3). */
function retryAfterMs({ headers }: Response): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
