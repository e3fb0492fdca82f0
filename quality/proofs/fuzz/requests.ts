import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '@canvass/openapi';
import {
  brokenJson,
  method,
  oddEnding,
  oddHeader,
  oddJson,
  oddQuery,
  oddSegment,
  oddText,
} from './odd-values';
import type { FuzzedOperation } from './operations';
import { mostly, valuesOf } from './values';
import type { World } from './world';

/** A request as it is sent. */
export interface FuzzRequest {
  operationId: string;
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** The value in the body, if that is JSON. */
  json?: unknown;
}

type Mutation = (request: FuzzRequest) => Partial<FuzzRequest>;

/** Returns requests of an operation: valid ones by the document, most of them with one or two mutations. */
export function requestsOf(
  operation: FuzzedOperation,
  schemas: Readonly<Record<string, JsonSchema>>,
  world: World,
): Arbitrary<FuzzRequest> {
  const mutation = fc.oneof(
    { weight: 6, arbitrary: bodyMutation(operation) },
    { weight: 3, arbitrary: pathMutation(operation) },
    { weight: 3, arbitrary: queryMutation(operation) },
    { weight: 3, arbitrary: oddHeader.map(addHeader) },
    { weight: 1, arbitrary: method.map((odd): Mutation => () => ({ method: odd })) },
  );
  const numbers = fc.constantFrom(0, 1, 1, 1, 1, 2);
  const mutations = numbers.chain((length) => fc.array(mutation, { minLength: length, maxLength: length }));
  return fc
    .tuple(validRequestOf(operation, schemas, world), mutations)
    .map(([valid, changes]) =>
      changes.reduce((request, change) => ({ ...request, ...change(request) }), valid),
    );
}

/** A success ends the tokens of the caller. */
const endsTokens = new Set(['changeMe', 'changePassword']);

function validRequestOf(
  { operationId, method, path, query, headers, body, caller }: FuzzedOperation,
  schemas: Readonly<Record<string, JsonSchema>>,
  world: World,
): Arbitrary<FuzzRequest> {
  const valueOf = valuesOf(schemas, world.samples);
  const { admin, viewer, stranger, formToken, submissionToken } = world.tokens;
  const usual = caller === null ? null : world.tokens[endsTokens.has(operationId) ? 'leaving' : caller];
  const others = fc.constantFrom(null, viewer, stranger, formToken, submissionToken, admin);
  const bodies = Object.entries(body).map(([type, schema]) => fc.tuple(fc.constant(type), valueOf(schema)));
  const takesKey = headers.includes('Idempotency-Key');
  const parts = fc.record({
    pairs: fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, valueOf(schema, name)])), {
      requiredKeys: [],
    }),
    token: mostly(0.75, fc.constant(usual), others),
    key: mostly(takesKey ? 0.8 : 1, fc.constant(null), fc.integer({ min: 0, max: 20 })),
    asHead: mostly(method === 'GET' ? 0.95 : 1, fc.constant(false), fc.constant(true)),
    content: bodies.length === 0 ? fc.constant(null) : fc.oneof(...bodies),
  });
  return parts.map(({ pairs, token, key, asHead, content }) => {
    const search = Object.entries(pairs).flatMap(([name, value]) =>
      [value].flat().map((each) => pair(name, each)),
    );
    const text = content && textOf(...content);
    return {
      operationId,
      method: asHead ? 'HEAD' : method,
      target: world.fill(path, method) + (search.length === 0 ? '' : `?${search.join('&')}`),
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(key === null ? {} : { 'idempotency-key': `fuzz-${key}` }),
        ...(headers.includes('X-Canvass-Proof') ? { 'x-canvass-proof': world.proof } : {}),
        ...(content === null ? {} : { 'content-type': content[0] }),
      },
      body: text === null ? null : Buffer.from(text),
      ...(content?.[0] === 'application/json' ? { json: content[1] } : {}),
    };
  });
}

function textOf(mediaType: string, value: unknown): string {
  if (mediaType === 'text/csv') return 'value,default,de\r\nx,X,Ix\r\n';
  if (mediaType.endsWith('ndjson')) return '{"value":"x","labels":{"default":"X"}}\n';
  if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(value);
  const pairs = Object.entries(value as object).map(([name, each]) => pair(name, each));
  return pairs.join('&');
}

