import fc from 'fast-check';
import Joi from 'joi';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { endpoint, idSchema, ok, pageQuery, searchText } from '../src';
import { closeTestApps, testApp } from './harness';

afterEach(closeTestApps);

const endpoints = [
  endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'put',
    path: '/api/things/:id',
    operationId: 'put',
    summary: '',
    answers: null,
    access: 'anonymous',
    params: Joi.object({ id: idSchema.required() }),
    query: Joi.object({ ...pageQuery(10), locales: searchText() }),
    body: Joi.object({
      id: idSchema,
      jsonData: Joi.string(),
      culture: Joi.string().trim().lowercase().max(35),
      flag: Joi.boolean(),
      count: Joi.number().integer(),
      at: Joi.date(),
      list: Joi.array().items(Joi.alternatives(Joi.string(), Joi.number())),
    }).unknown(),
    handle: ({ params, query, body, ifMatch }) =>
      Promise.resolve(ok({ params, query, body, ifMatch }, { etag: '1' })),
  }),
];

interface Sent {
  path: string;
  headers: OutgoingHttpHeaders;
  body: string | Buffer;
}

/** Uses node:http instead of fetch, because it can send malformed requests. */
function put(url: string, { path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method: 'PUT', headers, agent: false, path }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on('error', reject).end(body);
  });
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '9223372036854775808',
    '-1',
    '1e400',
    'NaN',
    '__proto__',
    'en-US',
    '{"a":"\\u0000"}',
    '{',
  ),
);
const json = fc.oneof(
  fc.dictionary(
    fc.constantFrom(
      'id',
      'jsonData',
      'culture',
      'flag',
      'count',
      'at',
      'list',
      '__proto__',
      'constructor',
      'x',
    ),
    fc.oneof(hostile, fc.jsonValue(), fc.double(), fc.array(hostile)),
  ),
  fc.jsonValue(),
  hostile,
);
/** Visible ASCII, as a header may hold it. */
const headerText = fc.string({ unit: fc.constantFrom(...'"*W/,;= -_aZ09:\\()<>%') });

test('random bodies, paths, queries and headers never give a 500', async () => {
  const { url } = await testApp({ endpoints });
  await fc.assert(
    fc.asyncProperty(json, hostile, hostile, headerText, headerText, async (body, id, query, match, type) => {
      const text = JSON.stringify(body) ?? '';
      const status = await put(url, {
        path: `/api/things/${escape(id)}?page=${escape(query)}&locales=${escape(id)}`,
        headers: {
          'Content-Type': type.length % 2 === 0 ? 'application/json' : `application/json;${type}`,
          'If-Match': match,
          'X-Request-Id': match,
          traceparent: type,
        },
        body: text,
      });
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
});

test('random bytes as a body never give a 500', async () => {
  const { url } = await testApp({ endpoints });
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('identity', 'gzip', 'br', 'deflate', 'x'),
      async (bytes, encoding) => {
        const status = await put(url, {
          path: '/api/things/1',
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
          body: Buffer.from(bytes),
        });
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 150 },
  );
});

/** Percent-encodes bytes that a request line must not contain, and keeps malformed percent signs. */
const escape = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f && byte !== 0x23
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
