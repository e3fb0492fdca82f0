import { Problem, type ErrorCode } from '@canvass/errors';
import { types } from 'node:util';
import { DatabaseError } from 'pg';

/** SQLSTATE of an error that Postgres reported, else undefined. Appendix A of the Postgres manual lists them. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** The input holds something Postgres cannot store; checks at the edge should have met it before. */
const badInput: Record<string, string> = {
  '22001': 'A text is longer than its field allows.',
  '22003': 'A number is outside the range of its field.',
  '22007': 'A date or time cannot be read.',
  '22008': 'A date or time is outside the range of its field.',
  '22021': 'A text holds a character that cannot be stored.',
  '22P02': 'A value does not have the form its field needs.',
  '22P05': 'A text holds a character that cannot be stored.',
  '23502': 'A required value is missing.',
  '23514': 'A value is outside what its field allows.',
  '54000': 'A value is larger than its field allows.',
  '54001': 'A value is nested too deeply.',
};

/** Postgres is there but cannot do it now: restarting, out of connections or disk, a standby, timed out, deadlocked. */
const unavailable = /^(08|28|53|57P|58)|^(25006|25P03|25P04|3D000|3F000|40001|40P01|55P03|57014|XX000)$/;

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // of a Unix socket
]);

/** pg has neither codes nor classes for these. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end|Query read timeout|The server closed the connection)/;

/** Whether the connection to Postgres could not be made or broke, seen from this side of the wire. */
export function connectionFault(error: unknown): boolean {
  if (!types.isNativeError(error) || error instanceof DatabaseError) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && networkCodes.has(code)) return code !== 'ENOENT' || syscall === 'connect';
  return connectionMessages.test(error.message);
}

/**
 * Makes the `mapError` of a service: turns an error of Postgres into a Problem, or null if it is not one that a client
 * or an outage can cause. `constraints` gives the Problem of each constraint that a request may break, by name.
 */
export function problemFromPostgres(
  constraints: Record<string, () => Problem>,
): (error: unknown) => Problem | null {
  const problemOf = new Map(Object.entries(constraints));
  return (error) => {
    if (connectionFault(error)) return outage(error);
    if (!(error instanceof DatabaseError) || error.code === undefined) return null;
    const mapped = error.constraint === undefined ? undefined : problemOf.get(error.constraint);
    if (mapped) return mapped();
    if (unavailable.test(error.code)) return outage(error);
    const detail = badInput[error.code];
    if (detail !== undefined) return problem('validation_failed', error, detail);
    if (error.code.startsWith('23')) return problem('conflict', error);
    return null;
  };
}

function outage(cause: unknown): Problem {
  return new Problem('service_unavailable', {
    detail: 'The database does not answer at the moment.',
    headers: { 'Retry-After': '5' },
    cause,
  });
}

function problem(code: ErrorCode, cause: unknown, detail?: string): Problem {
  return new Problem(code, { cause, ...(detail === undefined ? {} : { detail }) });
}
