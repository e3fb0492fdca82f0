import { continueTrace } from '@canvass/service-kit';
import { secretsOf } from '../endpoints';
import { requestBody } from '../event-bytes';
import type { Claimed, Target } from './leases';
import type { Attempt } from './record';
import { maskedHeaders, maskSecrets, requestHeaders } from './request-headers';
import { noAnswer, type Sender } from './sender';

/** The attempt if no configured key opens the endpoint's secrets: logged as a failed attempt and retried. */
export const unreadable: Attempt = {
  url: '',
  headers: {},
  traceparent: null,
  result: noAnswer(
    'secret_unreadable',
    'No key in Service:Encryption:Keys opens the secrets of this endpoint.',
  ),
};

/** Signs and sends one claimed delivery. Rejects only when `signal` aborts. */
export async function attempt(
  sender: Sender,
  delivery: Claimed,
  { stored, ...target }: Target & { stored: Buffer },
  signal: AbortSignal,
): Promise<Attempt> {
  const traceparent = continueTrace(delivery.traceparent ?? undefined);
  const { url } = target;
  const body = requestBody(stored, target, delivery);
  const { sent, logged } = requestHeaders(delivery, { traceparent, body }, target);
  const result = await sender.send({ url, headers: sent, body }, signal);
  const secrets = [...target.signingSecrets, ...secretsOf(target)];
  return {
    url,
    headers: logged,
    traceparent,
    result: {
      ...result,
      responseBody: maskSecrets(result.responseBody, secrets),
      responseHeaders: result.responseHeaders && maskedHeaders(result.responseHeaders, secrets),
    },
  };
}
