import type { ServerResponse } from 'node:http';
import { connectionTokens, hopByHop } from './hop-by-hop';

/** Tells attackers about versions and nobody else anything. */
const chatty = new Set(['x-powered-by', 'server']);

/**
 * Copies the headers of a service's answer to the client's. They replace what the gateway had set (a service knows
 * better), except Vary, which grows; repeated ones (Set-Cookie) stay repeated.
 */
export function copyResponseHeaders(
  rawHeaders: readonly (Buffer | string)[],
  response: ServerResponse,
): void {
  const received = new Map<string, { name: string; values: string[] }>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = latin1(rawHeaders[index]!);
    const value = latin1(rawHeaders[index + 1]!);
    const known = received.get(name.toLowerCase());
    if (known === undefined) received.set(name.toLowerCase(), { name, values: [value] });
    else known.values.push(value);
  }
  const named = connectionTokens(received.get('connection')?.values.join(','));
  for (const [lower, { name, values }] of received) {
    if (hopByHop.has(lower) || named.has(lower) || chatty.has(lower)) continue;
    if (lower === 'vary') response.appendHeader(name, values);
    else response.setHeader(name, values.length === 1 ? values[0]! : values);
  }
}

function latin1(bytes: Buffer | string): string {
  return typeof bytes === 'string' ? bytes : bytes.toString('latin1');
}
