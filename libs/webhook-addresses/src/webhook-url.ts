import dns from 'node:dns';
import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy';

/** All addresses of a host name. Rejects when there is none. */
export type Resolver = (hostname: string) => Promise<string[]>;

export type UrlVerdict = { ok: true } | { ok: false; reason: string };

const longestUrl = 2048;
const resolveWithinMs = 2_000;

const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks DNS without blocking, and the operating system (hosts file, search domains) only for names that DNS does not
 * have. The operating system's resolver alone would be wrong here: it runs on the four threads of libuv, so that a few
 * host names whose servers never answer would hold up every other lookup of the process.
 */
export const systemResolver: Resolver = async (hostname) => {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1']; // RFC 6761, section 6.3
  const resolver = new dns.promises.Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  for (const answer of answers) {
    if (answer.status === 'rejected' && !notInDns.has((answer.reason as NodeJS.ErrnoException).code ?? ''))
      throw answer.reason;
  }
  return (await dns.promises.lookup(hostname, { all: true })).map(({ address }) => address);
};

/**
 * Reads the URL of a webhook endpoint: absolute, http or https, with no user info, at most 2,048 characters.
 * The WHATWG parser turns decimal, octal and hexadecimal spellings of IPv4 into dotted form, so that what is checked
 * here is what a client connects to.
 */
export function parseWebhookUrl(text: string): { ok: true; url: URL } | { ok: false; reason: string } {
  if (text.length > longestUrl) return { ok: false, reason: `must be at most ${longestUrl} characters` };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { ok: false, reason: 'must be an absolute http or https URL' };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { ok: false, reason: 'must be an absolute http or https URL' };
  if (url.username !== '' || url.password !== '')
    return { ok: false, reason: 'must not contain a user name or password' };
  return { ok: true, url };
}

/** The host of a URL as an IP address without brackets, or null for a name. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? null : host;
}

/**
 * Judges the URL of a webhook endpoint before it is saved: its form, and every address its host has now.
 *
 * A name that does not resolve within 2 s passes: it has no address to object to, a DNS fault must not stop the saving of
 * settings, and every address is judged again at each connect, which is the check that counts.
 */
export async function checkWebhookUrl(
  text: string,
  policy: AddressPolicy,
  resolver: Resolver = systemResolver,
): Promise<UrlVerdict> {
  const parsed = parseWebhookUrl(text);
  if (!parsed.ok) return parsed;
  const literal = literalAddress(parsed.url);
  for (const address of literal ? [literal] : await resolveOrNone(parsed.url.hostname, resolver)) {
    const verdict = policy.check(address);
    if (!verdict.allowed)
      return { ok: false, reason: `must not point to ${address}: ${verdict.reason ?? 'refused'}` };
  }
  return { ok: true };
}

async function resolveOrNone(hostname: string, resolver: Resolver): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), resolveWithinMs);
  });
  try {
    return await Promise.race([resolver(hostname), tooLate]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
