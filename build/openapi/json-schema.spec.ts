import { formatSchema, idSchema, nullAsAbsent, pageQuery } from '@canvass/service-kit';
import Ajv2020 from 'ajv/dist/2020';
import Joi from 'joi';
import { Components } from './components';
import { jsonSchemaOf, type Conversion } from './json-schema';

const convert = (schema: Joi.Schema, objects: Conversion['objects'] = 'closed') => {
  const components = new Components();
  return { schema: jsonSchemaOf(schema, { components, objects }), components: components.all() };
};

/** Schemas with values; joi and the JSON Schema made from it must say the same of each. */
const agreements: [string, Joi.Schema, unknown[]][] = [
  ['text', Joi.string().min(2).max(3), ['a', 'ab', 'abc', 'abcd', '', null, 1]],
  ['text that may be empty or null', Joi.string().allow('', null).max(2), ['', null, 'abc', 7]],
  ['text that counts as absent', Joi.string().empty(Joi.valid('', null)), ['', null, 'a', true]],
  ['a format', formatSchema('csv', 'json'), ['csv', 'json', '', null, 'xml', 1]],
  [
    'members that null makes absent',
    nullAsAbsent(
      Joi.object({
        a: Joi.string().required(),
        b: Joi.number(),
        c: Joi.string().valid('x'),
        d: idSchema,
        e: Joi.forbidden(),
        f: Joi.array().items(Joi.object({ g: Joi.boolean() })),
      }).unknown(),
    ),
    [
      { a: 'x', b: null, c: null, d: null, e: null, f: null },
      { a: 'x', f: [{ g: null }] },
      { a: null },
      { a: 'x', e: 1 },
      { a: 'x', c: 'y' },
      { a: 'x', f: [null] },
    ],
  ],
  ['patterns', Joi.string().pattern(/^a/).pattern(/b$/u), ['ab', 'a', 'b', 'axb']],
  ['one of', Joi.string().valid('asc', 'desc'), ['asc', 'up', null, 1]],
  ['one of, or null', Joi.string().valid('asc', null), ['asc', null, 'up']],
  ['numbers', Joi.number().integer().min(1).max(9).allow(null), [1, 9, 0, 10, 1.5, null, true]],
  [
    'lists',
    Joi.array().items(Joi.boolean()).unique().max(2),
    [[], [true], [true, true], ['a'], [true, false, true]],
  ],
  [
    'objects',
    Joi.object({ a: Joi.string().required(), b: Joi.object(), c: Joi.any().strip(), d: Joi.forbidden() }),
    [{ a: 'x' }, {}, { a: 'x', b: { c: 1 } }, { a: 'x', c: 1 }, { a: 'x', d: 1 }, { a: 'x', e: 1 }, [], null],
  ],
  [
    'objects that may have more, but not that',
    Joi.object({ a: Joi.boolean(), d: Joi.forbidden() }).unknown(),
    [{ a: true, e: 1 }, { d: 1 }],
  ],
  [
    'members whose names differ only in case',
    Joi.object({ a: Joi.boolean(), A: Joi.any(), b: Joi.boolean() }),
    [{}, { a: true, A: 1, b: true }, { A: 1 }, { a: 1 }, { B: true }],
  ],
  ['maps', Joi.object().pattern(Joi.string(), Joi.boolean()), [{ a: true }, { a: 1 }, {}]],
  ['maps by pattern', Joi.object().pattern(/^[a-z]+$/, Joi.boolean()), [{ a: true }, { A: true }, { a: 1 }]],
  ['alternatives', Joi.alternatives(Joi.boolean(), Joi.array().max(1)), [true, [], [1, 2], {}]],
  [
    'exactly one of two',
    nullAsAbsent(Joi.object({ a: Joi.number(), b: Joi.string() }).xor('a', 'b')),
    [{}, { a: 1 }, { b: 'x' }, { a: 1, b: 'x' }, { a: null, b: 'x' }, { a: null }, { a: null, b: null }],
  ],
  [
    'members that need or exclude others',
    Joi.object({ a: Joi.any(), b: Joi.any(), c: Joi.any(), d: Joi.any() })
      .or('a', 'b')
      .with('b', ['c'])
      .without('a', ['c', 'd']),
    [
      {},
      { a: 1 },
      { b: 1 },
      { b: 1, c: 1 },
      { a: 1, d: 1 },
      { a: 1, b: 1, c: 1 },
      { c: 1 },
      { b: 1, c: 1, d: 1 },
    ],
  ],
  [
    'ids',
    idSchema,
    ['7', 7, 0, -1, '9223372036854775807', 'x', '', 1.5, 2 ** 53, null, true, '1'.repeat(20)],
  ],
];

