import type { Response } from 'express';

/** What a handler answers. Written in one place (`send-answer.ts`), after the handler has returned. */
export interface Answer {
  status: number;
  /** Serialised as JSON; undefined means no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The revision (any visible text without a quote); becomes a strong `ETag`. */
  etag?: string;
  /** Writes the body itself, with back-pressure; the status and headers above are already set. */
  stream?: (response: Response, signal: AbortSignal) => Promise<void>;
}

export interface AnswerOptions {
  etag?: string;
  headers?: Record<string, string>;
}

/** 200 with a body. With `etag`, a GET honours `If-None-Match`. */
export const ok = (body: unknown, options: AnswerOptions = {}): Answer => ({ status: 200, body, ...options });

/** 201 with the place and the new resource. */
export const created = (location: string, body: unknown, options: AnswerOptions = {}): Answer => ({
  status: 201,
  body,
  ...options,
  headers: { Location: location, ...options.headers },
});

/** 202: the work goes on after the answer; `location` tells where its progress is seen. */
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

/** 200 whose body is written by `stream`; `contentType` and further headers are set before. */
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

/** One page of a list in the one shape of every list. */
export interface Page<T> {
  page: number;
  pageSize: number;
  totalRecords: number;
  totalPages: number;
  items: T[];
}

/** `total` is the exact number of all records. */
export function pageOf<T>(
  items: T[],
  total: number,
  { page, pageSize }: { page: number; pageSize: number },
): Page<T> {
  return { page, pageSize, totalRecords: total, totalPages: Math.ceil(total / pageSize), items };
}
