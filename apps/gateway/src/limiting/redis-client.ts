import { Redis } from 'ioredis';
import type { RateLimitSettings } from '../config';

/**
 * A client of Redis or Valkey for the rate limits. It fails fast: a request waits for Redis no longer than
 * `TimeoutMs`, and not at all while there is no connection.
 *
 * @param onState called with an error when the connection is lost, and with null when it is there again
 */
export function createRedisClient(
  { Url, TimeoutMs }: Required<RateLimitSettings['Redis']>,
  onState: (error: Error | null) => void,
): Redis {
  const client = new Redis(Url, {
    commandTimeout: TimeoutMs,
    connectTimeout: TimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  let isConnected: boolean | null = null;
  const report = (connected: boolean, error: Error | null) => {
    if (isConnected === connected) return;
    isConnected = connected;
    onState(error);
  };
  client.on('ready', () => report(true, null));
  client.on('error', (error) => report(false, error));
  client.on('close', () => report(false, new Error('The connection was closed.')));
  return client;
}
