import { eventually } from '@canvass/testing';
import Joi from 'joi';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { endpoint, ok, readBody, type Endpoint } from '../src';
import { closeTestApps, post, problemOf, testApp } from './harness';

afterEach(closeTestApps);

interface Thing {
  name: string;
  count?: number;
  flag?: boolean;
  items?: { value: string }[];
  definition?: object;
}

const thing = Joi.object<Thing>({
  name: Joi.string().max(10).required(),
  count: Joi.number().integer(),
  flag: Joi.boolean(),
  items: Joi.array().items(Joi.object({ value: Joi.string().required() })),
  definition: Joi.object().unknown(),
});

const echo = (extra: Partial<Endpoint> = {}): Endpoint => ({
  ...endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'post',
    path: '/api/things',
    operationId: 'echo',
    summary: 'Echo',
    answers: null,
    access: 'anonymous',
    body: thing,
    handle: ({ body }) => Promise.resolve(ok(body ?? 'nothing')),
  }),
  ...extra,
});

const app = async (extra: Partial<Endpoint> = {}) =>
  `${(await testApp({ endpoints: [echo(extra)] })).url}/api/things`;

describe('JSON bodies', () => {
  test('a valid body reaches the handler', async () => {
    const answer = await post(await app(), '{"name":"a","items":[{"value":"b"}]}');
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'a', items: [{ value: 'b' }] }]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each(['', '{', '{"name":', '[1,]', 'undefined', '{"name":"hunter2"x}', '\u{feff}'])(
    'malformed JSON %j is a 400 malformed_json that does not quote the body',
    async (body) => {
      const answer = await post(await app(), body);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      const problem = await problemOf(answer);
      expect(['malformed_json', 'validation_failed']).toContain(problem.errorCode);
      expect(problem.detail).not.toContain('hunter2');
    },
  );

  test('a byte order mark is skipped', async () => {
    expect((await post(await app(), '\u{feff}{"name":"a"}')).status).toBe(200);
  });

  test('bytes that are not UTF-8 are malformed_json', async () => {
    const answer = await fetch(await app(), {
      method: 'POST',
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      headers: { 'Content-Type': 'application/json' },
    });
    expect((await problemOf(answer)).errorCode).toBe('malformed_json');
  });

  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['APPLICATION/JSON', 200],
    ['application/merge-patch+json', 200],
    ['application/json; charset=latin1', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['nonsense', 415],
    ['application/jsonx', 415],
  ])('the content type %s gives %i', async (type, status) => {
    const answer = await post(await app(), '{"name":"a"}', { 'Content-Type': type });
    expect(answer.status).toBe(status);
    if (status === 415) expect((await problemOf(answer)).errorCode).toBe('unsupported_media_type');
  });

  test('a body without a content type is a 415', async () => {
    const answer = await fetch(await app(), { method: 'POST', body: Buffer.from('{"name":"a"}') });
    expect(answer.status).toBe(415);
  });

  test('a required body that is not sent is a 400 at $', async () => {
    const answer = await fetch(await app(), { method: 'POST' });
    expect(await problemOf(answer)).toMatchObject({
      errorCode: 'validation_failed',
      errors: { $: ['is required'] },
    });
  });

  test('an optional body may be left out', async () => {
    const answer = await fetch(await app({ body: thing.optional() }), { method: 'POST' });
    expect(await answer.json()).toBe('nothing');
  });

  test('all faults are reported together, keyed by JSON path', async () => {
    const answer = await post(
      await app(),
      '{"name":"12345678901","count":1.5,"items":[{"value":"x"},{}],"odd":1}',
    );
    const { errors, detail } = await problemOf(answer);
    expect(Object.keys(errors ?? {}).sort()).toEqual(['count', 'items[1].value', 'name', 'odd']);
    expect(detail).toBe('4 fields are not valid.');
  });

  test('violations have the rules by name with their values, and never the value of the request', async () => {
    const answer = await post(await app(), '{"name":"12345678901","count":1.5,"odd":1,"no\\u0000":1}');
    const unstorable = await problemOf(answer);
    expect(unstorable.violations).toEqual([
      { path: '["no\\u0000"]', rule: 'invalid', params: {}, message: expect.stringContaining('U+0000') },
    ]);
    const { violations } = await problemOf(
      await post(await app(), '{"name":"12345678901","count":1.5,"odd":1}'),
    );
    expect(violations).toEqual([
      {
        path: 'name',
        rule: 'string.max',
        params: { limit: 10 },
        message: 'must be at most 10 characters long',
      },
      { path: 'count', rule: 'number.integer', params: {}, message: 'must be a whole number' },
      { path: 'odd', rule: 'object.unknown', params: {}, message: 'is not a known member' },
    ]);
  });

  test('an array in place of a single value is reported as a wrong type', async () => {
    const { errors } = await problemOf(await post(await app(), '{"name":["a"],"count":[1]}'));
    expect(errors).toEqual({ name: ['must be a string'], count: ['must be a number'] });
  });

  test('at most 100 faults are listed', async () => {
    const items = JSON.stringify({ name: 'a', items: Array.from({ length: 250 }, () => ({})) });
    const { errors } = await problemOf(await post(await app(), items));
    expect(Object.keys(errors ?? {})).toHaveLength(100);
  });

  test('a single fault is a sentence with its field', async () => {
    const { detail } = await problemOf(await post(await app(), '{}'));
    expect(detail).toBe('name is required.');
  });

  test.each(['{"name":"a","count":"5"}', '{"name":"a","flag":"true"}', '{"name":5}', '"text"', 'null', '[]'])(
    'JSON has types: %s is a 400',
    async (body) => expect((await post(await app(), body)).status).toBe(400),
  );
});

