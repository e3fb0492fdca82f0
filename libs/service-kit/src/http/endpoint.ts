import type { Permission, Principal } from '@canvass/auth';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type Joi from 'joi';
import type { ErrorCode } from '@canvass/errors';
import type { Answer } from './answers';
import type { DescribedAnswer } from './described-answer';
import type { IfMatch } from './etag';
import type { Idempotency } from './idempotency';
import { nullAsAbsent } from './null-as-absent';

/**
 * The callers that an endpoint permits. `anonymous`: any client; a token is ignored. `optional`: any client;
 * a token is verified, and an invalid token is a 401. `authenticated`: any verified caller. `custom`: the
 * handler checks its own kind of token. `cookie`: the handler checks the cookie of a browser session.
 * `internal`: another service, by service token.
 */
export type Access =
  'anonymous' | 'optional' | 'authenticated' | { permission: Permission } | 'custom' | 'cookie' | 'internal';

/** The type of the principal by the declared access, which is checked before the handler runs. */
type PrincipalOf<A extends Access> = A extends 'authenticated' | { permission: Permission }
  ? Principal
  : A extends 'optional'
    ? Principal | null
    : null;

/** The input of a handler. `params`, `query` and `body` are the validated values. */
export interface EndpointInput<P = unknown, Q = unknown, B = unknown, A extends Access = Access> {
  params: P;
  query: Q;
  body: B;
  principal: PrincipalOf<A>;
  /** Name of the calling service on `internal` endpoints, else null. */
  callingService: string | null;
  headers: IncomingHttpHeaders;
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborted if the client disconnects before the response is complete. */
  signal: AbortSignal;
  /** W3C trace context of this request, for outbox rows and calls of other services. */
  traceparent: string;
  /** The revisions that `If-Match` permits; null without a condition. See `assertIfMatch`. */
  ifMatch: IfMatch;
}

/**
 * The record that the audit trail keeps of an operation: the name of the action, which the use case records
 * with `recordAudit`, or the reason why nothing is recorded.
 */
export type AuditRule = { action: `${string}.${string}` } | { notRecorded: string };

interface Definition {
  path: string;
  operationId: string;
  summary: string;
  /** Details beyond the summary, for the OpenAPI document (Markdown). */
  description?: string;
  access: Access;
  /** With `custom` access: checks the token before a fault of path or query is answered. */
  checkToken?(headers: IncomingHttpHeaders): Promise<unknown>;
  params?: Joi.Schema;
  /** An unknown parameter is a 400. Without a schema the operation has no query parameters. */
  query?: Joi.Schema;
  /** Optional request headers that the handler reads, with their descriptions. */
  headers?: Readonly<Record<string, string>>;
  /** Null for an optional member means that the member is absent, unless its schema allows null. */
  body?: Joi.Schema;
  /** Maximum size of a body that is parsed: bytes, or a text such as `4mb`. Default 1 MiB. */
  bodyLimit?: string | number;
  /** The member of the body whose numbers keep their text, for `writeJson` of `@canvass/json-numbers`. */
  keepsNumbersOf?: string;
  /** Content types that are not parsed: the handler reads `input.request`, and `input.body` is undefined. */
  rawBody?: string[];
  /**
   * Successful responses by status, for the OpenAPI document. Tests validate every response with them. Null
   * turns the validation off; only for endpoints that a test defines.
   */
  answers: Readonly<Record<number, DescribedAnswer>> | null;
  /**
   * Error codes of the operation, without those that follow from the rest of the definition (validation, 401
   * and 403 by `access`, body limits, preconditions, the idempotency key, 5xx).
   */
  problems?: readonly ErrorCode[];
  /**
   * The operation describes the process and works before it is ready: its only error codes are those in
   * `problems`.
   */
  isProcessEndpoint?: true;
  /** Every write has it, and a read that is recorded: exports and reads of secrets. */
  audit?: AuditRule;
  /**
   * Also for service accounts that are restricted to forms, although its path has no `:formId`: it shows them
   * no more than these forms or themselves.
   */
  isForRestricted?: true;
  /** Also accepts `application/x-www-form-urlencoded` bodies (OAuth 2), with the same schema. */
  formBody?: boolean;
}

/** One operation, for the OpenAPI document and for the validation of responses in tests. */
export interface HttpOperation extends Definition {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  kind: 'read' | 'write';
  idempotency?: Idempotency<unknown, EndpointInput>;
}

/** One operation with its handler. */
export interface Endpoint extends HttpOperation {
  handle(input: EndpointInput): Promise<Answer>;
}

type NoFields = Record<string, never>;

interface TypedDefinition<M, P, Q, B, U, A extends Access> extends Definition {
  method: M;
  access: A;
  params?: Joi.ObjectSchema<P>;
  query?: Joi.ObjectSchema<Q>;
  body?: Joi.Schema<B>;
  /**
   * Accepts `Idempotency-Key`. Every POST that creates a resource has it. The input of the handler then also
   * has the members of the unit of the store, through which it must make its changes. Define such an endpoint
   * where no other database is in scope.
   */
  idempotency?: Idempotency<U, EndpointInput<P, Q, B, A>>;
  handle(input: EndpointInput<P, Q, B, A> & U): Promise<Answer>;
}

const define =
  <M extends Endpoint['method'], Rule>(kind: Endpoint['kind']) =>
  <P = NoFields, Q = NoFields, B = undefined, U = unknown, const A extends Access = Access>({
    idempotency,
    body,
    ...definition
  }: TypedDefinition<M, P, Q, B, U, A> & Rule): Endpoint => ({
    ...(definition as Omit<TypedDefinition<M, P, Q, B, U, A>, 'idempotency' | 'body'>),
    kind,
    ...(body === undefined ? {} : { body: nullAsAbsent(body) }),
    ...(idempotency === undefined ? {} : { idempotency: idempotency as Idempotency<unknown, EndpointInput> }),
    handle: (input) => definition.handle(input as EndpointInput<P, Q, B, A> & U),
  });

/**
 * Defines an operation. The types of `input` come from its joi schemas. `read` changes nothing and opens no
 * transaction (a POST may be a read, for example an export). `write` responds after its commit and
 * has an `audit` rule.
 */
export const endpoint = {
  read: define<'get' | 'post', object>('read'),
  write: define<'post' | 'put' | 'patch' | 'delete', { audit: AuditRule }>('write'),
};

/**
 * Returns whether service accounts that are restricted to forms get a 403: it concerns more than one form.
 */
export const refusesRestricted = ({ access, path, isForRestricted }: HttpOperation): boolean =>
  (access === 'authenticated' || access === 'optional' || typeof access === 'object') &&
  !isForRestricted &&
  !/:formId\b/.test(path);

/**
 * Returns whether an operation evaluates `If-Match`: a deletion, and a change of one resource that responds
 * with its revision as `ETag`. Operations without described responses also evaluate it.
 */
export const takesIfMatch = ({ kind, method, answers }: HttpOperation): boolean =>
  kind === 'write' &&
  (method === 'delete' || answers === null || answers[200]?.headers?.['ETag'] !== undefined);
