import type { IncomingMessage } from 'node:http';

/**
 * `uri-host [":" port]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2); empty where the target has no
 * authority.
 */
const hostForm = /^(?:\[[0-9A-Za-z:.%_~-]+\]|[A-Za-z0-9\-._~!$&'()*+,;=%]*)(?::\d*)?$/;

/**
 * Returns whether a request names its host as HTTP/1.1 wants it (RFC 9112, section 3.2): once, and well.
 * Older versions need none.
 */
export function hasGoodHost({
  headers: { host },
  httpVersionMinor,
  httpVersionMajor,
  rawHeaders,
}: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMajor < 1 || (httpVersionMajor === 1 && httpVersionMinor === 0);
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1 && hostForm.test(host);
}
