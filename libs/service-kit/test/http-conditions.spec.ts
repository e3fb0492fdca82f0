import Joi from 'joi';
import { assertIfMatch, endpoint, noContent, ok } from '../src';
import { closeTestApps, problemOf, testApp } from './harness';

afterEach(closeTestApps);

const endpoints = [
  endpoint.read({
    method: 'get',
    path: '/api/thing',
    operationId: 'get',
    summary: '',
    answers: null,
    access: 'anonymous',
    handle: () => Promise.resolve(ok({ id: '1' }, { etag: '7' })),
  }),
  endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'put',
    path: '/api/thing',
    operationId: 'put',
    summary: '',
    answers: null,
    access: 'anonymous',
    body: Joi.object().unknown(),
    handle: ({ ifMatch }) => Promise.resolve(ok({ ifMatch }, { etag: '8' })),
  }),
  endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'patch',
    path: '/api/thing',
    operationId: 'patch',
    summary: '',
    answers: null,
    access: 'anonymous',
    handle: ({ ifMatch }) => {
      assertIfMatch(ifMatch, '7');
      return Promise.resolve(ok({}, { etag: '8' }));
    },
  }),
  endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'delete',
    path: '/api/thing',
    operationId: 'delete',
    summary: '',
    answers: null,
    access: 'anonymous',
    handle: () => Promise.resolve(noContent()),
  }),
];

const url = async () => `${(await testApp({ endpoints })).url}/api/thing`;

describe('If-None-Match', () => {
  test('a GET returns the revision as a strong ETag and must be revalidated', async () => {
    const answer = await fetch(await url());
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([
      '"7"',
      'private, no-cache',
    ]);
  });

  test.each(['Authorization', 'X-Submission-Token'])('what %s selects is not kept', async (name) => {
    const answer = await fetch(await url(), { headers: { [name]: 'Bearer a' } });
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual(['"7"', 'no-store']);
  });

  test.each(['"7"', 'W/"7"', '"1", "7"', '"a,b", W/"7"', '*', ' "7" '])(
    '%s is a 304 without a body',
    async (header) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(await url(), { method, headers: { 'If-None-Match': header } });
        expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, '"7"', '']);
        expect(answer.headers.get('content-type')).toBeNull();
      }
    },
  );

  test.each(['"8"', '7', '"7', '', ',,', 'W/7', '""', '"77"'])('%j is a 200', async (header) => {
    const answer = await fetch(await url(), { headers: { 'If-None-Match': header } });
    expect([answer.status, await answer.json()]).toEqual([200, { id: '1' }]);
  });

  test('a write is not affected', async () => {
    const answer = await fetch(await url(), { method: 'DELETE', headers: { 'If-None-Match': '"7"' } });
    expect(answer.status).toBe(204);
  });
});

describe('If-Match', () => {
  const put = async (header?: string) =>
    fetch(await url(), {
      method: 'PUT',
      body: '{}',
      headers: {
        'Content-Type': 'application/json',
        ...(header === undefined ? {} : { 'If-Match': header }),
      },
    });

  test.each([
    [undefined, null],
    ['*', null],
    ['"7"', ['7']],
    [' "9223372036854775807" ', ['9223372036854775807']],
    ['W/"6", "7"', ['6', '7']],
    ['"6", "7","a,b"', ['6', '7', 'a,b']],
  ])('%j is the condition %j', async (header, ifMatch) => {
    expect(await (await put(header)).json()).toEqual({ ifMatch });
  });

  test.each([
    ['*', 200],
    ['"7"', 200],
    ['"3", "7"', 200],
    ['W/"6", "7"', 200],
    ['"6", "8"', 412],
    ['"6", W/"7"', 200],
    ['W/"7"', 200],
    ['W/"6"', 412],
    ['"abc"', 412],
    ['"07"', 412],
    ['""', 412],
  ])('%s on revision 7 is a %i', async (header, status) => {
    const answer = await fetch(await url(), { method: 'PATCH', headers: { 'If-Match': header } });
    expect(answer.status).toBe(status);
    if (status === 412) expect((await problemOf(answer)).errorCode).toBe('revision_mismatch');
  });

  test.each(['7', '"7', '7"', 'W/7', '"6", 7', ',', 'x'])('%s is malformed: 400', async (header) => {
    const answer = await put(header);
    expect([answer.status, (await problemOf(answer)).errorCode]).toEqual([400, 'malformed_request']);
  });
});
