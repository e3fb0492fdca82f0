import type { IncomingMessage } from 'node:http';

/** The first of the encodings that the client accepts (RFC 9110, section 12.5.3), else `identity`. */
export function acceptedEncoding<E extends string>(
  { headers }: IncomingMessage,
  encodings: readonly E[],
): E | 'identity' {
  const accepted = new Map(
    String(headers['accept-encoding'] ?? '')
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .map((item) => [item.split(';')[0]!.trim(), !/;\s*q=0(\.0*)?$/.test(item)]),
  );
  return encodings.find((encoding) => accepted.get(encoding) ?? accepted.get('*')) ?? 'identity';
}
