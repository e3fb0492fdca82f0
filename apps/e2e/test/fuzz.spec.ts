import { createRandom } from '@canvass/testing';
import type { OpenApiDocument } from '@canvass/openapi';
import { fuzz } from '../src/fuzz';
import { judgeOf } from '../src/fuzz/judge';
import { mutatedJson } from '../src/fuzz/requests';

it('generated malformed and unusual requests to all operations: every response is documented, and none is a 5xx', async () => {
  expect(await fuzz('npm test', 3_500)).toEqual([]);
}, 900_000);

it('a JSON text is mutated in one place', () => {
  const random = createRandom('a');
  const texts = Array.from({ length: 50 }, () => mutatedJson({ a: 1, b: [2] }, random));
  expect(new Set(texts).size).toBeGreaterThan(30);
  expect(texts).not.toContain('{"a":1,"b":[2]}');
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
  });
  it('if there is no such operation and it is no problem', () => {
    expect(faultsOf(200, { method: 'POST' })).toEqual(['POST of no operation is answered 200']);
    // A fixed path is not taken for one with a parameter.
    expect(faultsOf(204, { target: '/things/count' })).toEqual(['PATCH of no operation is answered 204']);
    expect(faultsOf(404, { target: '/x' })).toEqual(['a 404 of no operation that is not a problem']);
  });
  it('if it has no id for the logs', () => {
    expect(faultsOf(204, {}, { 'x-request-id': undefined })).toEqual(['it has no X-Request-Id']);
  });
});
