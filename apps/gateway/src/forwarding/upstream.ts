import { Pool, type Dispatcher } from 'undici';
import type { GatewaySettings } from '../config';
import { Breaker } from './breaker';
import { ServiceSaturated } from './failure';

export type UpstreamOptions = Pick<
  GatewaySettings,
  'MaxConnectionsPerService' | 'ConnectTimeoutMs' | 'Breaker'
>;

/** The gateway's connections to one service. */
export interface Upstream {
  breaker: Breaker;
  /** Requests on their way, and those that wait for a connection. */
  load(): { running: number; queued: number };
  /** Sends a request; what happens to it is told to `handler`, also that it could not be sent. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Waits for the requests in flight, then closes the connections. */
  close(): Promise<void>;
}

/** Requests that may wait for each connection; more are refused at once instead of waiting for a lost cause. */
const waitingPerConnection = 8;

/** A keep-alive pool to one service. Time limits are the exchange's (see exchange.ts), not the pool's. */
export function createUpstream(baseUrl: string, options: UpstreamOptions): Upstream {
  const pool = new Pool(new URL(baseUrl).origin, {
    connections: options.MaxConnectionsPerService,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: options.ConnectTimeoutMs },
  });
  const mostWaiting = options.MaxConnectionsPerService * waitingPerConnection;
  return {
    breaker: new Breaker(options.Breaker),
    load: () => ({ running: pool.stats.running, queued: pool.stats.queued }),
    dispatch(request, handler) {
      if (pool.stats.queued > mostWaiting) throw new ServiceSaturated();
      pool.dispatch(request, handler);
    },
    close: () => pool.close(),
  };
}
