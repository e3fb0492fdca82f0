import { writeJson } from '@canvass/json-numbers';
import type { Principal } from '@canvass/auth';
import { Problem, validationProblem } from '@canvass/errors';
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './answers';

/** A request with an `Idempotency-Key`, as a store sees it: without the key and without the body. */
export interface KeyedRequest {
  tenantId: string;
  /** Method and path, with the validated values of the path's parameters. */
  route: string;
  /** SHA-256 of caller and key: the key of another caller is another key. All anonymous callers are one. */
  keyHash: Buffer;
  /** HMAC-SHA-256 of the request content, keyed with the key. Equal for a repetition of the request. */
  fingerprint: Buffer;
  /** The time for which the response is kept, in seconds. */
  keptSeconds: number;
}

/** The stored response, as JSON. */
export type KeptAnswer = Pick<Answer, 'status' | 'body' | 'headers' | 'etag'>;

/** A response, and the id of the entity whose data it contains, by which it can be deleted. */
export interface MadeAnswer {
  answer: KeptAnswer;
  entityId: string | null;
}

export type OnceOutcome =
  | { outcome: 'made' | 'replayed'; answer: KeptAnswer }
  /** The key was used with another request. */
  | { outcome: 'reused' }
  /** A request with the same key is in progress. */
  | { outcome: 'busy' };

/**
 * Stores the responses to requests with an idempotency key. `once` runs `make` for a new key and stores its
 * response. The key, the changes that `make` makes through its `unit`, and the response are committed
 * together: a crash before the commit leaves nothing behind, a crash after it leaves a response to replay. If
 * `make` throws, `once` throws the same error and stores nothing.
 */
export interface IdempotencyStore<Unit> {
  /** The unit of a request without a key: each change commits by itself. */
  readonly unkeyed: Unit;
  once(request: KeyedRequest, make: (unit: Unit) => Promise<MadeAnswer>): Promise<OnceOutcome>;
}

/** The parts of the input of an endpoint that identify a request. */
interface KeyedInput {
  request: IncomingMessage;
  params: unknown;
  principal: Principal | null;
  query: unknown;
  body: unknown;
}

/** The option `idempotency` of a write. */
export interface Idempotency<Unit, Input> {
  store: IdempotencyStore<Unit>;
  /**
   * The tenant of the key, by default the tenant of the caller. Null: no tenant; the handler reports the
   * reason.
   */
  tenantOf?(input: Input & Unit): string | null | Promise<string | null>;
  /**
   * Network calls, which must not happen in an open transaction. It runs before the handler. For a repeated
   * key its error has no effect, because the first response is replayed.
   */
  before?(input: Input): Promise<void>;
  /** The body of a repeated response, if it must not repeat all of the first one. */
  bodyOfReplay?(body: unknown, tenantId: string, unit: Unit): Promise<unknown>;
}

const maxKeyLength = 255;
const printable = /^[\x20-\x7e]+$/;
/** A UUID, or base64url of at least 16 bytes. */
const hard = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{22,})$/i;
const hour = 3_600;

/** The key of a request, or null. @throws {Problem} `validation_failed` */
function keyOf({ request, principal }: KeyedInput): string | null {
  const sent = request.headers['idempotency-key'];
  if (sent === undefined) return null;
  const key = String(sent).trim();
  if (key === '' || key.length > maxKeyLength || !printable.test(key)) {
    throw validationProblem({
      'Idempotency-Key': [`must be 1 to ${maxKeyLength} printable ASCII characters`],
    });
  }
  // All anonymous callers are one caller, so only the key distinguishes them.
  if (principal === null && !hard.test(key)) {
    throw validationProblem({
      'Idempotency-Key': [
        'must have 128 random bits if the caller is anonymous: a UUID, or at least 22 characters of base64url',
      ],
    });
  }
  return key;
}

/**
 * Runs `handle` once per `Idempotency-Key`, tenant, caller and route. A repetition gets the first response,
 * with its status and `Location`, and the header `Idempotency-Replayed: true`. Problems are not stored: a
 * repetition after a problem runs `handle` again. `handle` gets the unit of the store's transaction, or the
 * unit of requests without a key.
 *
 * @param path the path of the endpoint, with the names of its parameters
 * @throws {Problem} `validation_failed` for a key that does not have the required form;
 * `idempotency_key_reused` for another body or query; `conflict` while a request with the same key is in
 * progress
 */
export async function handleOnce<Unit, Input extends KeyedInput>(
  idempotency: Idempotency<Unit, Input>,
  path: string,
  input: Input,
  handle: (input: Input & Unit) => Promise<Answer>,
): Promise<Answer> {
  const unkeyed = Object.assign(input, idempotency.store.unkeyed);
  const key = keyOf(input);
  const tenantId = key === null ? null : await (idempotency.tenantOf ?? tenantOfCaller)(unkeyed);
  if (key === null || tenantId === null) {
    await idempotency.before?.(input);
    return handle(unkeyed);
  }
  const fault = await idempotency.before?.(input).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const done = await idempotency.store.once(keyed(tenantId, key, path, input), async (unit) => {
    if (fault) throw fault.error;
    const { stream, ...answer } = await handle({ ...input, ...unit });
    if (stream !== undefined) throw new Error('A streamed answer cannot be kept for an Idempotency-Key.');
    return { answer, entityId: idOf(answer.body) };
  });
  switch (done.outcome) {
    case 'made':
      return done.answer;
    case 'replayed':
      return {
        ...done.answer,
        headers: { ...done.answer.headers, 'Idempotency-Replayed': 'true' },
        ...(idempotency.bodyOfReplay
          ? { body: await idempotency.bodyOfReplay(done.answer.body, tenantId, idempotency.store.unkeyed) }
          : {}),
      };
    case 'reused':
      throw new Problem('idempotency_key_reused');
    case 'busy':
      throw new Problem('conflict', {
        detail: 'A request with the same Idempotency-Key is in progress.',
        headers: { 'Retry-After': '1' },
      });
  }
}

const tenantOfCaller = ({ principal }: KeyedInput): string | null => principal?.tenantId ?? null;

function keyed(tenantId: string, key: string, path: string, input: KeyedInput): KeyedRequest {
  const { request, params, principal, query, body } = input;
  const values = params as Readonly<Record<string, string>>;
  // Not the path of the request: a slash at its end or zeros before an id would make another route.
  const route = path.replace(/:(\w+)/g, (_, name: string) => values[name]!);
  const caller = principal && [principal.provider, principal.kind, principal.subject];
  return {
    tenantId,
    // `/forms/…/onbehalf` is served with and without the prefix `/api`. Both are the same route.
    route: `${request.method} ${route.replace(/^\/api\//, '/')}`,
    keyHash: createHash('sha256')
      .update(JSON.stringify([caller, key]))
      .digest(),
    // The key is not stored, so a password in the body cannot be guessed from the table.
    fingerprint: createHmac('sha256', key)
      .update(writeJson([query, body ?? null], inOrder))
      .digest(),
    keptSeconds: principal === null ? hour : 24 * hour,
  };
}

/** The `id` of a resource. */
function idOf(body: unknown): string | null {
  const { id } = (body ?? {}) as { id?: unknown };
  return typeof id === 'string' && /^[0-9]+$/.test(id) ? id : null;
}

/** Sorts the members of objects, because their order has no meaning in JSON. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
