import type Joi from 'joi';

/** One successful response of an operation, for the OpenAPI document and for tests. */
export interface DescribedAnswer {
  /** One sentence: what the caller receives. */
  description: string;
  /** Schema of the JSON body; absent for a response without a JSON body. */
  body?: Joi.Schema;
  /** Other media types of the body (`text/csv`), each with a description or a schema. */
  content?: Readonly<Record<string, string | Joi.Schema>>;
  /** Headers, each with a description; without those of every response. `ETag` and `Location` belong here. */
  headers?: Readonly<Record<string, string>>;
  /** Example of a JSON body. Tests validate it with `body`. */
  example?: unknown;
}

/** The header of a response with one resource and its revision. */
export const revisionHeader = { ETag: 'the revision in quotes; for If-Match and If-None-Match' } as const;

/** Headers of the response to a create. */
export const creationHeaders = { Location: 'the URL of the new resource', ...revisionHeader } as const;
