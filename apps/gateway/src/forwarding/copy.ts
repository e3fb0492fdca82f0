import { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import type { GatewaySettings } from '../config';
import { Breaker } from './breaker';
import type { ExchangeOutcome } from './exchange';
import { ServiceSaturated } from './failure';

export type CopySettings = Pick<GatewaySettings, 'MaxConnectionsPerService' | 'ConnectTimeoutMs' | 'Breaker'>;

/** Requests that may wait for each connection; more are refused at once instead of waiting for a lost cause. */
const waitingPerConnection = 8;

/**
 * How long an idle connection is kept, in milliseconds. Less than services keep theirs, and less than they drain for in
 * a deployment, so that it is the gateway who closes it: a request never crosses the close of a service on its way.
 */
const keepIdleMs = 3_000;

/** One copy of a service and the gateway's connections to it. Time limits are the exchange's (see exchange.ts). */
export class Copy {
  readonly breaker: Breaker;
  /** False from when it is seen to be stopping or not there until it says that it is ready; see rotation.ts. */
  inRotation = true;
  #inFlight = 0;
  #uploads = 0;
  readonly #pool: Pool;
  readonly #connections: number;

  constructor(
    readonly origin: string,
    settings: CopySettings,
  ) {
    this.breaker = new Breaker(settings.Breaker);
    this.#connections = settings.MaxConnectionsPerService;
    this.#pool = new Pool(origin, {
      connections: settings.MaxConnectionsPerService,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepIdleMs,
      keepAliveMaxTimeout: keepIdleMs,
      connect: { timeout: settings.ConnectTimeoutMs },
    });
  }

  /** Requests that were dispatched and are not over. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Those of them that wait for a connection. */
  get queued(): number {
    return Math.max(0, this.#inFlight - this.#connections);
  }

  /**
   * Sends a request; what happens to it is told to `handler`, also that it could not be sent. Each call is followed by
   * one of `over`. Bodies that are still being sent by their clients, who may be slow, get half of the connections.
   *
   * @throws {ServiceSaturated}
   */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#inFlight += 1;
    if (isUpload(request)) {
      this.#uploads += 1;
      if (this.#uploads > Math.ceil(this.#connections / 2)) throw new ServiceSaturated();
    }
    if (this.queued > this.#connections * waitingPerConnection) throw new ServiceSaturated();
    this.#pool.dispatch(request, handler);
  }

  over(outcome: ExchangeOutcome, request: Dispatcher.DispatchOptions): void {
    this.#inFlight -= 1;
    if (isUpload(request)) this.#uploads -= 1;
    this.breaker.record(outcome);
  }

  /** Waits for the requests in flight, then closes the connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

const isUpload = ({ body }: Dispatcher.DispatchOptions): boolean => body instanceof Readable;
