import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface LimitRules {
  /** Names the limit in keys of Redis. */
  name: string;
  /** Most requests of one client in a window. */
  limit: number;
  windowSeconds: number;
  /** Clients that one process remembers. */
  maxKeys: number;
}

/** The use that a client has made of its limit, after a request. */
export interface QuotaState {
  isAdmitted: boolean;
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** Milliseconds to the end of the window. */
  resetMs: number;
}

/** Counts one request of a client. Never rejects. */
export type CountRequest = (key: string) => Promise<QuotaState>;

/**
 * A fixed window per client. Without `redis` this process counts alone. With it all gateways count together;
 * while Redis does not answer, this process counts alone.
 */
export function createRequestLimiter(rules: LimitRules, redis: Redis | null): CountRequest {
  const { name, limit, windowSeconds, maxKeys } = rules;
  const options = { points: limit, duration: windowSeconds, keyPrefix: `canvass:limit:${name}` };
  const memory = new RateLimiterMemory(options);
  const limiter =
    redis === null
      ? memory
      : new RateLimiterRedis({
          ...options,
          storeClient: redis,
          insuranceLimiter: memory,
          // A refused client costs Redis nothing more in this window.
          inMemoryBlockOnConsumed: limit + 1,
        });
  // The library keeps every client until its window ends; an attacker with many addresses must not fill the
  // memory.
  const recent = new LRUCache<string, true>({
    max: maxKeys,
    noDisposeOnSet: true,
    dispose: (_value, key) => void memory.delete(key),
  });

  return async (key) => {
    recent.set(key, true);
    try {
      return stateOf(await limiter.consume(key), true);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return stateOf(refusal, false);
      throw refusal;
    }
  };

  function stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAdmitted: boolean): QuotaState {
    return { isAdmitted, limit, remaining: remainingPoints, resetMs: msBeforeNext };
  }
}
