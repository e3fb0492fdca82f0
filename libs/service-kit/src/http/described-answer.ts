import type Joi from 'joi';

/** One successful answer of an operation, as documents and tests see it. */
export interface DescribedAnswer {
  /** One sentence: what the caller gets. */
  description: string;
  /** Schema of the JSON body; none for an answer without one, or for one that is not JSON. */
  body?: Joi.Schema;
  /** Other media types of the body (`text/csv`), each with what the text holds, in words or as a schema. */
  content?: Readonly<Record<string, string | Joi.Schema>>;
  /** Headers beyond those every answer has (`ETag` and `Location` are said here), each with what it holds. */
  headers?: Readonly<Record<string, string>>;
  /** A JSON body as a client would see it; checked against `body`. */
  example?: unknown;
}

/** The header of an answer that shows one resource with its revision. */
export const revisionHeader = { ETag: 'the revision in quotes; for If-Match and If-None-Match' } as const;

/** Headers of the answer to a create. */
export const creationHeaders = { Location: 'where the new resource is', ...revisionHeader } as const;
