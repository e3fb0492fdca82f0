import type { ErrorCode } from './catalogue';
import { catalogue } from './catalogue';
import type { BrokenRule } from './rules';

/**
 * The invalid fields, keyed by JSON path (`submitter.displayId`, `items[3].value`), each with the rules it
 * breaks.
 */
export type FieldErrors = Record<string, string[]>;

/** A broken rule of a field, so that a client can show it in its own words. */
export interface Violation {
  /** JSON path, as in `FieldErrors`. */
  path: string;
  /** Stable name, for example `string.max`; `invalid` for rules without a name. */
  rule: string;
  /** Values of the rule, for example `{ limit: 100 }`. Never the value of the request. */
  params: Record<string, unknown>;
  /** English; the same as in `FieldErrors`. */
  message: string;
}

export interface ProblemOptions {
  /** Describes this occurrence. The title of the catalogue describes the kind. */
  detail?: string;
  /** Validation errors, at most `fieldErrorLimit` fields. */
  errors?: FieldErrors;
  /** The same errors with names and values of the rules. */
  violations?: readonly Violation[];
  /** Further members of the problem document (RFC 9457, section 3.2), for example `existingId`. */
  extra?: Record<string, unknown>;
  /** Response headers that belong to the problem, for example `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The maximum number of fields that one validation problem lists. */
export const fieldErrorLimit = 100;

/**
 * An error with an HTTP status. It may be thrown anywhere. The error handler of service-kit turns it into
 * `application/problem+json` (RFC 9457). Status and title come from the catalogue.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: FieldErrors | undefined;
  readonly violations: readonly Violation[] | undefined;
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
    this.violations = options.violations;
    this.extra = options.extra;
    this.headers = options.headers;
  }
}

/**
 * A 400 that names each invalid field and the rules it breaks.
 *
 * @param errors a text is a rule without a name
 * @param named the rules of texts that have one
 */
export function validationProblem(
  errors: Record<string, readonly (string | BrokenRule)[]>,
  detail?: string,
  named: readonly Violation[] = [],
): Problem {
  const violations = Object.entries(errors).map(([path, rules]) =>
    rules.map((broken): Violation => {
      if (typeof broken !== 'string') return { path, ...broken };
      const own = named.find((each) => each.path === path && each.message === broken);
      return own ?? { path, rule: 'invalid', params: {}, message: broken };
    }),
  );
  const texts = Object.keys(errors).map((path, index): [string, string[]] => [
    path,
    violations[index]!.map(({ message }) => message),
  ]);
  return new Problem('validation_failed', {
    detail: detail ?? (texts.length === 1 ? faultText(texts[0]!) : `${texts.length} fields are not valid.`),
    errors: Object.fromEntries(texts.slice(0, fieldErrorLimit)),
    violations: violations.slice(0, fieldErrorLimit).flat(),
  });
}

const faultText = ([path, [message = '']]: [string, string[]]): string =>
  `${path === '$' ? 'The body' : path} ${message}${message.endsWith('?') ? '' : '.'}`;

/** A 404 for a resource that the tenant does not have. It is the same if another tenant has the resource. */
export function notFound(what: string, id?: string): Problem {
  return new Problem('not_found', {
    detail: id === undefined ? `There is no such ${what}.` : `There is no ${what} ${id}.`,
  });
}
