import type { OpenApiDocument } from '@canvass/openapi';
import type { Random } from '@canvass/testing';
import { brokenJson, methods, oddHeaders, oddJson, oddQueries, oddSegments, oddTexts } from './odd-values';

/** What requests are about, and who sends them. */
export interface World {
  tokens: Record<'admin' | 'leaving' | 'viewer' | 'stranger' | 'formToken' | 'submissionToken', string>;
  /** Header of the administrator, for operations that ask for a fresh proof. */
  proof: Record<string, string>;
  /** Good values of members and parameters by name. */
  samples: Readonly<Record<string, readonly unknown[]>>;
  /** Replaces the parameters of a path by existing ids. */
  fill(path: string, method: string): string;
}

/** An operation of the document, as far as requests are made from it. */
export interface FuzzedOperation {
  operationId: string;
  method: string;
  /** As in the document: `/api/forms/{formId}` */
  path: string;
  /** Names of the parameters in the query. */
  query: string[];
  headers: string[];
  /** Example of the body by media type; empty if the operation takes no body. */
  bodies: [type: string, example: unknown][];
  /** Who may send it; null: no token is needed. */
  caller: 'admin' | 'formToken' | null;
}

/** A request as it is sent. The target is the path and the query. */
export interface FuzzRequest extends Pick<FuzzedOperation, 'operationId' | 'method'> {
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

interface Documented {
  operationId: string;
  parameters?: { $ref?: string; in?: string; name: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security: Record<string, unknown>[];
}

/** Returns all operations of the document. */
export const operationsOf = (document: OpenApiDocument): FuzzedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Documented>).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody, security } = operation;
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        headers: parameters.map(({ $ref, name }) => $ref?.split('/').at(-1) ?? name),
        bodies: Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => [type, example]),
        caller: security.length === 0 ? null : 'formAccessToken' in security[0]! ? 'formToken' : 'admin',
      };
    }),
  );

/** A success ends the tokens of the caller. */
const endsTokens = new Set(['changeMe', 'changePassword']);

/** Returns a request that the document allows, most often with one or two changes to it. */
export function requestOf(operation: FuzzedOperation, world: World, random: Random): FuzzRequest {
  const { operationId, method, path, query, headers, bodies, caller } = operation;
  const { tokens, samples, proof, fill } = world;
  const usual = caller && tokens[endsTokens.has(operationId) ? 'leaving' : caller];
  const token = random.chance(0.8) ? usual : random.pick([null, ...Object.values(tokens)]);
  const [type, example] = bodies.length === 0 ? [null, null] : random.pick(bodies);
  const value =
    type === 'application/json' || type?.includes('form-url') ? changedByName(example, world, random) : null;
  const known = query.filter((name) => name in samples && random.chance(0.4));
  const pairs = known.flatMap((name) => [random.pick(samples[name]!)].flat().map((each) => pair(name, each)));
  const text = type && textOf(type, value);
  const request: FuzzRequest = {
    operationId,
    method: method === 'GET' && random.chance(0.05) ? 'HEAD' : method,
    target: fill(path, method) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(headers.includes('X-Canvass-Proof') && proof),
      ...(headers.includes('Idempotency-Key') &&
        random.chance(0.2) && { 'idempotency-key': `fuzz-${random.between(0, 20)}` }),
      ...(type && { 'content-type': type }),
    },
    body: text === null ? null : Buffer.from(text),
  };
  for (let left = random.pick([0, 1, 1, 1, 1, 2]); left > 0; left -= 1)
    Object.assign(request, mutated(request, operation, value, random));
  return request;
}

/** The example, with values that exist here, and without some members. */
function changedByName(example: unknown, { samples }: World, random: Random): unknown {
  const loopback = JSON.stringify(example).replaceAll(/https?:\/\/[\w.-]+/g, 'http://127.0.0.1:9');
  return JSON.parse(loopback, (name, value: unknown) => {
    if (name in samples && random.chance(0.85)) return random.pick(samples[name]!);
    return name !== '' && random.chance(0.03) ? undefined : value;
  });
}

function textOf(mediaType: string, value: unknown): string {
  if (mediaType === 'text/csv') return 'value,default,de\r\nx,X,Ix\r\n';
  if (mediaType.endsWith('ndjson')) return '{"value":"x","labels":{"default":"X"}}\n';
  if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(value);
  return new URLSearchParams(value as Record<string, string>).toString();
}

function mutated(
  request: FuzzRequest,
  operation: FuzzedOperation,
  value: unknown,
  random: Random,
): Partial<FuzzRequest> {
  const { target, headers, body } = request;
  const [path = '', ...search] = target.split('?');
  const draw = random.next();
  if (draw < 0.4 && body !== null) {
    if (value === null || random.chance(0.15)) return { body: random.pick(brokenJson)(String(body)) };
    return { body: Buffer.from(mutatedJson(value, random)) };
  }
  if (draw < 0.45)
    return {
      headers: { ...headers, 'content-type': 'application/json' },
      body: random.pick([Buffer.from('{}'), null]),
    };
  if (draw < 0.6) {
    const segments = path.split('/');
    const parameters = operation.path.split('/').flatMap((part, n) => (part.startsWith('{') ? [n] : []));
    const at = parameters.length > 0 ? random.pick(parameters) : segments.length;
    segments[at] = random.pick(oddSegments);
    return { target: [segments.join('/'), ...search].join('?') };
  }
  if (draw < 0.8) {
    if (operation.query.length === 0 || random.chance(0.25))
      return { target: path + random.pick(oddQueries) };
    const added = pair(random.pick(operation.query), random.pick(oddTexts).slice(0, 3_000));
    return { target: `${target}${search.length > 0 ? '&' : '?'}${added}` };
  }
  if (draw < 0.95) {
    const [name, values] = random.pick(oddHeaders);
    return { headers: { ...headers, [name]: random.pick(values) } };
  }
  return { method: random.pick(methods) };
}

/** Stands for a text that `JSON.stringify` cannot write. */
const placeholder = '\u0007';

/** Returns the JSON text of a value with one place removed, repeated, replaced, or with a member added. */
export function mutatedJson(value: unknown, random: Random): string {
  const keys: string[] = [];
  JSON.stringify(value, (key, each: unknown) => (keys.push(key), each));
  const chosen = random.between(0, keys.length - 1);
  const how = random.pick(['replace', 'replace', 'replace', 'remove', 'repeat', 'add']);
  const token = random.chance(0.5) ? random.pick(oddJson) : JSON.stringify(random.pick(oddTexts));
  let at = 0;
  const changed = how === 'remove' ? undefined : placeholder;
  const text = JSON.stringify(value, (_key, each: unknown) => (at++ === chosen ? changed : each)) ?? '';
  const key = JSON.stringify(keys[chosen]);
  const added = how === 'repeat' ? `${token},${key}:1` : token;
  const whole = text.replace(JSON.stringify(placeholder), () => added);
  return how === 'add' ? whole.replace('{', () => `{${JSON.stringify(random.pick(oddTexts))}:1,`) : whole;
}

/** A URL cannot contain lone surrogates, not even encoded. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

const pair = (name: string, value: unknown): string =>
  `${encoded(name)}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`;
