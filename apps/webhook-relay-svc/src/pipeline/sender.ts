import { createHash } from 'node:crypto';
import http from 'node:http';
import type { Duplex } from 'node:stream';
import {
  createConnector,
  noConnect,
  parseWebhookUrl,
  systemResolver,
  type AddressPolicy,
  type ClientCertificate,
  type Connect,
  type Connecting,
  type Connector,
  type Proxy,
  type Resolver,
} from '@canvass/webhook-addresses';
import { faultOf, outcomeOfStatus, SendFault, type Outcome } from './outcome';
import { receive, type Received } from './receive';
import { createTokens } from './tokens';

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
  retryAfterMs: null,
  ...noConnect,
});

/** The one way out for webhooks. */
export type Sender = ReturnType<typeof createSender>;

export interface SenderOptions {
  policy: AddressPolicy;
  totalTimeoutMs: number;
  resolver?: Resolver | undefined;
  /** Reaches the hosts that it serves; null: all are reached directly. */
  proxy?: Proxy | null;
}

/** Milliseconds that a connection without a request is kept, unless the receiver names a shorter time. */
const keptMs = 4_000;

/** One POST. */
interface Request {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  clientCertificate?: ClientCertificate | null;
}

/**
 * The connections to receivers, kept by host, port and client certificate. They are opened under the address
 * rules only.
 */
class Connections extends http.Agent {
  constructor(
    private readonly open: Connector,
    options: http.AgentOptions,
  ) {
    super(options);
  }

  override getName(options?: http.ClientRequestArgs & { sending?: Connecting }): string {
    const certificate = options?.sending?.clientCertificate;
    if (!certificate) return super.getName(options);
    const digest = createHash('sha256').update(JSON.stringify(certificate)).digest('hex');
    return `${super.getName(options)}:${digest}`;
  }

  override createConnection(
    options: http.ClientRequestArgs & { sending?: Connecting },
    callback: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.open(options.sending!).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, undefined as never),
    );
  }
}

/** Sends through Node's own client, which reads past any 1xx answer, as a client must (RFC 9110, 15.2). */
export function createSender({
  policy,
  totalTimeoutMs,
  resolver = systemResolver,
  proxy = null,
}: SenderOptions) {
  const open = createConnector(policy, { resolver, proxy });
  const kept = { keepAlive: true, timeout: keptMs };
  const connections = {
    'http:': new Connections(open, kept),
    'https:': new Connections(open, kept),
    new: new Connections(open, { keepAlive: false }),
  };

  /**
   * A receiver may close a kept connection at the moment when the next request is on its way. It gets that
   * request once more, on a new connection: the id of the message shows it a repetition. So does a receiver
   * behind a proxy after each reset, because the proxy may have caused it: a second one is charged to the
   * receiver.
   */
  async function exchange(
    sending: Connecting,
    { headers, body }: { headers: Record<string, string>; body: Buffer },
  ): Promise<Received> {
    const { url, signal } = sending;
    const request = (agent: http.Agent) => {
      const options: http.RequestOptions & { sending: Connecting } = {
        sending, // which the agent hands on to `createConnection`
        agent,
        host: url.hostname,
        port: url.port || (url.protocol === 'https:' ? 443 : 80),
        path: url.pathname + url.search,
        method: 'POST',
        headers: { host: url.host, ...headers },
      };
      return http.request(options);
    };
    const first = request(connections[url.protocol as 'http:' | 'https:']);
    try {
      return await receive(first, body, signal);
    } catch (error) {
      const isRepeated = first.reusedSocket || proxy?.serves(url.hostname);
      if (!isRepeated || faultOf(error).outcome !== 'connection_reset' || signal.aborted) throw error;
      return receive(request(connections.new), body, signal);
    }
  }

  /**
   * One POST, through the proxy of the operator if there is one; those of the environment have no effect.
   * Never follows a redirect, never decompresses, and ends within the total deadline over DNS, proxy,
   * connect, TLS, headers and body together. Failures are results; it rejects only when `stop` aborts.
   */
  async function send(
    { url, headers, body, clientCertificate }: Request,
    stop: AbortSignal,
    timeoutMs = totalTimeoutMs,
  ): Promise<SendResult> {
    stop.throwIfAborted();
    const started = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new SendFault('timeout', `no complete answer within ${Math.ceil(timeoutMs)} ms`)),
      timeoutMs,
    );
    // Not AbortSignal.any: on Node 20 it keeps memory for as long as the longest-lived of its signals.
    const stopped = () => deadline.abort(stop.reason);
    stop.addEventListener('abort', stopped, { once: true });
    const { signal } = deadline;
    const connect: Connect = { ...noConnect };
    let sending: Connecting | undefined;
    try {
      const target = parseWebhookUrl(url);
      if (!target.ok) throw new SendFault('invalid_request', `the URL ${target.reason}`);
      const verdict = policy.checkTarget(target.url);
      if (!verdict.allowed) throw new SendFault('blocked_address', `the URL ${verdict.reason}`);
      sending = { url: target.url, connect, signal, clientCertificate };
      const { firstByteAt, ...answer } = await exchange(sending, { headers, body });
      return {
        outcome: outcomeOfStatus(answer.statusCode),
        firstByteMs: firstByteAt - started,
        totalMs: performance.now() - started,
        ...answer,
        ...connect,
      };
    } catch (error) {
      stop.throwIfAborted();
      const { outcome, message } = faultOf((signal.aborted && sending?.silence?.()) || error);
      return { ...noAnswer(outcome, message), ...connect, totalMs: performance.now() - started };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    }
  }

  const close = () => {
    for (const agent of Object.values(connections)) agent.destroy();
  };
  return { send, tokens: createTokens(send), totalTimeoutMs, close };
}
