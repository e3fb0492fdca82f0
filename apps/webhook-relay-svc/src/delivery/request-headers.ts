import { sign } from './signing';
import { userAgent } from './user-agent';
import type { OutgoingMessage, Target } from './claim';

const mask = '********';

export interface RequestHeaders {
  /** As sent. */
  sent: Record<string, string>;
  /** As the log shows them: the API key masked. */
  logged: Record<string, string>;
}

/**
 * Headers of one attempt: the specification's four, Standard Webhooks' three, the endpoint's API key, the
 * trace context. Ours win over an API key header of the same name, so that settings cannot forge them.
 *
 * @param timestamp seconds since 1970 of this attempt
 */
export function requestHeaders(
  message: OutgoingMessage & { traceparent: string },
  target: Target,
  timestamp: number,
): RequestHeaders {
  const own: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Service-Event': message.eventName,
    'X-Service-Entity': message.entity,
    'X-Service-Action': message.action,
    'X-Service-Hook-Id': message.id,
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(target.signingSecrets, message.id, timestamp, message.body),
    traceparent: message.traceparent,
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
