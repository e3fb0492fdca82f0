import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '@canvass/openapi';
import { asCurl } from './as-curl';
import { Judge } from './judge';
import type { FuzzedOperation } from './operations';
import { Requests, type FuzzRequest } from './requests';
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
  tokens: { admin: 'A', viewer: 'V', stranger: 'S', formToken: 'F', submissionToken: 'T' },
  samples: {},
  fill: (path) => path.replace('{id}', '7'),
};
const made = (seed: string) => {
  const requests = new Requests(seed, {}, world);
  return Array.from({ length: 200 }, (_, number) => requests.make(operation, number));
};

it('the same seed makes the same requests, another one others; some of them are good', () => {
  const digest = (seed: string) => {
    const hash = createHash('sha256');
    for (const { body, ...request } of made(seed)) hash.update(JSON.stringify(request)).update(body ?? '-');
    return hash.digest('hex');
  };
  expect(digest('a')).toBe(digest('a'));
  expect(digest('a')).not.toBe(digest('b'));
  const good = made('a').filter(
    ({ method, target }) => method === 'PATCH' && /^\/things\/7(\?|$)/.test(target),
  );
  expect(good.length).toBeGreaterThan(40);
  expect(good.length).toBeLessThan(200);
});

it('a request can be sent again by a shell', () => {
  const request: FuzzRequest = {
    operationId: 'changeThing',
    method: 'PATCH',
    target: `/things/'${'9'.repeat(300)}\\`,
    headers: { authorization: 'Bearer A', 'x-odd': 'é' },
    body: Buffer.from('{"name":"\u0001"}'),
  };
  const told = asCurl(request, world).replace(/^curl/, 'printf "<%s>"');
  const { stdout } = spawnSync('bash', ['-c', told], {
    env: { PATH: process.env['PATH'], GATEWAY: 'http://g', ADMIN: 'A' },
    encoding: 'latin1',
  });
  expect(stdout).toContain(`<http://g${request.target}>`);
  expect(stdout).toContain('<authorization: Bearer A>');
  expect(stdout).toContain('<x-odd: é>');
  expect(stdout).toContain('<{"name":"\u0001"}>');
});

describe('an answer is a fault', () => {
  const document = {
    paths: {
      '/things/{id}': { patch: { responses: { 204: {}, 500: {} } } },
      '/things/count': { get: { responses: { 200: {} } } },
    },
  } as unknown as OpenApiDocument;
  const judge = new Judge(document);
  const faultsOf = (status: number, more: Partial<FuzzRequest> = {}, headers = {}) => {
    const request = {
      operationId: '',
      method: 'PATCH',
      target: '/things/7?a=b',
      headers: {},
      body: null,
    };
    const answer = { status, headers: { 'x-request-id': 'r', ...headers }, body: Buffer.from('') };
    return judge.faultsOf({ ...request, ...more }, answer);
  };

  it('when it is a failure, documented or not', () => {
    expect(faultsOf(500)).toEqual(['the answer is a 500']);
  });
  it('when the document does not have it', () => {
    expect(faultsOf(204)).toEqual([]);
    expect(faultsOf(200)).toEqual(['the status 200 is not documented']);
    expect(faultsOf(204, { target: '/things/7/' })).toEqual([]);
    expect(faultsOf(204, { target: '/things/count' })).toEqual([]);
  });
  it('when there is no such operation and it is no problem', () => {
    expect(faultsOf(200, { method: 'POST' })).toEqual(['POST of no operation is answered 200']);
    expect(faultsOf(404, { target: '/x' })).toEqual(['a 404 of no operation that is not a problem']);
  });
  it('when nobody can find it in the logs', () => {
    expect(faultsOf(204, {}, { 'x-request-id': undefined })).toEqual(['it has no X-Request-Id']);
  });
});
