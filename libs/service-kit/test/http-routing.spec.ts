import Joi from 'joi';
import { connect } from 'node:net';
import {
  created,
  endpoint,
  idSchema,
  noContent,
  ok,
  pageOf,
  pageQuery,
  type Answer,
  type Endpoint,
  type EndpointInput,
} from '../src';
import { closeTestApps, post, problemOf, testApp } from './harness';

afterEach(closeTestApps);

const get = (
  path: string,
  handle: (input: EndpointInput) => Promise<Answer>,
  extra: Partial<Endpoint> = {},
): Endpoint => ({
  method: 'get',
  path,
  kind: 'read',
  operationId: `get ${path}`,
  summary: '',
  answers: null,
  access: 'anonymous',
  handle,
  ...extra,
});

/** Sends raw bytes and returns the complete response. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(text);
      setTimeout(() => socket.end(), 300);
    });
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

const things: Endpoint[] = [
  get('/api/things/:id', ({ params }) => Promise.resolve(ok(params)), {
    params: Joi.object({ id: idSchema.required() }),
  }),
  endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'delete',
    path: '/api/things/:id',
    operationId: 'deleteThing',
    summary: '',
    answers: null,
    access: 'anonymous',
    handle: () => Promise.resolve(noContent()),
  }),
  get('/api/list', ({ query }) => Promise.resolve(ok(query)), {
    query: Joi.object({
      ...pageQuery(10),
      search: Joi.string(),
      tags: Joi.array().items(Joi.string()).single(),
    }),
  }),
];

describe('routes', () => {
  test('an unknown path is a 404 problem', async () => {
    const { url } = await testApp({ endpoints: things });
    const answer = await fetch(`${url}/api/nothing`);
    expect(answer.status).toBe(404);
    expect(await problemOf(answer)).toEqual({
      type: 'urn:canvass:problem:not_found',
      title: 'Not found.',
      status: 404,
      detail: 'There is no such path.',
      traceId: answer.headers.get('x-request-id'),
      errorCode: 'not_found',
    });
  });

  test('a known path with another method is a 405 with Allow', async () => {
    const { url } = await testApp({ endpoints: things });
    const answer = await fetch(`${url}/api/things/1`, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS']);
    expect((await problemOf(answer)).errorCode).toBe('method_not_allowed');
  });

  test('OPTIONS returns the methods', async () => {
    const { url } = await testApp({ endpoints: things });
    const answer = await fetch(`${url}/api/things/1`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS']);
  });

  const fixed = [
    ...things,
    get('/api/things/:id/parts/:part', () => Promise.resolve(ok({}))),
    { ...get('/api/things/export', () => Promise.resolve(ok({ exported: true }))), method: 'post' as const },
    { ...get('/api/things/by-token/:token', () => Promise.resolve(ok({}))), method: 'patch' as const },
    get('/api/things/:other/:part', () => Promise.resolve(ok({}))),
    { ...get('/api/things/:thing', () => Promise.resolve(ok({ put: true }))), method: 'put' as const },
  ];

  test.each([
    ['GET', '/api/things/export', 'OPTIONS, POST'],
    ['DELETE', '/api/things/export/', 'OPTIONS, POST'],
    ['GET', '/api/things/by-token/x', 'OPTIONS, PATCH'],
    ['POST', '/api/things/7', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ])('%s %s is not taken for a path with a parameter', async (method, path, allow) => {
    const { url } = await testApp({ endpoints: fixed });
    const answer = await fetch(url + path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    const options = await fetch(url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  });

  test('the order of the endpoints does not matter', async () => {
    const { url } = await testApp({ endpoints: fixed });
    expect(await (await fetch(`${url}/api/things/export`, { method: 'POST' })).json()).toEqual({
      exported: true,
    });
    expect(await (await fetch(`${url}/api/things/7`, { method: 'PUT' })).json()).toEqual({ put: true });
    expect((await fetch(`${url}/api/things/export/parts`)).status).toBe(200);
    expect((await fetch(`${url}/api/things`, { method: 'OPTIONS' })).status).toBe(404);
  });

  test('HEAD returns the response of GET without its body', async () => {
    const { url } = await testApp({ endpoints: things });
    const answer = await fetch(`${url}/api/things/1`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '10',
      '',
    ]);
  });

  test.each(['/api/things/%ff', '/api/things/%', '/api/things/%E0%A4%A', '/%c0%ae', '/api/things/%00'])(
    'the malformed path %s is a 400',
    async (path) => {
      const { url } = await testApp({ endpoints: things });
      const answer = await fetch(url + path);
      expect([answer.status, (await problemOf(answer)).errorCode]).toEqual([400, 'malformed_request']);
      expect(answer.headers.get('content-type')).toContain('problem+json');
    },
  );

  test.each([
    ['GET //x HTTP/1.1', /^HTTP\/1\.1 404/],
    ['OPTIONS * HTTP/1.1', /^HTTP\/1\.1 (404|204|400)/],
    ['GET http://elsewhere/api/list HTTP/1.1', /^HTTP\/1\.1 200/],
    ['PROPFIND /api/list HTTP/1.1', /^HTTP\/1\.1 405/],
    ['BREW /pot HTTP/1.1', /^HTTP\/1\.1 400/],
  ])('%s', async (line, expected) => {
    const { url } = await testApp({ endpoints: things });
    expect(await raw(url, `${line}\r\nHost: x\r\n\r\n`)).toMatch(expected);
  });
});

describe('parameters', () => {
  test.each(['0', '-1', 'x', '1.5', '9223372036854775808', '99999999999999999999', '1%20', '0x1'])(
    'the id %s is a 400 that names it',
    async (id) => {
      const { url } = await testApp({ endpoints: things });
      const answer = await fetch(`${url}/api/things/${id}`);
      expect([answer.status, Object.keys((await problemOf(answer)).errors ?? {})]).toEqual([400, ['id']]);
    },
  );

  test('the largest id is accepted, and leading zeros are dropped', async () => {
    const { url } = await testApp({ endpoints: things });
    expect(await (await fetch(`${url}/api/things/9223372036854775807`)).json()).toEqual({
      id: '9223372036854775807',
    });
    expect(await (await fetch(`${url}/api/things/007`)).json()).toEqual({ id: '7' });
  });

  test('faults of path and query are reported together', async () => {
    const both = get('/api/both/:id', () => Promise.resolve(ok({})), {
      params: Joi.object({ id: idSchema }),
      query: Joi.object(pageQuery(10)),
    });
    const { url } = await testApp({ endpoints: [both] });
    const { errors } = await problemOf(await fetch(`${url}/api/both/x?page=0&pageSize=201`));
    expect(Object.keys(errors ?? {}).sort()).toEqual(['id', 'page', 'pageSize']);
  });

  test('a repeated parameter is rejected for a single value and accepted for a list', async () => {
    const { url } = await testApp({ endpoints: things });
    const answer = await fetch(`${url}/api/list?search=a&search=b&page=1&page=2`);
    expect((await problemOf(answer)).errors).toEqual({
      search: ['may be given only once'],
      page: ['may be given only once'],
    });
    expect(await (await fetch(`${url}/api/list?tags=a&tags=b`)).json()).toMatchObject({ tags: ['a', 'b'] });
  });

  test.each([
    'search=%00',
    'search=a%00b',
    'search[a]=1',
    '__proto__=1',
    'page=Infinity',
    'page=1e400',
    'page=',
  ])('the query %s is never a 500', async (query) => {
    const { url } = await testApp({ endpoints: things });
    expect([200, 400]).toContain((await fetch(`${url}/api/list?${query}`)).status);
  });

  test.each([
    ['serch=x', { serch: ['is not a known parameter; did you mean "search"?'] }],
    ['pagesize=5', { pagesize: ['is not a known parameter; did you mean "pageSize"?'] }],
    ['page_size=5', { page_size: ['is not a known parameter; did you mean "pageSize"?'] }],
    [
      'tag=a&taggs=b',
      {
        tag: ['is not a known parameter; did you mean "tags"?'],
        taggs: ['is not a known parameter; did you mean "tags"?'],
      },
    ],
    ['utm_source=x', { utm_source: ['is not a known parameter'] }],
    ['=x', { '[""]': ['is not a known parameter'] }],
    ['page=0&utm=1&utm=2', { page: ['must be at least 1'], utm: ['is not a known parameter'] }],
  ])('the unknown parameter of %s is a 400 that names it', async (query, errors) => {
    const { url } = await testApp({ endpoints: things });
    const answer = await fetch(`${url}/api/list?${query}`);
    expect([answer.status, (await problemOf(answer)).errors]).toEqual([400, errors]);
  });

  test('an operation without parameters rejects parameters, for every method', async () => {
    const { url } = await testApp({ endpoints: things });
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${url}/api/things/1?verbose=true`, { method });
      expect([answer.status, (await problemOf(answer)).errors]).toEqual([
        400,
        { verbose: ['is not a known parameter; this operation has none'] },
      ]);
    }
    expect((await fetch(`${url}/api/things/1?`)).status).toBe(200);
  });

  test('pageOf returns page numbers and totals', () => {
    expect(pageOf(['a'], 21, { page: 3, pageSize: 10 })).toEqual({
      page: 3,
      pageSize: 10,
      totalRecords: 21,
      totalPages: 3,
      items: ['a'],
    });
    expect(pageOf([], 0, { page: 1, pageSize: 10 }).totalPages).toBe(0);
  });
});

describe('answers', () => {
  test('created returns the Location', async () => {
    const create = endpoint.write({
      audit: { notRecorded: 'a test' },
      method: 'post',
      path: '/api/things',
      operationId: 'create',
      summary: '',
      answers: null,
      access: 'anonymous',
      handle: () => Promise.resolve(created('/api/things/1', { id: '1' }, { etag: '1' })),
    });
    const { url } = await testApp({ endpoints: [create] });
    const answer = await post(`${url}/api/things`, '');
    expect([answer.status, answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
      201,
      '/api/things/1',
      '"1"',
    ]);
  });

  test('business routes are 503 with Retry-After until the process is ready', async () => {
    let ready = false;
    const { url } = await testApp({ endpoints: things, ready: () => ready });
    const answer = await fetch(`${url}/api/list`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await problemOf(answer)).errorCode).toBe('service_unavailable');
    ready = true;
    expect((await fetch(`${url}/api/list`)).status).toBe(200);
  });
});
