import { attempt } from '../../attempt';

/**
 * Returns whether one of the signatures of a request was made with a secret (Standard Webhooks 1.0).
 *
 * @param secret `whsec_` and base64
 * @param headers of the request, with names in any case
 */
export async function isSignedBy(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: string,
): Promise<boolean> {
  const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const key = bytesOf(secret.replace(/^whsec_/, ''));
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    own.get(name),
  );
  if (key === null || key.length === 0 || !id || !time || !signatures) return false;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`);
  for (const [version, signature = ''] of signatures.split(' ').map((part) => part.split(','))) {
    const sent = version === 'v1' ? bytesOf(signature) : null;
    if (sent !== null && (await crypto.subtle.verify('HMAC', imported, sent, signed))) return true;
  }
  return false;
}

/** The bytes of a text in base64; null if it is not base64. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null =>
  attempt(() => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
