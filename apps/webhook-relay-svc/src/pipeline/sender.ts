import type { AddressPolicy, Resolver } from '@canvass/webhook-addresses';
import { parseWebhookUrl, systemResolver } from '@canvass/webhook-addresses';
import { Agent } from 'undici';
import { connectContext, createConnector, type ConnectContext } from './connector';
import { faultOf, outcomeOfStatus, SendFault, type Outcome } from './outcome';
import { receiveInto } from './receive';

interface SendRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * How one attempt went. Times are milliseconds; `null` where the phase did not happen or a kept connection
 * was used.
 */
export interface SendResult {
  outcome: Outcome;
  statusCode: number | null;
  /** Words for people; null when there was a complete answer. */
  error: string | null;
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  totalMs: number;
  /** The first 16 KiB. */
  responseBody: Buffer;
  responseTruncated: boolean;
  /** Headers `retry-after` and `date` of the answer. */
  retryAfter: string | undefined;
  date: string | undefined;
}

/** The one way out for webhooks. */
export interface Sender {
  /**
   * One POST. Never follows a redirect, never uses a proxy, never decompresses, and ends within the total
   * deadline over DNS, connect, TLS, headers and body together. Failures are results; it rejects only when
   * `signal` aborts.
   */
  send(request: SendRequest, signal: AbortSignal): Promise<SendResult>;
  close(): Promise<void>;
}

export interface SenderOptions {
  policy: AddressPolicy;
  totalTimeoutMs: number;
  resolver?: Resolver;
}

/** Sends through undici, one pool of kept connections per origin. */
export function createSender({ policy, totalTimeoutMs, resolver = systemResolver }: SenderOptions): Sender {
  const agent = new Agent({
    connect: createConnector(policy, resolver),
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    // The total deadline stands for both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function send(request: SendRequest, stop: AbortSignal): Promise<SendResult> {
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
    const context: ConnectContext = {
      signal,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      remoteAddress: null,
    };
    try {
      const target = parseWebhookUrl(request.url);
      if (!target.ok) throw new SendFault('invalid_request', `the URL ${target.reason}`);
      const verdict = policy.checkTarget(target.url);
      if (!verdict.allowed) throw new SendFault('blocked_address', `the URL ${verdict.reason}`);
      const { origin, pathname, search } = target.url;
      const received = await connectContext.run(context, () =>
        receiveInto(signal, (handler) =>
          agent.dispatch(
            {
              origin,
              path: pathname + search,
              method: 'POST',
              headers: request.headers,
              body: request.body,
            },
            handler,
          ),
        ),
      );
      const { dnsMs, connectMs, tlsMs, remoteAddress } = context;
      const { firstByteAt, ...answer } = received;
      return {
        ...answer,
        outcome: outcomeOfStatus(answer.statusCode),
        dnsMs,
        connectMs,
        tlsMs,
        remoteAddress,
        firstByteMs: firstByteAt - started,
        totalMs: performance.now() - started,
      };
    } catch (error) {
      stop.throwIfAborted();
      const fault = faultOf(error);
      return {
        outcome: fault.outcome,
        statusCode: null,
        error: fault.message,
        dnsMs: context.dnsMs,
        connectMs: context.connectMs,
        tlsMs: context.tlsMs,
        remoteAddress: context.remoteAddress,
        firstByteMs: null,
        totalMs: performance.now() - started,
        responseBody: Buffer.alloc(0),
        responseTruncated: false,
        retryAfter: undefined,
        date: undefined,
      };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    }
  }

  return { send, close: () => agent.destroy() };
}
