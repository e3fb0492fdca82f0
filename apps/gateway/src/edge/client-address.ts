import type { IncomingMessage } from 'node:http';

/**
 * The addresses that trusted proxies report, the client's first. Without such proxies, the peer's address.
 *
 * @param trustedHops reverse proxies in front of the gateway whose X-Forwarded-For entries are trusted
 */
export function forwardedFor(request: IncomingMessage, trustedHops: number): string[] {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return [peer];
  const claimed = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return [...claimed, peer].slice(-(trustedHops + 1));
}
