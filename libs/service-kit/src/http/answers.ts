import type { ServerResponse } from 'node:http';

/** The response that a handler returns. `send-answer.ts` writes it. */
export interface Answer {
  status: number;
  /** Serialised as JSON; undefined means no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The revision (visible ASCII without a quote). It becomes a strong `ETag`. */
  etag?: string;
  /** Writes the body, with back-pressure. Status and headers are already set. */
  stream?: (response: ServerResponse, signal: AbortSignal) => Promise<void>;
}

export interface AnswerOptions {
  etag?: string;
  headers?: Record<string, string>;
}

/** 200 with a body. With `etag`, a GET evaluates `If-None-Match`. */
export const ok = (body: unknown, options: AnswerOptions = {}): Answer => ({ status: 200, body, ...options });

/** 201 with the `Location` and the body of the new resource. */
export const created = (location: string, body: unknown, options: AnswerOptions = {}): Answer => ({
  status: 201,
  body,
  ...options,
  headers: { Location: location, ...options.headers },
});

/** 202: the work continues after the response. `location` is the URL of its progress. */
export const accepted = (body?: unknown, options: AnswerOptions & { location?: string } = {}): Answer => {
  const { location, headers, ...rest } = options;
  return {
    status: 202,
    ...(body === undefined ? {} : { body }),
    ...rest,
    headers: { ...(location === undefined ? {} : { Location: location }), ...headers },
  };
};

/** 204 */
export const noContent = (options: AnswerOptions = {}): Answer => ({ status: 204, ...options });

/** 200 with a body that `stream` writes. `contentType` and the other headers are set before. */
export const streamed = (
  contentType: string,
  stream: NonNullable<Answer['stream']>,
  options: AnswerOptions = {},
): Answer => ({
  status: 200,
  ...options,
  headers: { 'Content-Type': contentType, ...options.headers },
  stream,
});

/** A page with a number, of the lists that have them: data lists and their items. */
export interface Page<T> {
  page: number;
  pageSize: number;
  totalRecords: number;
  totalPages: number;
  items: T[];
}

/** Creates a page. `total` is the exact number of all records. */
export function pageOf<T>(
  items: T[],
  total: number,
  { page, pageSize }: { page: number; pageSize: number },
): Page<T> {
  return { page, pageSize, totalRecords: total, totalPages: Math.ceil(total / pageSize), items };
}
