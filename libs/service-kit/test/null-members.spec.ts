import Joi from 'joi';
import { endpoint, formatSchema, idSchema, ok } from '../src';
import { closeTestApps, post, problemOf, testApp } from './harness';

afterEach(closeTestApps);

const echo = endpoint.write({
  audit: { notRecorded: 'a test' },
  method: 'post',
  path: '/api/things',
  operationId: 'echo',
  summary: 'Echo',
  answers: null,
  access: 'anonymous',
  body: Joi.object({
    name: Joi.string().required(),
    note: Joi.string(),
    color: Joi.string().valid('red', 'blue'),
    count: Joi.number().integer().default(1),
    flag: Joi.boolean(),
    owner: idSchema,
    tags: Joi.array().items(Joi.string()).default([]),
    provider: Joi.string().empty('').default('own'),
    format: formatSchema('csv', 'json'),
    description: Joi.string().allow(null),
    anything: Joi.any(),
    never: Joi.forbidden(),
    definition: Joi.object(),
    child: Joi.object({ id: Joi.string().required(), note: Joi.string() }),
    list: Joi.array().items(Joi.object({ id: Joi.string().required(), note: Joi.string() })),
  })
    .xor('note', 'color')
    .default({ name: 'none' }),
  handle: ({ body }) => Promise.resolve(ok(body)),
});

const send = async (body: unknown) =>
  post(`${(await testApp({ endpoints: [echo] })).url}/api/things`, JSON.stringify(body));

const defaults = { name: 'a', note: 'b', count: 1, tags: [], provider: 'own', format: 'csv' };

test.each([
  [
    'null for every optional member',
    {
      count: null,
      flag: null,
      owner: null,
      tags: null,
      provider: null,
      format: null,
      color: null,
      never: null,
      definition: null,
      child: null,
      list: null,
    },
    {},
  ],
  [
    'null within an object and within a list',
    { child: { id: 'x', note: null }, list: [{ id: 'y', note: null }] },
    { child: { id: 'x' }, list: [{ id: 'y' }] },
  ],
  [
    'null where it has a meaning',
    { description: null, anything: null },
    { description: null, anything: null },
  ],
  ['null in free-form JSON', { definition: { a: null, b: [null] } }, { definition: { a: null, b: [null] } }],
  ['a format in any case', { format: ' JSON ' }, { format: 'json' }],
  ['a blank format', { format: '  ' }, {}],
])('%s', async (_what, members, kept) => {
  const answer = await send({ name: 'a', note: 'b', ...members });
  expect([answer.status, await answer.json()]).toEqual([200, { ...defaults, ...kept }]);
});

test('rules between members treat null as absent', async () => {
  expect((await send({ name: 'a', note: null, color: 'red' })).status).toBe(200);
  expect((await problemOf(await send({ name: 'a', note: null, color: null }))).errors).toHaveProperty('$');
});

test.each([
  [{ name: null, note: 'b' }, { name: ['is required and must not be null'] }],
  [{ name: 'a', note: 'b', child: { id: null } }, { 'child.id': ['is required and must not be null'] }],
  [{ name: 'a', note: 'b', list: [{ id: null }] }, { 'list[0].id': ['is required and must not be null'] }],
  [{ name: 'a', note: 'b', tags: [null] }, { 'tags[0]': ['must be a string'] }],
  [{ name: 'a', note: 'b', odd: null }, { odd: ['is not a known member'] }],
])('%j is a 400', async (body, errors) => {
  const answer = await send(body);
  expect([answer.status, (await problemOf(answer)).errors]).toEqual([400, errors]);
});
