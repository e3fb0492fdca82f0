import type { ErrorCode } from './catalogue';
import { catalogue } from './catalogue';

/** One offending field and the rules it broke, keyed by its JSON path (`submitter.displayId`, `items[3].value`). */
export type FieldErrors = Record<string, string[]>;

export interface ProblemOptions {
  /** Sentence for this occurrence; the catalogue's title is for the kind. */
  detail?: string;
  /** Validation faults, at most 100 fields (see `fieldErrorLimit`). */
  errors?: FieldErrors;
  /** Further members of the problem document (RFC 9457, section 3.2), for example `existingId`. */
  extra?: Record<string, unknown>;
  /** Response headers that belong to the problem, for example `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The most fields one validation problem lists. */
export const fieldErrorLimit = 100;

/**
 * An error with an HTTP meaning. Thrown anywhere; turned into `application/problem+json` (RFC 9457) in one place,
 * service-kit's error handler. Status and title come from the catalogue by the stable `errorCode`.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: FieldErrors | undefined;
  readonly extra: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    readonly errorCode: ErrorCode,
    options: ProblemOptions = {},
  ) {
    const { status, title } = catalogue[errorCode];
    super(options.detail ?? title, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.title = title;
    this.detail = options.detail;
    this.errors = options.errors;
    this.extra = options.extra;
    this.headers = options.headers;
  }
}

/** A 400 that names each offending field and the rule it broke. */
export function validationProblem(errors: FieldErrors, detail?: string): Problem {
  const entries = Object.entries(errors);
  return new Problem('validation_failed', {
    detail: detail ?? (entries.length === 1 ? entries[0]![1][0]! : `${entries.length} fields are not valid.`),
    errors: Object.fromEntries(entries.slice(0, fieldErrorLimit)),
  });
}

/** A 404 for a thing the caller's tenant does not have; the same whether it exists elsewhere or not. */
export function notFound(what: string, id?: string): Problem {
  return new Problem('not_found', {
    detail: id === undefined ? `There is no such ${what}.` : `There is no ${what} ${id}.`,
  });
}
