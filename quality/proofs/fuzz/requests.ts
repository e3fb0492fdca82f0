import { createRandom, type Random } from '@canvass/testing';
import type { JsonSchema } from '@canvass/openapi';
import { brokenJson, mutatedJson } from './mutations';
import { oddHeaders, oddMethods, oddQueries, oddSegments, oddTexts } from './odd-values';
import type { FuzzedOperation } from './operations';
import { Values } from './values';
import type { World } from './world';

/** A request as it goes over the wire. */
export interface FuzzRequest {
  operationId: string;
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

type Change = (request: FuzzRequest, operation: FuzzedOperation) => void;

/** Makes requests: good ones by the document, most of them with one or two things about them changed. */
export class Requests {
  readonly #changes: readonly [weight: number, change: Change][] = [
    [6, (...of) => this.#changeBody(...of)],
    [3, (...of) => this.#changePath(...of)],
    [3, (...of) => this.#changeQuery(...of)],
    [3, (request) => this.#changeHeader(request)],
    [1, (request) => (request.method = this.#random.pick(oddMethods))],
  ];
  #random: Random = createRandom('');
  #json: unknown;

  constructor(
    private readonly seed: string,
    private readonly schemas: Readonly<Record<string, JsonSchema>>,
    private readonly world: World,
  ) {}

  /** The request of this number; the same seed, number and world make the same one. */
  make(operation: FuzzedOperation, number: number): FuzzRequest {
    const random = (this.#random = createRandom(`${this.seed}/${number}`));
    const request = this.#good(operation);
    const changes = random.pick([0, 1, 1, 1, 1, 2]);
    for (let count = 0; count < changes; count += 1) this.#oneChange()(request, operation);
    return request;
  }

  #good(operation: FuzzedOperation): FuzzRequest {
    const random = this.#random;
    const values = new Values(random, this.schemas, this.world.samples);
    const { operationId, method, path } = operation;
    const pairs = operation.query
      .filter(() => random.chance(0.4))
      .flatMap(({ name, schema }) => [values.of(schema, name)].flat().map((value) => pair(name, value)));
    const request: FuzzRequest = {
      operationId,
      method: method === 'GET' && random.chance(0.05) ? 'HEAD' : method,
      target: this.world.fill(path, method) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`),
      headers: this.#credentials(operation),
      body: null,
    };
    if (operation.headers.includes('Idempotency-Key') && random.chance(0.2))
      request.headers['idempotency-key'] = `fuzz-${random.between(0, 20)}`;
    const [mediaType, schema] = random.pick([...Object.entries(operation.body), undefined]) ??
      Object.entries(operation.body)[0] ?? [undefined, {}];
    if (mediaType === undefined) return request;
    request.headers['content-type'] = mediaType;
    this.#json = values.of(schema);
    request.body = Buffer.from(this.#textOf(mediaType));
    return request;
  }

  #textOf(mediaType: string): string {
    if (mediaType === 'text/csv') return 'value,default,de\r\nx,X,Ix\r\n';
    if (mediaType.endsWith('ndjson')) return '{"value":"x","labels":{"default":"X"}}\n';
    if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(this.#json);
    return Object.entries(this.#json as object)
      .map(([name, value]) => pair(name, value))
      .join('&');
  }

  /** Mostly somebody who may: who may not tests nothing but that. */
  #credentials({ caller }: FuzzedOperation): Record<string, string> {
    const { admin, viewer, stranger, formToken, submissionToken } = this.world.tokens;
    const random = this.#random;
    const usual = caller === null ? null : this.world.tokens[caller];
    const token = random.chance(0.75)
      ? usual
      : random.pick([null, viewer, stranger, formToken, submissionToken, admin]);
    return token === null ? {} : { authorization: `Bearer ${token}` };
  }

  #oneChange(): Change {
    const total = this.#changes.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.#random.next() * total;
    return this.#changes.find(([weight]) => (at -= weight) < 0)![1];
  }

  #changeBody(request: FuzzRequest, operation: FuzzedOperation): void {
    const random = this.#random;
    const type = request.headers['content-type'] ?? '';
    if (request.body === null) {
      if (random.chance(0.5)) return this.#changeQuery(request, operation); // a body that nobody asked for, at times
      request.headers['content-type'] = random.pick(['application/json', 'text/plain']);
      request.body = Buffer.from(random.pick(['{}', 'null', '[]', 'x', '"\\ud800"']));
    } else if (random.chance(0.04)) {
      request.body = null;
    } else if (type === 'application/json') {
      request.body = random.chance(0.85)
        ? Buffer.from(mutatedJson(this.#json, random))
        : brokenJson(request.body.toString(), random);
    } else {
      const odd = random.pick(oddTexts);
      request.body = random.pick([
        Buffer.from(`${request.body.toString()}${odd}`),
        Buffer.from(`value,default,"${odd}`),
        Buffer.from(request.body.toString().replace('x', odd)),
        brokenJson(request.body.toString(), random),
      ]);
    }
  }

  #changePath(request: FuzzRequest, { path }: FuzzedOperation): void {
    const random = this.#random;
    const [at = '', query] = request.target.split('?', 2);
    const segments = at.split('/');
    const places = path.split('/').flatMap((part, n) => (part.startsWith('{') ? [n] : []));
    if (places.length > 0) segments[random.pick(places)] = random.pick(oddSegments);
    else if (random.chance(0.5)) segments.push(random.pick(oddSegments));
    else segments[segments.length - 1] += random.pick(['%00', '/', '%20', '.json', '%C3%A9', ';a']);
    request.target = segments.join('/') + (query === undefined ? '' : `?${query}`);
  }

  #changeQuery(request: FuzzRequest, { query }: FuzzedOperation): void {
    const random = this.#random;
    const [at = '', before] = request.target.split('?', 2);
    if (query.length === 0 || random.chance(0.25)) {
      request.target = at + random.pick(oddQueries);
      return;
    }
    const { name } = random.pick(query);
    const text = random.pick([...oddTexts, ...oddSegments]).slice(0, 3_000);
    request.target = `${at}?${before === undefined ? '' : `${before}&`}${pair(name, text)}`;
  }

  #changeHeader(request: FuzzRequest): void {
    const name = this.#random.pick(Object.keys(oddHeaders));
    request.headers[name] = this.#random.pick(oddHeaders[name]!);
  }
}

/** A URL cannot carry lone surrogates, not even encoded. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

const pair = (name: string, value: unknown): string =>
  `${encoded(name)}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`;
