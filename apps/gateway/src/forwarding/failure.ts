import { Problem } from '@canvass/errors';

/** Nothing was sent: the service did not take the connection. */
const notReached = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke; the service may or may not have done the work. */
const broken = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Raised by the gateway itself when a service stays silent for too long. */
export class ServiceSilent extends Error {
  constructor(readonly afterMs: number) {
    super(`The service was silent for ${afterMs} ms.`);
  }
}

/** Raised by the gateway itself when a client neither sends nor takes anything for too long. */
export class ClientSilent extends Error {
  constructor() {
    super('The client was silent for too long.');
  }
}

/** Raised by the gateway itself when too many requests wait for a service. */
export class ServiceSaturated extends Error {
  constructor() {
    super('Too many requests wait for the service.');
  }
}

/** Raised by the gateway itself when a service has not answered for a while and is not asked. */
export class ServiceSpared extends Error {
  constructor() {
    super('The service is not asked for a moment.');
  }
}

export type FailureReason =
  'not_reached' | 'broken' | 'silent' | 'saturated' | 'spared' | 'client' | 'invalid_answer';

export function reasonOf(error: unknown): FailureReason {
  if (error instanceof ServiceSilent) return 'silent';
  if (error instanceof ServiceSaturated) return 'saturated';
  if (error instanceof ServiceSpared) return 'spared';
  if (error instanceof ClientSilent || error instanceof Problem) return 'client';
  const code = codeOf(error);
  if (notReached.has(code)) return 'not_reached';
  return broken.has(code) ? 'broken' : 'invalid_answer';
}

/** Worth a second try where the method allows it: another connection may do. */
export function isConnectionError(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason === 'not_reached' || reason === 'broken';
}

/** The connection was not taken. */
export const isRefused = (error: unknown): boolean => notReached.has(codeOf(error));

/** What the client is told when a service gave no answer; the service is named, its address and the error are not. */
export function problemOf(error: unknown, service: string): Problem {
  if (error instanceof Problem) return error;
  switch (reasonOf(error)) {
    case 'not_reached':
      return new Problem('service_unavailable', {
        detail: `The service ${service} cannot be reached. The request was not processed.`,
        headers: { 'Retry-After': '2' },
        cause: error,
      });
    case 'saturated':
      return new Problem('service_unavailable', {
        detail: `The service ${service} has more requests than it can take. The request was not processed.`,
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    case 'spared':
      return new Problem('service_unavailable', {
        detail: `The service ${service} has not answered for a while and is not asked. The request was not processed.`,
        headers: { 'Retry-After': '1' },
      });
    case 'silent':
      return new Problem('gateway_timeout', {
        detail: `The service ${service} did not answer in time. The request may have been processed.`,
        cause: error,
      });
    case 'client':
      return new Problem('request_timeout', { detail: 'The body did not arrive in time.', cause: error });
    default:
      return new Problem('bad_gateway', {
        detail: `The service ${service} ended the connection or gave no usable answer. The request may have been processed.`,
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
