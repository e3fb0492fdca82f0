import { continueTrace } from '@canvass/service-kit';
import { secretsOf } from '../endpoints';
import { requestBody } from '../event-bytes';
import type { SentMessage, Target } from './leases';
import { SendFault } from './outcome';
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

/**
 * Signs and sends one message, with a token if the endpoint has OAuth2. A 401 is tried once more
 * with a new token. All of it ends within the time limit of an attempt. Rejects only when `signal` aborts.
 */
export async function attempt(
  sender: Sender,
  delivery: SentMessage,
  { target, stored }: { target: Target; stored: Buffer },
  signal: AbortSignal,
): Promise<Attempt> {
  const traceparent = continueTrace(delivery.traceparent ?? undefined);
  const body = requestBody(stored, target, delivery);
  const { oauth2 } = target;
  const secrets = [...target.signingSecrets, ...secretsOf(target)];
  const send = async (token: string | null, timeoutMs?: number): Promise<Attempt> => {
    const { sent, logged } = requestHeaders(delivery, { traceparent, body }, target, token);
    const { url, clientCertificate } = target;
    const result = await sender.send({ url, headers: sent, body, clientCertificate }, signal, timeoutMs);
    const hidden = token === null ? secrets : [...secrets, token];
    return {
      url,
      headers: logged,
      traceparent,
      result: {
        ...result,
        responseBody: maskSecrets(result.responseBody, hidden),
        responseHeaders: result.responseHeaders && maskedHeaders(result.responseHeaders, hidden),
      },
    };
  };
  if (oauth2 === null) return send(null);

  const endsAt = performance.now() + sender.totalTimeoutMs;
  const left = () => Math.max(1, endsAt - performance.now());
  const wait = () => ({ timeoutMs: left(), stop: signal });
  const endpoint = `${delivery.tenantId}/${delivery.endpointId}`;
  try {
    const token = await sender.tokens.of(endpoint, oauth2, wait());
    const first = await send(token, left());
    if (first.result.statusCode !== unauthorized) return first;
    return await send(await sender.tokens.of(endpoint, oauth2, wait(), token), left());
  } catch (error) {
    if (!(error instanceof SendFault)) throw error;
    const { logged } = requestHeaders(delivery, { traceparent, body }, target);
    return {
      url: target.url,
      headers: logged,
      traceparent,
      result: { ...noAnswer(error.outcome, error.message), totalMs: sender.totalTimeoutMs - left() },
    };
  }
}

const unauthorized = 401;
