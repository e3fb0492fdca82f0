import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { OpenApiDocument } from '@canvass/openapi';
import { judgeOf } from './judge';
import type { FuzzedOperation } from './operations';
import { mutatedJson, requestsOf } from './requests';
import type { World } from './world';

const operation: FuzzedOperation = {
  operationId: 'changeThing',
  method: 'PATCH',
  path: '/things/{id}',
  query: [{ name: 'page', schema: { type: 'integer', minimum: 1 } }],
  headers: ['Idempotency-Key'],
  body: {
    'application/json': {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 20 }, tags: { type: 'array', items: {} } },
    },
  },
  caller: 'admin',
};
const world: World = {
  tokens: { admin: 'A', leaving: 'L', viewer: 'V', stranger: 'S', formToken: 'F', submissionToken: 'T' },
  samples: {},
  proof: 'P',
  fill: (path) => path.replace('{id}', '7'),
};

it('the same seed makes the same requests, another seed others; some are valid', () => {
  const requests = (seed: number) => fc.sample(requestsOf(operation, {}, world), { seed, numRuns: 200 });
  const digest = (seed: number) => {
    const hash = createHash('sha256');
    for (const { method, target, headers, body } of requests(seed))
      hash.update(JSON.stringify([method, target, headers])).update(body ?? '-');
    return hash.digest('hex');
  };
  expect(digest(1)).toBe(digest(1));
  expect(digest(1)).not.toBe(digest(2));
  const isValid = ({ method, target }: { method: string; target: string }) =>
    method === 'PATCH' && /^\/things\/7(\?|$)/.test(target);
  const valid = requests(1).filter(isValid);
  expect(valid.length).toBeGreaterThan(40);
  expect(valid.length).toBeLessThan(200);
});

it.each([
  ['replace', 1, '{"a":NaN,"b":[2]}'],
  ['replace', 0, 'NaN'],
  ['replace', 3, '{"a":1,"b":[NaN]}'],
  ['remove', 1, '{"b":[2]}'],
  ['repeat', 1, '{"a":NaN,"a":1,"b":[2]}'],
  ['add', 2, '{"x":NaN,"a":1,"b":NaN}'],
])('a JSON text can be mutated: %s at %i', (how, place, text) => {
  expect(mutatedJson({ a: 1, b: [2] }, place, how, 'NaN', 'x')).toBe(text);
});

describe('an answer is a fault', () => {
  const paths = {
    '/things/{id}': { patch: { responses: { 204: {}, 500: {} } } },
    '/things/count': { get: { responses: { 200: {} } } },
  };
  const judge = judgeOf({ paths } as unknown as OpenApiDocument);
  const faultsOf = (status: number, request: { method?: string; target?: string } = {}, headers = {}) =>
    judge(
      { method: 'PATCH', target: '/things/7?a=b', ...request },
      { status, headers: { 'x-request-id': 'r', ...headers }, body: Buffer.from('') },
    );

  it('if it is a failure, documented or not', () => {
    expect(faultsOf(500)).toEqual(['the answer is a 500']);
  });
  it('if the document does not have it', () => {
    expect(faultsOf(204)).toEqual([]);
    expect(faultsOf(200)).toEqual(['the status 200 is not documented']);
    expect(faultsOf(204, { target: '/things/7/' })).toEqual([]);
    expect(faultsOf(204, { target: '/things/count' })).toEqual([]);
  });
  it('if there is no such operation and it is no problem', () => {
    expect(faultsOf(200, { method: 'POST' })).toEqual(['POST of no operation is answered 200']);
    expect(faultsOf(404, { target: '/x' })).toEqual(['a 404 of no operation that is not a problem']);
  });
  it('if it has no id for the logs', () => {
    expect(faultsOf(204, {}, { 'x-request-id': undefined })).toEqual(['it has no X-Request-Id']);
  });
});
