import type { Authenticator } from '@canvass/auth';
import type { RequestListener } from 'node:http';
import type { HealthRegistry } from '../health';
import type { Endpoint, MapError, ServiceTokenVerifier } from '../http';
import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import type { Tracing } from '../tracing';

/** The context that `create` receives. */
export interface ServiceContext {
  name: string;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  health: HealthRegistry;
  /** Aborted when the shutdown starts: `start` must stop waiting, and loops must end. */
  signal: AbortSignal;
}

/** The parts of a service, returned by `create`. */
export interface ServiceParts {
  /** Served on the public port. */
  endpoints?: readonly Endpoint[];
  /**
   * Serves the public port in place of `endpoints`: health, the request's log line (`createRequestWatch`) and
   * errors included. The gateway has one.
   */
  handler?: RequestListener;
  /** Most connections of one address on the public port; 0 (the default): no limit. */
  connectionsPerAddress?: number;
  /** Served on the internal port. Their access is `internal`. */
  internalEndpoints?: readonly Endpoint[];
  authenticator?: Authenticator;
  /** Needed with internal endpoints: `createServiceTokens(secret)` of @canvass/auth. */
  serviceTokens?: ServiceTokenVerifier;
  mapError?: MapError;
  /** Waits for the dependencies (migrations, broker). Until it resolves, business routes respond with 503. */
  start?(): Promise<void>;
  /** Closes connections, after the last response; also called if `start` failed. */
  stop?(): Promise<void>;
}

/** A running service. */
export interface RunningService {
  name: string;
  url: string;
  internalUrl: string;
  port: number;
  internalPort: number;
  /** Resolves when `start` has finished and business routes are served; rejects if it failed. */
  ready: Promise<void>;
  /** Stops gracefully. Resolves to false if requests were cut off after `ShutdownSeconds`. */
  stop(reason?: string): Promise<boolean>;
}
