import type { Principal } from '@canvass/auth';
import { Problem, validationProblem } from '@canvass/errors';
import type { Request } from 'express';
import { createHash, createHmac } from 'node:crypto';
import type { Answer } from './answers';

/** A request with an `Idempotency-Key`, as a store knows it. Neither the key nor the body is in it. */
interface KeyedRequest {
  tenantId: string;
  /** Method and path, with the path's parameters. */
  route: string;
  /** SHA-256 of the key. */
  keyHash: Buffer;
  /** HMAC-SHA-256, under the key, of who calls and what they send: equal for a repetition of the same request. */
  fingerprint: Buffer;
}

/** What is kept of an answer: everything, as JSON. */
type KeptAnswer = Pick<Answer, 'status' | 'body' | 'headers' | 'etag'>;

type OnceOutcome =
  | { outcome: 'made' | 'replayed'; answer: KeptAnswer }
  /** The key was used with another request. */
  | { outcome: 'reused' }
  /** A request with the same key is still being worked on. */
  | { outcome: 'busy' };

/**
 * Where the answers to keyed requests are kept. `once` runs `make` for a key that is new and keeps its answer. The key,
 * whatever `make` does through the `unit` it is given, and the answer become visible at one moment or not at all: a crash
 * in between leaves nothing behind, a crash after it leaves an answer to replay. What `make` throws is thrown and nothing is kept.
 */
export interface IdempotencyStore<Unit> {
  /** For a request without a key: each change commits by itself. */
  readonly unkeyed: Unit;
  once(request: KeyedRequest, make: (unit: Unit) => Promise<KeptAnswer>): Promise<OnceOutcome>;
}

/** What identifies a request, of the input of its endpoint. */
interface KeyedInput {
  request: Request;
  principal: Principal | null;
  query: unknown;
  body: unknown;
}

/** The option `idempotency` of a write. */
export interface Idempotency<Unit, Input> {
  store: IdempotencyStore<Unit>;
  /** Whose key it is; the caller's tenant unless told. Null: there is no such tenant, and the handler will say why. */
  tenantOf?(input: Input & Unit): string | null | Promise<string | null>;
  /**
   * Network calls, which must not happen in an open transaction: runs before the handler. For a key that was used before, its
   * error has no effect, because the first answer is replayed.
   */
  before?(input: Input): Promise<void>;
}

const longestKey = 255;
const printable = /^[\x20-\x7e]+$/;

/** The key of a request, or null. @throws {Problem} `validation_failed` */
function keyOf(request: Request): string | null {
  const sent = request.headers['idempotency-key'];
  if (sent === undefined) return null;
  const key = String(sent).trim();
  if (key === '' || key.length > longestKey || !printable.test(key)) {
    throw validationProblem({
      'Idempotency-Key': [`must be 1 to ${longestKey} printable ASCII characters`],
    });
  }
  return key;
}

/**
 * Runs `handle` once per `Idempotency-Key`, tenant and route; a repetition gets the first answer, with its status and
 * `Location`, and the header `Idempotency-Replayed: true`. Only answers are kept, not problems: where nothing was made, a repetition
 * is a new try. `handle` gets the unit of the store's transaction, or the unit for requests without a key.
 *
 * @throws {Problem} `idempotency_key_reused` for another body, path or caller; `conflict` while a twin is at work
 */
export async function handleOnce<Unit, Input extends KeyedInput>(
  idempotency: Idempotency<Unit, Input>,
  input: Input,
  handle: (input: Input & Unit) => Promise<Answer>,
): Promise<Answer> {
  const unkeyed = { ...input, ...idempotency.store.unkeyed };
  const key = keyOf(input.request);
  const tenantId = key === null ? null : await (idempotency.tenantOf ?? tenantOfCaller)(unkeyed);
  if (key === null || tenantId === null) {
    await idempotency.before?.(input);
    return handle(unkeyed);
  }
  const fault = await idempotency.before?.(input).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const done = await idempotency.store.once(keyed(tenantId, key, input), async (unit) => {
    if (fault) throw fault.error;
    const { stream, ...answer } = await handle({ ...input, ...unit });
    if (stream !== undefined) throw new Error('A streamed answer cannot be kept for an Idempotency-Key.');
    return answer;
  });
  switch (done.outcome) {
    case 'made':
      return done.answer;
    case 'replayed':
      return { ...done.answer, headers: { ...done.answer.headers, 'Idempotency-Replayed': 'true' } };
    case 'reused':
      throw new Problem('idempotency_key_reused');
    case 'busy':
      throw new Problem('conflict', {
        detail: 'A request with the same Idempotency-Key is still being worked on.',
        headers: { 'Retry-After': '1' },
      });
  }
}

const tenantOfCaller = ({ principal }: KeyedInput): string | null => principal?.tenantId ?? null;

function keyed(tenantId: string, key: string, input: KeyedInput): KeyedRequest {
  const { request, principal, query, body } = input;
  // `/forms/…/onbehalf` is served with and without the prefix, and is one route.
  const path = request.path.replace(/^\/api\//, '/');
  const content = JSON.stringify([callerOf(principal), query, body ?? null], inOrder);
  return {
    tenantId,
    route: `${request.method} ${path}`,
    keyHash: createHash('sha256').update(key).digest(),
    // Under the key, which is not stored: a password in the body cannot be guessed from the table.
    fingerprint: createHmac('sha256', key).update(content).digest(),
  };
}

/** Another caller's answer is not for this one, so that a key is its caller's own. */
const callerOf = (principal: Principal | null) =>
  principal && [principal.provider, principal.kind, principal.subject];

/** JSON does not order the members of an object. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
