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

/** How long an answer may wait for its client while others want its connection, in milliseconds. */
const untakenMs = 2_000;

/** One copy of a service and the gateway's connections to it. Time limits are the exchange's (see exchange.ts). */
export class Copy {
  readonly breaker: Breaker;
  /** False from when it is seen to be stopping or not there until it says that it is ready; see rotation.ts. */
  inRotation = true;
  #inFlight = 0;
  #uploads = 0;
  /** By what cuts it off: answers whose clients do not take them now, and since when; the one that waits longest first. */
  readonly #untaken = new Map<() => void, number>();
  #nextLook: NodeJS.Timeout | undefined;
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

  get #half(): number {
    return Math.ceil(this.#connections / 2);
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
      if (this.#uploads > this.#half) throw new ServiceSaturated();
    }
    if (this.queued > this.#connections * waitingPerConnection) throw new ServiceSaturated();
    this.#pool.dispatch(request, handler);
    this.#makeRoom();
  }

  over(outcome: ExchangeOutcome, request: Dispatcher.DispatchOptions): void {
    this.#inFlight -= 1;
    if (isUpload(request)) this.#uploads -= 1;
    this.breaker.record(outcome);
  }

  /** An answer waits until its client takes more of it. `cutOff` ends it. */
  untaken(cutOff: () => void): void {
    this.#untaken.set(cutOff, performance.now());
    this.#makeRoom();
  }

  /** It waits no more. */
  taken(cutOff: () => void): void {
    this.#untaken.delete(cutOff);
  }

  /**
   * While requests wait for a connection, half of the connections at most wait for clients who do not read: past that
   * those who wait longest are cut off.
   */
  #makeRoom(): void {
    for (const [cutOff, since] of this.#untaken) {
      if (this.queued === 0 || this.#untaken.size <= this.#half) return;
      if (performance.now() - since < untakenMs) {
        this.#nextLook ??= setTimeout(() => {
          this.#nextLook = undefined;
          this.#makeRoom();
        }, untakenMs).unref();
        return;
      }
      this.#untaken.delete(cutOff);
      cutOff();
    }
  }

  /** Waits for the requests in flight, then closes the connections. */
  close(): Promise<void> {
    clearTimeout(this.#nextLook);
    return this.#pool.close();
  }
}

const isUpload = ({ body }: Dispatcher.DispatchOptions): boolean => body instanceof Readable;
