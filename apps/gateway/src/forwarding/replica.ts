import { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import type { GatewaySettings } from '../config';
import { Breaker } from './breaker';
import { ServiceSaturated, type Outcome } from './outcome';

export type ReplicaSettings = Pick<
  GatewaySettings,
  'MaxConnectionsPerService' | 'ConnectTimeoutMs' | 'Breaker'
>;

/** Requests that may wait for each connection. Further requests are refused at once. */
const waitingPerConnection = 8;

/**
 * The time for which an idle connection is kept, in milliseconds. Services keep theirs longer, and drain
 * longer, so that the gateway closes first. A request then never meets a connection that its service is
 * closing.
 */
const keepIdleMs = 3_000;

/** Open event streams of one replica. The service has limits of its own, for tenants and callers. */
const maxStreams = 1_000;

/** The time a response may wait for its client while others need its connection, in milliseconds. */
const maxPauseMs = 2_000;

/** One replica of a service and the gateway's connections to it. `exchange.ts` keeps the time limits. */
export class Replica {
  readonly breaker: Breaker;
  /**
   * False from when the replica stops or cannot be reached until it reports that it is ready. See
   * `upstream.ts`.
   */
  inRotation = true;
  #inFlight = 0;
  #uploads = 0;
  /**
   * Responses that wait for their clients: how to abort each, and since when it waits. The longest wait is
   * first.
   */
  readonly #paused = new Map<() => void, number>();
  #nextCheck: NodeJS.Timeout | undefined;
  readonly #pool: Pool;
  /** Event streams stay open for hours, so they have connections of their own. */
  readonly #streamPool: Pool;
  #streams = 0;
  readonly #connections: number;

  constructor(
    readonly origin: string,
    settings: ReplicaSettings,
  ) {
    this.breaker = new Breaker(settings.Breaker);
    this.#connections = settings.MaxConnectionsPerService;
    const poolOf = (connections: number) =>
      new Pool(origin, {
        connections,
        pipelining: 1,
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: keepIdleMs,
        keepAliveMaxTimeout: keepIdleMs,
        connect: { timeout: settings.ConnectTimeoutMs },
      });
    this.#pool = poolOf(settings.MaxConnectionsPerService);
    this.#streamPool = poolOf(maxStreams);
  }

  get #half(): number {
    return Math.ceil(this.#connections / 2);
  }

  /** Requests that were dispatched and have not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests in flight that wait for a connection. */
  get queued(): number {
    return Math.max(0, this.#inFlight - this.#connections);
  }

  /**
   * Opens an event stream. It does not count among the requests in flight. One call of `releaseStream` must
   * follow each call.
   *
   * @throws {ServiceSaturated}
   */
  dispatchStream(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#streams += 1;
    if (this.#streams > maxStreams || this.#streamPool.destroyed) throw new ServiceSaturated();
    this.#streamPool.dispatch(request, handler);
  }

  /** The stream has ended. */
  releaseStream(outcome: Outcome): void {
    this.#streams -= 1;
    this.breaker.record(outcome);
  }

  /** Breaks all streams. Their clients connect again, and another gateway serves them. */
  async endStreams(): Promise<void> {
    await this.#streamPool.destroy();
  }

  /**
   * Sends a request. `handler` receives the response or the error. One call of `release` must follow each
   * call. Uploads get half of the connections, because their clients may be slow.
   *
   * @throws {ServiceSaturated}
   */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#inFlight += 1;
    if (isUpload(request)) {
      this.#uploads += 1;
      if (this.#uploads > this.#half) throw new ServiceSaturated();
    }
    if (this.queued > this.#connections * waitingPerConnection) throw new ServiceSaturated();
    this.#pool.dispatch(request, handler);
    this.#abortLongestPaused();
  }

  /** The request has ended. */
  release(outcome: Outcome, request: Dispatcher.DispatchOptions): void {
    this.#inFlight -= 1;
    if (isUpload(request)) this.#uploads -= 1;
    this.breaker.record(outcome);
  }

  /** A response is paused until its client reads more. `abort` ends it. */
  pauseForClient(abort: () => void): void {
    this.#paused.set(abort, performance.now());
    this.#abortLongestPaused();
  }

  /** The client reads again, or the response has ended. */
  resume(abort: () => void): void {
    this.#paused.delete(abort);
  }

  /**
   * While requests wait for a connection, at most half of the connections may be held by responses whose
   * clients do not read. The longest paused ones beyond that are aborted.
   */
  #abortLongestPaused(): void {
    for (const [abort, since] of this.#paused) {
      if (this.queued === 0 || this.#paused.size <= this.#half) return;
      if (performance.now() - since < maxPauseMs) {
        this.#nextCheck ??= setTimeout(() => {
          this.#nextCheck = undefined;
          this.#abortLongestPaused();
        }, maxPauseMs).unref();
        return;
      }
      this.#paused.delete(abort);
      abort();
    }
  }

  /** Waits for the requests in flight, then closes the connections. */
  async close(): Promise<void> {
    clearTimeout(this.#nextCheck);
    await Promise.all([this.#pool.close(), this.endStreams()]);
  }
}

const isUpload = ({ body }: Dispatcher.DispatchOptions): boolean => body instanceof Readable;
