import {
  connectContext,
  createConnector,
  noConnect,
  parseWebhookUrl,
  systemResolver,
  type AddressPolicy,
  type Connect,
  type Resolver,
} from '@canvass/webhook-addresses';
import { Agent } from 'undici';
import { faultOf, outcomeOfStatus, SendFault, type Outcome } from './outcome';
import { receiveInto, type Received } from './receive';

/** The course of one attempt. Times are milliseconds; null where the phase did not happen. */
export interface SendResult extends Connect, Omit<Received, 'statusCode' | 'firstByteAt'> {
  outcome: Outcome;
  statusCode: number | null;
  firstByteMs: number | null;
  totalMs: number;
}

/** The result of an attempt that no answer came to. */
export const noAnswer = (outcome: Outcome, error: string): SendResult => ({
  outcome,
  error,
  statusCode: null,
  firstByteMs: null,
  totalMs: 0,
  responseBody: Buffer.alloc(0),
  responseTruncated: false,
  responseHeaders: null,
  retryAfter: undefined,
  date: undefined,
  ...noConnect,
});

/** The one way out for webhooks. */
export type Sender = ReturnType<typeof createSender>;

export interface SenderOptions {
  policy: AddressPolicy;
  totalTimeoutMs: number;
  resolver?: Resolver | undefined;
}

/** Sends through undici, one pool of kept connections per origin. */
export function createSender({ policy, totalTimeoutMs, resolver = systemResolver }: SenderOptions) {
  const agent = new Agent({
    connect: createConnector(policy, resolver),
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    // The total deadline stands for both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  /**
   * One POST. Never follows a redirect, never uses a proxy, never decompresses, and ends within the total
   * deadline over DNS, connect, TLS, headers and body together. Failures are results; it rejects only when
   * `stop` aborts.
   */
  async function send(
    { url, headers, body }: { url: string; headers: Record<string, string>; body: Buffer },
    stop: AbortSignal,
  ): Promise<SendResult> {
    stop.throwIfAborted();
    const started = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new SendFault('timeout', `no complete answer within ${totalTimeoutMs} ms`)),
      totalTimeoutMs,
    );
    // Not AbortSignal.any: on Node 20 it keeps memory for as long as the longest-lived of its signals.
    const stopped = () => deadline.abort(stop.reason);
    stop.addEventListener('abort', stopped, { once: true });
    const { signal } = deadline;
    const connect: Connect = { ...noConnect };
    try {
      const target = parseWebhookUrl(url);
      if (!target.ok) throw new SendFault('invalid_request', `the URL ${target.reason}`);
      const verdict = policy.checkTarget(target.url);
      if (!verdict.allowed) throw new SendFault('blocked_address', `the URL ${verdict.reason}`);
      const { origin, pathname, search } = target.url;
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
      const { firstByteAt, ...answer } = await connectContext.run({ connect, signal }, () =>
        receiveInto(signal, (handler) => agent.dispatch(request, handler)),
      );
      return {
        outcome: outcomeOfStatus(answer.statusCode),
        firstByteMs: firstByteAt - started,
        totalMs: performance.now() - started,
        ...answer,
        ...connect,
      };
    } catch (error) {
      stop.throwIfAborted();
      const { outcome, message } = faultOf(error);
      return { ...noAnswer(outcome, message), ...connect, totalMs: performance.now() - started };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    }
  }

  return { send, close: () => agent.destroy() };
}
