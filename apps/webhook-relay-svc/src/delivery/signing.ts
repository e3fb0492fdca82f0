import { createHmac } from 'node:crypto';

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
