import { ConnectFault } from '@canvass/webhook-addresses';

/** All outcomes of an attempt, as the log shows them. */
export const outcomes = [
  'success',
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'dns_error',
  'blocked_address',
  'connection_refused',
  'connection_failed',
  'connection_reset',
  'tls_error',
  'timeout',
  'protocol_error',
  'invalid_request',
  'secret_unreadable',
  'proxy_error',
  'token_error',
] as const;

/** The outcome of an attempt; `success` is a 2xx answer and nothing else is. */
export type Outcome = (typeof outcomes)[number];

/** A failure that the sending module already knows the class of; `message` is shown to operators. */
export class SendFault extends Error {
  override readonly name = 'SendFault';
  constructor(
    readonly outcome: Outcome,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Returns whether a failed attempt says nothing of its endpoint: it uses up no step of the schedule. */
export const isOwnFault = (outcome: Outcome): boolean => outcome === 'proxy_error';

export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return 'success';
  if (status >= 500) return 'http_5xx';
  if (status >= 400) return 'http_4xx';
  return 'http_3xx';
}

const outcomeOfCode: Partial<Record<string, Outcome>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  EADDRNOTAVAIL: 'connection_failed',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
};

/** `HPE_` are faults of Node's parser of answers, `ERR_` of what it was given to send. */
function outcomeOfKind(code: string): Outcome {
  if (code.startsWith('HPE_')) return 'protocol_error';
  return code.startsWith('ERR_') ? 'invalid_request' : 'connection_failed';
}

/**
 * Class and words of whatever a send failed with. Happy-eyeballs connects fail with one error per address.
 */
export function faultOf(error: unknown): SendFault {
  if (error instanceof SendFault) return error;
  if (error instanceof ConnectFault) return new SendFault(error.reason, error.message, error);
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors.at(-1));
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  return new SendFault(outcomeOfCode[code] ?? outcomeOfKind(code), message, error);
}
