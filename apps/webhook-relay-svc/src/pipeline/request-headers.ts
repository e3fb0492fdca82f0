import { productVersion } from '@canvass/contracts';
import { createHmac } from 'node:crypto';
import type { Claimed, Target } from './leases';

const mask = '********';

/**
 * Headers of one attempt: the specification's four, Standard Webhooks' three, the endpoint's API key, the
 * trace context. Ours win over an API key header of the same name, so that settings cannot forge them.
 *
 * @returns the headers as sent, and as the log shows them: the API key masked
 */
export function requestHeaders(
  message: Claimed,
  { traceparent, body }: { traceparent: string; body: Buffer },
  target: Target,
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
  if (target.apiKey === null) return { sent: own, logged: own };
  const { header, value } = target.apiKey;
  const taken = Object.keys(own).some((name) => name.toLowerCase() === header.toLowerCase());
  if (taken) return { sent: own, logged: own };
  return { sent: { ...own, [header]: value }, logged: { ...own, [header]: mask } };
}

/** Answers are logged; a receiver that echoes the request must not bring its secrets into the log. */
export function maskSecrets(body: Buffer, secrets: readonly string[]): Buffer {
  let text = body.toString('latin1');
  for (const secret of secrets) {
    const inJson = JSON.stringify(secret).slice(1, -1);
    for (const spelling of [secret, inJson]) {
      const bytes = Buffer.from(spelling).toString('latin1');
      if (bytes.length > 0 && text.includes(bytes)) text = text.replaceAll(bytes, mask);
    }
  }
  return Buffer.from(text, 'latin1');
}

/** Headers of a response, masked like its body. */
export const maskedHeaders = (
  headers: Record<string, string>,
  secrets: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      maskSecrets(Buffer.from(value), secrets).toString('utf8'),
    ]),
  );

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