const addHeader =
  ([name, value]: readonly [string, string]): Mutation =>
  ({ headers }) => ({ headers: { ...headers, [name]: value } });

function bodyMutation(operation: FuzzedOperation): Arbitrary<Mutation> {
  const unexpected = fc
    .tuple(
      fc.constantFrom('application/json', 'text/plain'),
      fc.constantFrom('{}', 'null', '[]', 'x', '"\\ud800"'),
    )
    .map(([type, text]): Mutation => ({ headers }) => {
      return { headers: { ...headers, 'content-type': type }, body: Buffer.from(text) };
    });
  if (Object.keys(operation.body).length === 0) return fc.oneof(unexpected, queryMutation(operation));
  const breaking = brokenJson.map((breakIt): Mutation => ({ body }) => ({
    body: breakIt(String(body ?? '')),
  }));
  const mutated = fc
    .tuple(
      fc.nat(),
      fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'add'),
      oddJson,
      oddText,
    )
    .map(([place, how, token, name]): Mutation => ({ json, body }) => {
      if (json !== undefined) return { body: Buffer.from(mutatedJson(json, place, how, token, name)) };
      const text = String(body ?? '');
      const texts = { replace: text.replace('x', () => name), remove: `value,default,"${name}` };
      return { body: Buffer.from(how in texts ? texts[how as keyof typeof texts] : text + name) };
    });
  return fc.oneof(
    { weight: 81, arbitrary: mutated },
    { weight: 15, arbitrary: breaking },
    { weight: 4, arbitrary: fc.constant((): Partial<FuzzRequest> => ({ body: null })) },
  );
}

/** Stands for a text that `JSON.stringify` cannot write. */
const placeholder = '\u0007';

/**
 * Returns the JSON text of a value with one change.
 *
 * @param place number of a member, element or the whole, modulo their count
 * @param token text in the place of its value
 */
export function mutatedJson(value: unknown, place: number, how: string, token: string, name: string): string {
  const keys: string[] = [];
  JSON.stringify(value, (key, each: unknown) => (keys.push(key), each));
  const chosen = place % keys.length;
  const key = JSON.stringify(keys[chosen]);
  let at = 0;
  const changed = how === 'remove' ? undefined : placeholder;
  const text = JSON.stringify(value, (_key, each: unknown) => (at++ === chosen ? changed : each)) ?? '';
  const mutated = text.replace(JSON.stringify(placeholder), () =>
    how === 'repeat' ? `${token},${key}:1` : token,
  );
  return how === 'add' ? mutated.replace('{', () => `{${JSON.stringify(name)}:${token},`) : mutated;
}

function pathMutation({ path }: FuzzedOperation): Arbitrary<Mutation> {
  const parameters = path.split('/').flatMap((part, n) => (part.startsWith('{') ? [n] : []));
  const changed =
    (change: (segments: string[]) => string[]): Mutation =>
    ({ target }) => {
      const [at = '', ...query] = target.split('?');
      return { target: [change(at.split('/')).join('/'), ...query].join('?') };
    };
  if (parameters.length > 0)
    return fc
      .tuple(fc.constantFrom(...parameters), oddSegment)
      .map(([place, odd]) => changed((segments) => segments.with(place, odd)));
  return fc.oneof(
    oddSegment.map((odd) => changed((segments) => [...segments, odd])),
    oddEnding.map((odd) => changed((segments) => segments.with(-1, segments.at(-1)! + odd))),
  );
}

function queryMutation({ query }: FuzzedOperation): Arbitrary<Mutation> {
  const replaced = oddQuery.map((odd): Mutation => ({ target }) => ({ target: target.split('?')[0]! + odd }));
  if (query.length === 0) return replaced;
  const added = fc
    .tuple(fc.constantFrom(...query), fc.oneof(oddText, oddSegment))
    .map(([{ name }, text]): Mutation => ({ target }) => {
      return { target: `${target}${target.includes('?') ? '&' : '?'}${pair(name, text.slice(0, 3_000))}` };
    });
  return mostly(0.75, added, replaced);
}

/** A URL cannot contain lone surrogates, not even encoded. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

const pair = (name: string, value: unknown): string =>
  `${encoded(name)}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`;
