import type { Authenticator } from '@canvass/auth';
import type { RequestListener } from 'node:http';
import type { HealthRegistry } from '../health';
import type { Endpoint, MapError, ServiceTokenVerifier } from '../http';
import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import type { Tracing } from '../tracing';

/** What `create` is given to put a service together with. */
export interface ServiceContext {
  name: string;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  health: HealthRegistry;
  /** Aborted the moment a stop is asked for: `start` must stop waiting, loops must end. */
  signal: AbortSignal;
}

/** What a service is made of. */
export interface ServiceParts {
  /** Served on the public port. */
  endpoints?: readonly Endpoint[];
  /**
   * Serves the public port in place of `endpoints`, without express: health, the request's log line
   * (`createRequestWatch`) and errors included. The gateway has one.
   */
  handler?: RequestListener;
  /** Served on the internal port; their access is `internal`. */
  internalEndpoints?: readonly Endpoint[];
  authenticator?: Authenticator;
  /** Needed with internal endpoints: `createServiceTokens(secret)` of @canvass/auth. */
  serviceTokens?: ServiceTokenVerifier;
  mapError?: MapError;
  /** Waits for what the service needs (migrations, broker); until it is done business routes answer 503. */
  start?(): Promise<void>;
  /** Closes what was opened, after the last request is answered; also called when `start` failed. */
  stop?(): Promise<void>;
}

/** A process that listens. */
export interface RunningService {
  name: string;
  url: string;
  internalUrl: string;
  port: number;
  internalPort: number;
  /** Resolves when `start` has finished and business routes are served; rejects when it failed. */
  ready: Promise<void>;
  /** Ends gracefully; resolves to false when something had to be cut off after `ShutdownSeconds`. */
  stop(reason?: string): Promise<boolean>;
}
