import { Problem, type Violation } from '@canvass/errors';
import type { ServerResponse } from 'node:http';
import { RequestAborted } from './body';

/** The members of a problem document (RFC 9457) as every service and the gateway write them. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  traceId: string | null;
  errorCode: string;
  errors?: Record<string, string[]>;
  violations?: readonly Violation[];
  [extra: string]: unknown;
}

export type MapError = (error: unknown) => Problem | null;

/** Creates the body of an error response. Members of `extra` never replace the standard members. */
export function problemDocument(problem: Problem, traceId: string | undefined): ProblemDocument {
  return {
    ...problem.extra,
    type: `urn:canvass:problem:${problem.errorCode}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail ?? problem.title,
    traceId: traceId ?? null,
    errorCode: problem.errorCode,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...(problem.violations === undefined ? {} : { violations: problem.violations }),
  };
}

/**
 * Writes a problem. A response that has started is aborted instead, so that the client sees that it is
 * incomplete.
 */
export function sendProblem(response: ServerResponse, problem: Problem, traceId: string | undefined): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // Headers that the handler set for its success do not belong to an error.
  for (const name of ['etag', 'location', 'content-disposition', 'content-length', 'content-encoding']) {
    response.removeHeader(name);
  }
  response.statusCode = problem.status;
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(problem.headers ?? {})) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.end(JSON.stringify(problemDocument(problem, traceId)));
}

/**
 * Converts a thrown value to a problem. An unknown error becomes `internal_error` without details. Null if
 * the client has disconnected.
 */
export function problemOf(error: unknown, mapError?: MapError): Problem | null {
  if (error instanceof RequestAborted) return null;
  if (error instanceof Problem) return error;
  const mapped = mapError?.(error) ?? null;
  if (mapped !== null) return mapped;
  return new Problem('internal_error', { cause: error });
}
