import { continueTrace } from '@canvass/service-kit';
import type { Claimed, Target } from './claim';
import type { Attempt } from './record';
import { maskSecrets, requestHeaders } from './request-headers';
import type { Sender, SendResult } from './sender';

const notSent: Omit<SendResult, 'outcome' | 'error'> = {
  statusCode: null,
  remoteAddress: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  totalMs: 0,
  responseBody: Buffer.alloc(0),
  responseTruncated: false,
  retryAfter: undefined,
  date: undefined,
};

/**
 * No configured key opens the endpoint's secrets: an attempt that failed, so that it is seen and tried again.
 */
export const unreadable: Attempt = {
  url: '',
  headers: {},
  traceparent: null,
  result: {
    ...notSent,
    outcome: 'secret_unreadable',
    error: 'No key in Service:Encryption:Keys opens the secrets of this endpoint.',
  },
};

/** Signs and sends one claimed delivery. Rejects only when `signal` aborts. */
export async function attempt(
  sender: Sender,
  delivery: Claimed,
  target: Target,
  signal: AbortSignal,
): Promise<Attempt> {
  const { message } = delivery;
  const traceparent = continueTrace(message.traceparent ?? undefined);
  const { sent, logged } = requestHeaders({ ...message, traceparent }, target, delivery.claimedAt);
  const { url } = target;
  const result = await sender.send({ url, headers: sent, body: message.body }, signal);
  const secrets = [...target.signingSecrets, ...(target.apiKey ? [target.apiKey.value] : [])];
  return {
    url,
    headers: logged,
    traceparent,
    result: { ...result, responseBody: maskSecrets(result.responseBody, secrets) },
  };
}
