import { Problem } from '@canvass/errors';
import { RequestAborted } from '@canvass/service-kit';

/** The end of a forwarded request. `answered`: the whole response was passed on, whatever its status. */
export type Outcome =
  | 'answered'
  | 'not_reached'
  | 'broken'
  | 'timeout'
  | 'saturated'
  | 'circuit_open'
  | 'client'
  | 'client_gone'
  | 'invalid_answer';

/** The service did not accept the connection, so nothing was sent. */
const notReached = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke. The service may have processed the request. */
const broken = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The service sent nothing within the time limit. */
export class UpstreamTimeout extends Error {
  constructor(readonly afterMs: number) {
    super(`The service sent nothing for ${afterMs} ms.`);
  }
}

/** The client neither sent nor read anything within the time limit. */
export class ClientTimeout extends Error {
  constructor() {
    super('The client was idle for too long.');
  }
}

/** Too many requests wait for the service. */
export class ServiceSaturated extends Error {
  constructor() {
    super('Too many requests wait for the service.');
  }
}

/** The circuits of all replicas of the service are open. */
export class CircuitOpen extends Error {
  constructor() {
    super('The circuit of the service is open.');
  }
}

/** Returns how a request ended that failed with `error`. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof RequestAborted) return 'client_gone';
  if (error instanceof UpstreamTimeout) return 'timeout';
  if (error instanceof ServiceSaturated) return 'saturated';
  if (error instanceof CircuitOpen) return 'circuit_open';
  if (error instanceof ClientTimeout || error instanceof Problem) return 'client';
  const code = codeOf(error);
  if (notReached.has(code)) return 'not_reached';
  return broken.has(code) ? 'broken' : 'invalid_answer';
}

/** Returns whether another connection may succeed. */
export function isConnectionError(error: unknown): boolean {
  const outcome = outcomeOf(error);
  return outcome === 'not_reached' || outcome === 'broken';
}

/** Returns whether the connection was not accepted. */
export const isRefused = (error: unknown): boolean => notReached.has(codeOf(error));

/** The problem that the client gets. It names the service, and neither its address nor the error. */
export function problemFor(error: unknown, service: string): Problem {
  if (error instanceof Problem) return error;
  switch (outcomeOf(error)) {
    case 'not_reached':
      return new Problem('service_unavailable', {
        detail: `The service ${service} cannot be reached. The request was not processed.`,
        headers: { 'Retry-After': '2' },
        cause: error,
      });
    case 'saturated':
      return new Problem('service_unavailable', {
        detail: `The service ${service} is overloaded. The request was not processed.`,
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    case 'circuit_open':
      return new Problem('service_unavailable', {
        detail: `The service ${service} is temporarily unavailable (circuit open). The request was not processed.`,
        headers: { 'Retry-After': '1' },
      });
    case 'timeout':
      return new Problem('gateway_timeout', {
        detail: `The service ${service} did not answer in time. The request may have been processed.`,
        cause: error,
      });
    case 'client':
      return new Problem('request_timeout', { detail: 'The body did not arrive in time.', cause: error });
    default:
      return new Problem('bad_gateway', {
        detail: `The service ${service} closed the connection or sent an invalid response. The request may have been processed.`,
        headers: { 'Retry-After': '2' },
        cause: error,
      });
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  // Node reports several refused addresses of one name as an AggregateError.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return cause instanceof Error ? codeOf(cause) : '';
}
