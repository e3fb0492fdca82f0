import { catalogue, Problem, type ErrorCode } from '@canvass/errors';
import { problemDocument, refusesRestricted, takesIfMatch, type HttpOperation } from '@canvass/service-kit';
import { constant, type JsonSchema } from './components';
import type { Conversion } from './json-schema';

/** Problems of the gateway itself, possible for every operation: it also checks bodies that have no use. */
const ofTheGateway: readonly ErrorCode[] = [
  'request_timeout',
  'payload_too_large',
  'headers_too_large',
  'too_many_requests',
  'bad_gateway',
  'gateway_timeout',
];

/** The codes of all problems that an operation may answer, sorted as in the catalogue. */
function problemCodesOf(endpoint: HttpOperation): ErrorCode[] {
  const { access, params, body, rawBody, idempotency } = endpoint;
  const named = endpoint.problems ?? [];
  if (endpoint.isProcessEndpoint) return [...named];
  const codes = new Set<ErrorCode>([
    ...named,
    ...ofTheGateway,
    'malformed_request', // a path that cannot be decoded, a header that is sent twice
    'validation_failed', // every operation refuses query parameters that it does not know
    'service_unavailable',
  ]);
  const add = (...further: ErrorCode[]) => further.forEach((code) => codes.add(code));
  if (body !== undefined) add('malformed_json');
  if (body !== undefined || rawBody !== undefined) add('unsupported_media_type');
  if (access !== 'anonymous') add('invalid_token');
  if (access !== 'anonymous' && access !== 'optional') add('authentication_required');
  if (typeof access === 'object' || refusesRestricted(endpoint)) add('permission_denied');
  if (params !== undefined) add('not_found');
  if (takesIfMatch(endpoint)) add('revision_mismatch');
  if (idempotency !== undefined) add('conflict', 'idempotency_key_reused');
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const nullable = (type: string, description: string): JsonSchema => ({ type: [type, 'null'], description });

const quotaMembers = {
  quota: text('Name of the quota.'),
  limit: count('Limit of the tenant; not for anonymous callers.'),
  used: count('Use of the tenant without this request; not for anonymous callers.'),
};

/** Members that only the problems of one code have. */
const furtherMembers: Partial<Record<ErrorCode, Record<string, JsonSchema>>> = {
  import_rejected: {
    faults: {
      type: 'array',
      description: 'Where the file is wrong, and how.',
      items: {
        type: 'object',
        required: ['line', 'column', 'field', 'message'],
        properties: {
          line: nullable('integer', 'Physical line of the file, 1 the header; null for JSON.'),
          column: nullable('integer', 'Number of the cell, from 1; null for JSON or a whole line.'),
          field: nullable('string', 'Column of the header, or path in the JSON.'),
          message: text('What is wrong.'),
        },
      },
    },
  },
  submission_already_exists: { existingId: text('The existing submission; only for its owner.') },
  form_not_open: { opensAt: text('When the form opens.') },
  form_closed: { closesAt: text('When the form closed.') },
  form_full: { maxSubmissions: count('The submissions that it accepts.') },
  confirmation_required: {
    erases: count('Submissions that a day after the change are erased.'),
  },
  duplicate_submissions: {
    duplicateRespondents: count('Respondents with more than one submission.'),
    duplicateSubmissions: count('Their submissions.'),
  },
  quota_exceeded: quotaMembers,
  daily_quota_exceeded: quotaMembers,
  data_list_in_use: { forms: count('Forms that use the list.') },
  payload_too_large: { limitBytes: count('Most bytes that the gateway lets through.') },
};

/** `not_found` → `NotFoundProblem` */
const componentOf = (code: ErrorCode): string =>
  `${code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Problem`;

const problemMediaType = 'application/problem+json';

/** The schema of the problems of one code. */
function problemSchema(code: ErrorCode, objects: Conversion['objects']): JsonSchema {
  const { status, title } = catalogue[code];
  return {
    type: 'object',
    description: title,
    required: ['type', 'title', 'status', 'detail', 'traceId', 'errorCode'],
    properties: {
      type: { ...constant(`urn:canvass:problem:${code}`), description: 'The code as a URI (RFC 9457).' },
      title: constant(title),
      status: constant(status),
      detail: text('What happened this time, for people.'),
      traceId: nullable('string', 'The X-Request-Id of the answer; the logs have it too.'),
      errorCode: { ...constant(code), description: 'Stable; to switch on.' },
      ...(status === 400
        ? {
            errors: {
              type: 'object',
              description: 'By JSON path: what is wrong with the field. At most 100 fields.',
              additionalProperties: { type: 'array', items: { type: 'string' } },
            },
            violations: {
              type: 'array',
              description:
                'The same errors with the names and values of their rules, for texts in other languages.',
              items: {
                type: 'object',
                required: ['path', 'rule', 'params', 'message'],
                properties: {
                  path: text('JSON path of the field.'),
                  rule: text('Stable name, for example `string.max`; `invalid` for a rule without a name.'),
                  params: {
                    type: 'object',
                    description: 'Values of the rule, for example `limit`.',
                    additionalProperties: true,
                  },
                  message: text('The message as in `errors`.'),
                },
                ...(objects === 'closed' ? { additionalProperties: false } : {}),
              },
            },
          }
        : {}),
      ...furtherMembers[code],
    },
    ...(objects === 'closed' ? { additionalProperties: false } : {}),
  };
}

const exampleOf = (code: ErrorCode) => ({
  summary: catalogue[code].title,
  value: problemDocument(new Problem(code), '5f0c6c1e-8d7b-4a57-9d0e-0f6f3f6d2a11'),
});

/** The parts of a document that are about problems, filled by use. */
export class ProblemComponents {
  readonly #codes = new Set<ErrorCode>();
  readonly #responses = new Map<string, object>();

  constructor(private readonly objects: Conversion['objects']) {}

  /**
   * The answers of an operation, by status: those it describes, and references to those of all problems it
   * may have.
   */
  responsesOf(
    endpoint: HttpOperation,
    described: Readonly<Record<string, Response>>,
  ): Record<string, object> {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of problemCodesOf(endpoint)) {
      const { status } = catalogue[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    const statuses = [...byStatus].map(([status, codes]) => {
      const other = described[status];
      return [status, other === undefined ? this.#refer(codes) : either(other, this.#add(codes))];
    });
    const all = Object.fromEntries(statuses) as Record<string, object>;
    return { ...described, ...all, default: this.#refer(['internal_error']) };
  }

  schemas(): Record<string, JsonSchema> {
    const sorted = [...this.#codes].sort();
    return Object.fromEntries(sorted.map((code) => [componentOf(code), problemSchema(code, this.objects)]));
  }

  examples(): Record<string, object> {
    return Object.fromEntries([...this.#codes].sort().map((code) => [code, exampleOf(code)]));
  }

  responses(): Record<string, object> {
    return Object.fromEntries([...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(codes: readonly ErrorCode[]): object {
    const name = codes.join('.');
    if (!this.#responses.has(name)) this.#responses.set(name, this.#add(codes));
    return { $ref: `#/components/responses/${name}` };
  }

  #add(codes: readonly ErrorCode[]): Response {
    codes.forEach((code) => this.#codes.add(code));
    return responseOf(codes);
  }
}

/** A Response Object (OpenAPI 3.1, section 4.8.17). */
export interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, object>;
}

/**
 * A status with two kinds of answers, by media type: OAuth 2 has errors of its own. Neither's headers must
 * be there.
 */
function either(one: Response, other: Response): Response {
  const headers = Object.entries({ ...one.headers, ...other.headers });
  return {
    description: `${one.description} Or ${other.description}`,
    headers: Object.fromEntries(
      headers.map(([name, header]) => [name, 'required' in header ? { ...header, required: false } : header]),
    ),
    content: { ...one.content, ...other.content },
  };
}

function responseOf(codes: readonly ErrorCode[]): Response {
  const schemas = codes.map((code) => ({ $ref: `#/components/schemas/${componentOf(code)}` }));
  const mapping = Object.fromEntries(codes.map((code, n) => [code, schemas[n]!.$ref]));
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  const { status } = catalogue[codes[0]!];
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].title}`).join(' '),
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' }, ...headersOf(status) },
    content: {
      [problemMediaType]: {
        schema:
          schemas.length === 1
            ? schemas[0]
            : { oneOf: schemas, discriminator: { propertyName: 'errorCode', mapping } },
        examples: Object.fromEntries(examples) as object,
      },
    },
  };
}

function headersOf(status: number): Record<string, object> {
  const refer = (name: string): Record<string, object> => ({
    [name]: { $ref: `#/components/headers/${name}` },
  });
  if (status === 401) return refer('WWW-Authenticate');
  if (status === 503) return refer('Retry-After');
  const ofLimits = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  return status === 429 ? Object.fromEntries(ofLimits.flatMap((name) => Object.entries(refer(name)))) : {};
}
