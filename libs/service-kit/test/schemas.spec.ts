import Joi from 'joi';
import {
  idSchema,
  instantSchema,
  isBlank,
  listParameters,
  numberedAnswer,
  pageOf,
  searchText,
  visibleText,
} from '../src';
import { jsonPath } from '../src/http/untrusted';

const result = (schema: Joi.Schema, value: unknown): unknown => {
  const { value: got, error } = schema.validate(value, { convert: true, abortEarly: false });
  return error === undefined ? (got as unknown) : 'fault';
};

describe('idSchema', () => {
  test.each([
    ['1', '1'],
    [1, '1'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['007', '7'],
  ])('%p is %s', (value, id) => expect(result(idSchema, value)).toBe(id));

  test.each([
    0,
    '0',
    -1,
    1.5,
    2 ** 53,
    1e19,
    '9223372036854775808',
    '',
    ' 1',
    '1e3',
    '٣',
    true,
    null,
    [],
    {},
    NaN,
  ])('%p is a fault', (value) => expect(result(idSchema, value)).toBe('fault'));
});

test('searchText is trimmed and bounded', () => {
  expect([result(searchText(3), ' ab '), result(searchText(3), 'abcd')]).toEqual(['ab', 'fault']);
});

test.each(['', ' ', '\t\n', '\u00a0', '\u200b', '\u200d\u2060', '\ufeff', '\u00ad \u200b', '\u3164'])(
  '%j shows nothing',
  (text) => expect([isBlank(text), result(visibleText(9), text)]).toEqual([true, 'fault']),
);

test.each(['a', ' a\u200b ', '0', '\u200ba', '👩\u200d🚀'])('%j is visible', (text) =>
  expect([isBlank(text), result(visibleText(9), text)]).toEqual([false, text.trim()]),
);

describe('instantSchema', () => {
  test.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T10:15', '2026-11-20T10:15:00.000Z'],
    ['2026-11-20T10:15:25', '2026-11-20T10:15:25.000Z'],
    ['2026-11-20T10:15:25.1239', '2026-11-20T10:15:25.123Z'],
    ['2026-11-20T10:15:25Z', '2026-11-20T10:15:25.000Z'],
    ['2026-11-20T10:15:25+02:00', '2026-11-20T08:15:25.000Z'],
  ])('%s is %s, whatever the zone of the process', (text, utc) =>
    expect((result(instantSchema('when'), text) as Date).toISOString()).toBe(utc),
  );

  test.each([
    '2026-02-31',
    '2026-13-01',
    '0000-01-01',
    '9999-12-31T23:59:59-02:00',
    '20261120',
    'now',
    '1',
    1,
    null,
  ])('%j is a fault', (value) => expect(result(instantSchema('when'), value)).toBe('fault'));
});

describe('numberedAnswer', () => {
  const number = Joi.object<{ n: number }>({ n: Joi.number().required() }).required();
  const schema = numberedAnswer('Number', number, { n: 1 }, 'A page.').body!;

  test.each([
    [[{ n: 1 }, { n: 2 }], 2],
    [[], 2],
  ])('%j of %i is a page', (items, total) =>
    expect(result(schema, pageOf(items, total, { page: 1, pageSize: 10 }))).not.toBe('fault'),
  );

  test.each([{ items: [{ n: 1, m: 2 }] }, { items: [{}] }, { page: 0 }, { more: true }])(
    'rejects %j',
    (part) => expect(result(schema, { ...pageOf([], 2, { page: 1, pageSize: 10 }), ...part })).toBe('fault'),
  );
});

test('a list has 25 records and no total by default', () => {
  const query = listParameters<{ search?: string }>({ search: Joi.string() });
  expect(result(query, { search: 'a' })).toEqual({ search: 'a', limit: 25, total: 'none' });
  expect(result(query, { after: 'a', before: 'b' })).toBe('fault');
});

test.each<[(string | number)[], string]>([
  [[], '$'],
  [['items', 3, 'value'], 'items[3].value'],
  [[0], '[0]'],
  [['a b', 'c'], '["a b"].c'],
  [['labels', 'pt-br'], 'labels.pt-br'],
])('the path %j is %s', (path, text) => expect(jsonPath(path)).toBe(text));
