import type { Permission, Principal } from '@canvass/auth';
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import type Joi from 'joi';
import type { ErrorCode } from '@canvass/errors';
import type { Answer } from './answers';
import type { DescribedAnswer } from './described-answer';
import type { IfMatch } from './etag';
import type { Idempotency } from './idempotency';
import { nullAsAbsent } from './null-as-absent';

/**
 * Who may call an endpoint. `anonymous`: no token is looked at. `optional`: a bearer token is verified if sent, a bad
 * one is a 401. `authenticated`: any validated caller. `custom`: the handler checks a token of its own kind.
 * `internal`: another service, by service token.
 */
export type Access =
  'anonymous' | 'optional' | 'authenticated' | { permission: Permission } | 'custom' | 'internal';

/** Whom an endpoint can meet: the declared access has been checked before the handler runs. */
type PrincipalOf<A extends Access> = A extends 'authenticated' | { permission: Permission }
  ? Principal
  : A extends 'optional'
    ? Principal | null
    : null;

/** Everything a handler gets; `params`, `query` and `body` are the validated values. */
export interface EndpointInput<P = unknown, Q = unknown, B = unknown, A extends Access = Access> {
  params: P;
  query: Q;
  body: B;
  principal: PrincipalOf<A>;
  /** Name of the calling service on `internal` endpoints, else null. */
  callingService: string | null;
  headers: IncomingHttpHeaders;
  request: Request;
  response: Response;
  /** Aborted when the client goes away before the answer is complete. */
  signal: AbortSignal;
  /** W3C trace context of this request, for outbox rows and calls. */
  traceparent: string;
  /** The revisions a write is conditional on, or null when it is not; see `assertIfMatch`. */
  ifMatch: IfMatch;
}

interface Definition {
  path: string;
  operationId: string;
  summary: string;
  /** What a caller must know beyond the summary; Markdown, for the OpenAPI document. */
  description?: string;
  access: Access;
  params?: Joi.Schema;
  /** A parameter that it does not name is a 400; without a schema the operation has no parameters. */
  query?: Joi.Schema;
  /** Null for an optional member means that the member is absent, unless its schema gives null a meaning. */
  body?: Joi.Schema;
  /** Most bytes of a body that is read and parsed, a number or `4mb`; default 1 MiB. */
  bodyLimit?: string | number;
  /** Content types that are handed over unread: the handler reads `input.request`, `input.body` is undefined. */
  rawBody?: string[];
  /**
   * What it answers when it succeeds, by status: the OpenAPI document's word, and what tests hold the answers to. Null:
   * nobody looks, which is only for endpoints that tests make up.
   */
  answers: Readonly<Record<number, DescribedAnswer>> | null;
  /**
   * Codes of the problems it may answer beyond those that follow from the rest of the definition (validation, 401 and
   * 403 by `access`, body limits, preconditions, the idempotency key, 5xx).
   */
  problems?: readonly ErrorCode[];
  /** What a process says of itself, whoever asks and whatever it waits for: it has no problems but those in `problems`. */
  ofTheProcess?: true;
  /** Also takes `application/x-www-form-urlencoded` bodies (OAuth 2), checked by the same schema. */
  formBody?: boolean;
}

/** One operation, as the OpenAPI document and the tests of answers see it. */
export interface HttpOperation extends Definition {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  kind: 'read' | 'write';
  idempotency?: Idempotency<unknown, EndpointInput>;
}

/** One operation of a service, as the HTTP layer and the route tests see it. */
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
   * Takes `Idempotency-Key`, as every POST that creates does. The input of the handler then also has the members of the
   * store's unit, through which it must make its changes. Define such an endpoint where no other database is in scope.
   */
  idempotency?: Idempotency<U, EndpointInput<P, Q, B, A>>;
  handle(input: EndpointInput<P, Q, B, A> & U): Promise<Answer>;
}

const define =
  <M extends Endpoint['method']>(kind: Endpoint['kind']) =>
  <P = NoFields, Q = NoFields, B = undefined, U = unknown, const A extends Access = Access>({
    idempotency,
    body,
    ...definition
  }: TypedDefinition<M, P, Q, B, U, A>): Endpoint => ({
    ...definition,
    kind,
    ...(body === undefined ? {} : { body: nullAsAbsent(body) }),
    ...(idempotency === undefined ? {} : { idempotency: idempotency as Idempotency<unknown, EndpointInput> }),
    handle: (input) => definition.handle(input as EndpointInput<P, Q, B, A> & U),
  });

/**
 * Defines an operation; the types of `input` come from its joi schemas. `read` opens no transaction and changes
 * nothing (a POST may be a read: an export); `write` is answered after its commit.
 */
export const endpoint = {
  read: define<'get' | 'post'>('read'),
  write: define<'post' | 'put' | 'patch' | 'delete'>('write'),
};

/**
 * Whether `If-Match` has a meaning: for a change of one resource, which shows its revision as `ETag`, and for its
 * deletion. (Answers that nobody described say nothing against it.)
 */
export const takesIfMatch = ({ kind, method, answers }: HttpOperation): boolean =>
  kind === 'write' &&
  (method === 'delete' || answers === null || answers[200]?.headers?.['ETag'] !== undefined);
