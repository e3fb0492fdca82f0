import { Problem, type ErrorCode } from '@canvass/errors';
import { types } from 'node:util';
import { DatabaseError } from 'pg';

/** The SQLSTATE of an error that Postgres reported, or undefined. See Appendix A of its manual. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** The input contains a value that Postgres cannot store. Validation should have rejected it earlier. */
const badInput: Record<string, string> = {
  '22001': 'A text is longer than its field allows.',
  '22003': 'A number is outside the range of its field.',
  '22007': 'A date or time cannot be parsed.',
  '22008': 'A date or time is outside the range of its field.',
  '22021': 'A text contains a character that cannot be stored.',
  '22P02': 'A value does not have the form of its field.',
  '22P05': 'A text contains a character that cannot be stored.',
  '23502': 'A required value is missing.',
  '23514': 'A value is not allowed for its field.',
  '54000': 'A value is larger than its field allows.',
  '54001': 'A value is nested too deeply.',
};

/**
 * Postgres is temporarily unavailable: restarting, out of connections or disk, a standby, timed out,
 * deadlocked.
 */
const unavailable = /^(08|28|53|57P|58)|^(25006|25P03|25P04|3D000|3F000|40001|40P01|57014|XX000)$/;

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // for a Unix socket
]);

/** Errors of pg that have neither a code nor a class. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end|Query read timeout|The server closed the connection)/;

/** The session is on a standby, for example on a former primary, which accepts no writes. */
export class ReadOnlyServer extends Error {
  override readonly message = 'The server is read-only.';
}

/** Returns whether the connection to Postgres failed or broke, as seen by the client. */
export function connectionFault(error: unknown): boolean {
  if (!types.isNativeError(error) || error instanceof DatabaseError) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && networkCodes.has(code)) return code !== 'ENOENT' || syscall === 'connect';
  return connectionMessages.test(error.message);
}

/**
 * Creates the `mapError` of a service. It turns a Postgres error into a Problem, or returns null if neither a
 * client nor an outage can cause it. `constraints` maps the name of each constraint that a request can
 * violate to its Problem.
 */
export function problemFromPostgres(
  constraints: Record<string, () => Problem>,
): (error: unknown) => Problem | null {
  const problemOf = new Map(Object.entries(constraints));
  return (error) => {
    if (connectionFault(error)) return outage(error);
    if (!(error instanceof DatabaseError) || error.code === undefined) return null;
    const mapped = problemOf.get(violatedConstraint(error) ?? '');
    if (mapped) return mapped();
    if (error.code === '55P03') return locked(error);
    if (unavailable.test(error.code)) return outage(error);
    const detail = badInput[error.code];
    if (detail !== undefined) return problem('validation_failed', error, detail);
    if (error.code.startsWith('23')) return problem('conflict', error);
    return null;
  };
}

/**
 * Name of the violated constraint or unique index, if the error names one. On a partitioned table Postgres
 * names the one of the partition, which has a suffix (see `partitionByTenant`).
 */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.constraint?.replace(/_p\d+$/, '') : undefined;
}

/** A statement waited too long for a row that another request holds. */
function locked(cause: unknown): Problem {
  return new Problem('service_unavailable', {
    detail: 'Another request changes the same data. Repeat this one.',
    headers: { 'Retry-After': '2' },
    cause,
  });
}

function outage(cause: unknown): Problem {
  return new Problem('service_unavailable', {
    detail: 'The database is temporarily unavailable.',
    headers: { 'Retry-After': '5' },
    cause,
  });
}

function problem(code: ErrorCode, cause: unknown, detail?: string): Problem {
  return new Problem(code, { cause, ...(detail === undefined ? {} : { detail }) });
}
