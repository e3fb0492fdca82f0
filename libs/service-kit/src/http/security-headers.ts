/**
 * Limits what a browser may do with a response: nothing in it may run or be framed. Without
 * Strict-Transport-Security: only the TLS terminator in front of the gateway knows whether there is TLS. The
 * gateway sends them with every response, and each listener with those to requests that reach no handler.
 */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', "default-src 'none';base-uri 'none';frame-ancestors 'none'"],
  ['cross-origin-opener-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['x-xss-protection', '0'],
];
