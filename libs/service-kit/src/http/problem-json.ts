import { Problem } from '@canvass/errors';
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
  [extra: string]: unknown;
}

export type MapError = (error: unknown) => Problem | null;

/** The one shape of every error. Members of `extra` never replace the standard ones. */
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
  };
}

/** Writes a problem; an answer that has begun can only be broken off, so that no half of it looks whole. */
export function sendProblem(response: ServerResponse, problem: Problem, traceId: string | undefined): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // What a handler had set for its success (ETag, Location, Content-Disposition …) does not belong to a failure.
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
 * What a thrown value means for the client. Unknown errors are `internal_error` and tell nothing of themselves;
 * null means that nobody is there to answer.
 */
export function problemOf(error: unknown, mapError?: MapError): Problem | null {
  if (error instanceof RequestAborted) return null;
  if (error instanceof Problem) return error;
  const mapped = mapError?.(error) ?? null;
  if (mapped !== null) return mapped;
  // Express itself refuses a path that cannot be decoded.
  if (error instanceof URIError || (error as { status?: unknown } | null)?.status === 400) {
    return new Problem('malformed_request', { detail: 'The path cannot be decoded.', cause: error });
  }
  return new Problem('internal_error', { cause: error });
}
