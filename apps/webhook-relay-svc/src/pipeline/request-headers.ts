import { productVersion } from '@canvass/contracts';
import { createHmac } from 'node:crypto';
import type { SentMessage, Target } from './leases';

const mask = '********';

/**
 * Headers of one attempt: the specification's four, Standard Webhooks' three, the trace context, the
 * endpoint's API key or token, and its further headers. The first of a name wins, so that settings cannot
 * forge ours.
 *
 * @returns the headers as sent, and as the log shows them: those of the settings masked
 */
export function requestHeaders(
  message: SentMessage,
  { traceparent, body }: { traceparent: string; body: Buffer },
  target: Target,
  token: string | null = null,
): Record<'sent' | 'logged', Record<string, string>> {
  const { messageId, claimedAt } = message;
  const own: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': `Canvass/${productVersion}`,
    'X-Service-Event': message.eventName,
    'X-Service-Entity': message.entity,
    'X-Service-Action': message.action,
    'X-Service-Hook-Id': messageId,
    'webhook-id': messageId,
    'webhook-timestamp': String(claimedAt),
    'webhook-signature': sign(target.signingSecrets, messageId, claimedAt, body),
    traceparent,
  };
  const { apiKey, headers } = target;
  const given = [
    ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as const]),
    ...(apiKey ? [[apiKey.header, apiKey.value] as const] : []),
    ...Object.entries(headers),
  ];
  if (given.length === 0) return { sent: own, logged: own };
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const sent = { ...own };
  const logged = { ...own };
  for (const [name, value] of given) {
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    sent[name] = value;
    logged[name] = mask;
  }
  return { sent, logged };
}

/** The texts to hide: each secret as it is, and as it stands in JSON. */
const spellingsOf = (secrets: readonly string[]): string[] =>
  secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]).filter((text) => text !== '');

const masked = (text: string, spellings: readonly string[]): string =>
  spellings.reduce(
    (left, spelling) => (left.includes(spelling) ? left.replaceAll(spelling, mask) : left),
    text,
  );

/** Answers are logged; a receiver that echoes the request must not bring its secrets into the log. */
export function maskSecrets(body: Buffer, secrets: readonly string[]): Buffer {
  const spellings = spellingsOf(secrets).map((text) => Buffer.from(text).toString('latin1'));
  return Buffer.from(masked(body.toString('latin1'), spellings), 'latin1');
}

/** Headers of a response, masked like its body. */
export function maskedHeaders(
  headers: Record<string, string>,
  secrets: readonly string[],
): Record<string, string> {
  const spellings = spellingsOf(secrets);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, masked(value, spellings)]));
}

const prefix = 'whsec_';

/**
 * Value of `webhook-signature`: for each secret `v1,` and the base64 HMAC-SHA256 of
 * `<id>.<timestamp>.<body>`, separated by spaces (Standard Webhooks 1.0, "Signature scheme"). Several secrets
 * are in force only while one rotates.
 *
 * @param timestamp seconds since 1970, as in `webhook-timestamp`
 */
export function sign(secrets: readonly string[], id: string, timestamp: number, body: Buffer): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
    })
    .join(' ');
}
