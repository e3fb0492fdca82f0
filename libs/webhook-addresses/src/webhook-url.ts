import { withTimeout } from '@canvass/async';
import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy';
import { systemResolver, type Resolver } from './system-resolver';

export type UrlVerdict = { ok: true } | { ok: false; reason: string };

const maxUrlLength = 2048;
const resolveWithinMs = 2_000;
const notReachable = 'must not point to an address that webhooks may not reach';
/** Requires both slashes and a host. The WHATWG parser would silently add slashes and remove line breaks. */
const absoluteUrl = /^https?:\/\/[^/\\]/i;

/**
 * Parses the URL of a webhook endpoint: absolute, http or https, without user info, not port 0, at most 2,048
 * characters. The WHATWG parser converts decimal, octal and hexadecimal IPv4 to dotted form, so the check
 * sees the address that a client connects to.
 */
export function parseWebhookUrl(text: string): { ok: true; url: URL } | { ok: false; reason: string } {
  if (text.length > maxUrlLength) return { ok: false, reason: `must be at most ${maxUrlLength} characters` };
  if (!absoluteUrl.test(text) || /[\t\n\r]/.test(text) || text !== text.trim())
    return { ok: false, reason: 'must be an absolute http or https URL' };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { ok: false, reason: 'must be an absolute http or https URL' };
  }
  if (url.username !== '' || url.password !== '')
    return { ok: false, reason: 'must not contain a user name or password' };
  if (url.port === '0') return { ok: false, reason: 'must not have the port 0' };
  return { ok: true, url };
}

/** The host of a URL as an IP address without brackets, or null for a name. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? null : host;
}

/**
 * Checks the URL of a webhook endpoint before it is saved: its form, scheme and port, and every current
 * address of its host. The reason names no address that a name resolves to: a user who saves settings must
 * not be able to look up names of the inner network.
 *
 * A name that does not resolve within 2 s is accepted: a DNS failure must not prevent saving settings. Every
 * address is checked again at each connect, which is the check that counts. A name that the proxy resolves is
 * not looked up.
 */
export async function checkWebhookUrl(
  text: string,
  policy: AddressPolicy,
  resolver: Resolver = systemResolver,
): Promise<UrlVerdict> {
  const parsed = parseWebhookUrl(text);
  if (!parsed.ok) return parsed;
  const target = policy.checkTarget(parsed.url);
  if (!target.allowed) return { ok: false, reason: target.reason ?? 'refused' };
  const literal = literalAddress(parsed.url);
  if (literal === null && policy.isDelegated(parsed.url.hostname)) return { ok: true };
  for (const address of literal ? [literal] : await resolveOrNone(parsed.url.hostname, resolver)) {
    const verdict = policy.check(address);
    if (verdict.allowed) continue;
    const reason = literal ? `must not point to ${address}: ${verdict.reason ?? 'refused'}` : notReachable;
    return { ok: false, reason };
  }
  return { ok: true };
}

async function resolveOrNone(hostname: string, resolver: Resolver): Promise<string[]> {
  return withTimeout(() => resolver(hostname), resolveWithinMs).catch(() => []);
}
