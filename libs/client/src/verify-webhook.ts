import type { webhooks } from '../dist/api.mjs';

/** The body of a webhook, by its `EventName`. */
export type WebhookMessage = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

export interface ReceivedWebhook {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The raw body: the signature covers its bytes. */
  body: string | Uint8Array;
  /** `whsec_…` of the endpoint. */
  secret: string;
  /** The distance that the time of the attempt may be from the clock; by default 300 s. */
  toleranceSeconds?: number;
}

/** The request does not come from an owner of the secret, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * Returns the message of a webhook after it verified the signature (Standard Webhooks 1.0: HMAC-SHA256 of id,
 * time and body).
 *
 * @throws {WebhookVerificationError} if a header is missing, no signature fits or the time is off
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookMessage> {
  const { body, secret, toleranceSeconds = 300 } = received;
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(received.headers, name),
  ) as [string, string, string];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds))
    throw new WebhookVerificationError('The time of the message is outside of the tolerance.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const signed = concat(new TextEncoder().encode(`${id}.${time}.`), bytes);
  for (const [version, signature = ''] of signatures.split(' ').map((part) => part.split(','))) {
    const sent = version === 'v1' ? fromBase64(signature) : null;
    // `verify` compares in constant time.
    if (sent !== null && (await crypto.subtle.verify('HMAC', key, sent, signed)))
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
  }
  throw new WebhookVerificationError('No signature fits the message.');
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : (headers[name] ?? null);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key === null || key.length === 0) throw new TypeError('The secret must be `whsec_` and base64.');
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
