import type { HeaderList } from '../edge';
import { connectionTokens, hopByHop } from './hop-by-hop';

/** Tells attackers about versions and nobody else anything. */
const dropped: ReadonlySet<string> = new Set([...hopByHop, 'x-powered-by', 'server']);

/** The headers of a service's answer, names in lower case; repeated ones are lists. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The headers of the answer to the client, as the flat list of names and values that `writeHead` takes fastest. What a
 * service says replaces what the gateway would say (a service knows better), except Vary, which grows; repeated ones
 * (Set-Cookie) stay repeated.
 */
export function answerHeaders(received: ReceivedHeaders, own: HeaderList): string[] {
  const headers: string[] = [];
  const named = connectionTokens(received['connection']?.toString());
  for (const name in received) {
    if (dropped.has(name) || named.has(name)) continue;
    const value = received[name]!;
    if (typeof value === 'string') headers.push(name, value);
    else for (const each of value) headers.push(name, each);
  }
  for (const [name, value] of own) {
    if (received[name] === undefined || name === 'vary') headers.push(name, value);
  }
  return headers;
}