it.each(agreements)('%s: joi and the JSON Schema of it agree', (_name, schema, values) => {
  const converted = convert(schema);
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({
    ...converted.schema,
    components: { schemas: converted.components },
  });
  const strict = schema.prefs({ convert: false });
  const byJoi = values.map((value) => [value, strict.validate(value).error === undefined]);
  expect(values.map((value) => [value, validate(value)])).toEqual(byJoi);
  expect(new Set(byJoi.map(([, good]) => good)).size).toBe(2); // some are good and some are not
});

it('contains descriptions, examples and formats', () => {
  const { schema } = convert(
    Joi.object({
      ...pageQuery(25),
      at: Joi.date().iso().description('When.').example('2026-11-20T12:00:00.000Z'),
    }),
  );
  expect(schema).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: {
      page: {
        type: 'integer',
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Page number, starting at 1. Default: `1`.',
      },
      pageSize: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        description: 'Records per page. Default: `25`.',
      },
      at: {
        type: 'string',
        format: 'date-time',
        description: 'When.',
        examples: ['2026-11-20T12:00:00.000Z'],
      },
    },
  });
});

it('says what a text of JSON holds', () => {
  const content = Joi.object({ red: Joi.boolean() }).id('Color');
  const { schema, components } = convert(
    Joi.string().allow(null).meta({ contentSchema: content.describe() }),
    'open',
  );
  expect(schema).toMatchObject({
    contentMediaType: 'application/json',
    contentSchema: { $ref: '#/components/schemas/Color' },
  });
  expect(components['Color']).toMatchObject({ properties: { red: { type: 'boolean' } } });
});

it('makes a component of what has a name, once, and keeps what a use says of it', () => {
  const color = Joi.object({ red: Joi.number() }).meta({ name: 'Color' });
  const { schema, components } = convert(
    Joi.object({
      a: color.description('of the sky'),
      b: color.allow(null).description('of the sea'),
      c: Joi.array().items(color),
    }),
    'open',
  );
  const $ref = '#/components/schemas/Color';
  expect(schema['properties']).toEqual({
    a: { $ref },
    b: { anyOf: [{ $ref }, { type: 'null' }], description: 'of the sea' },
    c: { type: 'array', items: { $ref } },
  });
  expect(components).toEqual({
    Color: { type: 'object', properties: { red: { type: 'number' } }, description: 'of the sky' },
  });
});

describe('refuses to be silent', () => {
  it.each([
    ['of what is checked by code alone', Joi.any().custom((value: unknown) => value)],
    ['of a rule that it does not know', Joi.string().hex()],
    ['of a pattern with a flag', Joi.string().pattern(/a/i)],
    ['of a type that it does not know', Joi.binary()],
    ['of a limit that is another field', Joi.object({ a: Joi.number(), b: Joi.number().min(Joi.ref('a')) })],
    [
      'where one name means two things',
      Joi.object({
        a: Joi.object({ x: Joi.any() }).id('Thing'),
        b: Joi.array().items(Joi.object({ y: Joi.any() }).id('Thing')),
      }),
    ],
  ])('%s', (_name, schema) => {
    expect(() => convert(schema)).toThrow(/meta|translation|flags|limit|called/);
  });
});