describe('text and structures that break later stages', () => {
  test.each([
    ['{"name":"a\\u0000b"}', 'name'],
    ['{"name":"a\\ud800b"}', 'name'],
    ['{"name":"\\udc00"}', 'name'],
    ['{"name":"a","definition":{"x":["ok",{"\\u0000":1}]}}', 'definition.x[1]["\\u0000"]'],
    ['{"name":"a","definition":{"\\ud800":1}}', 'definition["\\ud800"]'],
    ['{"name":"a","definition":{"__proto__":{"admin":true}}}', 'definition.__proto__'],
    ['{"name":"a","__proto__":{"admin":true}}', '__proto__'],
    ['{"name":"a","definition":{"n":1e999}}', 'definition.n'],
  ])('%s is a 400 at %s', async (body, path) => {
    const answer = await post(await app(), body);
    expect(answer.status).toBe(400);
    expect(Object.keys((await problemOf(answer)).errors ?? {})).toEqual([path]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('a surrogate pair is valid text', async () => {
    expect(await (await post(await app(), '{"name":"\\ud83d\\ude00"}')).json()).toEqual({ name: '😀' });
  });

  test('members called constructor, prototype and toString are plain members', async () => {
    const body =
      '{"name":"a","definition":{"constructor":1,"prototype":{"x":2},"toString":"t","hasOwnProperty":0}}';
    expect(await (await post(await app(), body)).json()).toEqual(JSON.parse(body));
  });

  test.each([
    [63, 200],
    [64, 400],
    [200_000, 400],
  ])('%i nested arrays in a member give %i', async (levels, status) => {
    const body = `{"name":"a","definition":{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}}`;
    expect((await post(await app(), body)).status).toBe(status);
  });
});

describe('size', () => {
  test('a body over the limit is a 413, with and without Content-Length', async () => {
    const url = await app({ bodyLimit: 1000 });
    const body = JSON.stringify({ name: 'x'.repeat(2000) });
    const announced = await post(url, body);
    expect([announced.status, (await problemOf(announced)).errorCode]).toEqual([413, 'payload_too_large']);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(body));
        controller.close();
      },
    });
    const chunked = await fetch(url, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json' },
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test('the default limit is 1 MiB', async () => {
    const url = await app();
    const sized = (bytes: number) => JSON.stringify({ name: 'a', definition: { x: 'y'.repeat(bytes - 36) } });
    expect((await post(url, sized(1024 * 1024))).status).toBe(200);
    expect((await post(url, sized(1024 * 1024 + 100))).status).toBe(413);
  });

  test('a compressed body is accepted; the limit counts the decompressed bytes', async () => {
    const url = await app({ bodyLimit: '2kb' });
    const send = (text: string) =>
      fetch(url, {
        method: 'POST',
        body: gzipSync(text),
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      });
    expect((await send('{"name":"a"}')).status).toBe(200);
    expect((await send(JSON.stringify({ name: 'x'.repeat(5_000_000) }))).status).toBe(413);
  });

  test('an unknown encoding is a 415, a broken one a 400', async () => {
    const url = await app();
    expect((await post(url, '{}', { 'Content-Encoding': 'zstd' })).status).toBe(415);
    expect((await post(url, 'not gzip', { 'Content-Encoding': 'gzip' })).status).toBe(400);
  });
});

describe('other bodies', () => {
  test('rawBody passes the request to the handler as a stream', async () => {
    const url = await app({
      rawBody: ['text/csv'],
      handle: async ({ body, request }) => ok(body ?? String(await readBody(request, 100))),
    });
    const answer = await post(url, 'value,default\r\n', { 'Content-Type': 'text/csv; charset=utf-8' });
    expect(await answer.json()).toBe('value,default\r\n');
    expect((await post(url, '{"name":"a"}')).status).toBe(200);
    expect((await post(url, 'x', { 'Content-Type': 'text/html' })).status).toBe(415);
  });

  test('formBody accepts form-encoded fields and validates them with the same schema', async () => {
    const url = await app({ formBody: true });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await (await post(url, 'name=a%26b', form)).json()).toEqual({ name: 'a&b' });
    expect((await post(url, 'name=a&name=b', form)).status).toBe(400);
    expect((await post(url, 'name=%00', form)).status).toBe(400);
  });

  test('a client that disconnects during its body does not cause an error', async () => {
    const { url, lines } = await testApp({ endpoints: [echo()] });
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write(
          'POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
        );
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on('close', () => resolve());
    });
    await eventually(() => lines.length > 0);
    expect(lines).toEqual([expect.objectContaining({ status: 499, aborted: true, level: 'info' })]);
  });
});
