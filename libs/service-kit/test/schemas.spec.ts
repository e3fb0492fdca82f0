import type Joi from 'joi';
import { booleanQuery, cultureKey, idSchema, jsonPath, jsonText, listQuery, searchText } from '../src';

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

describe('cultureKey', () => {
  test.each([
    ['EN', 'en'],
    [' pt-BR ', 'pt-br'],
    ['zh-Hant-TW', 'zh-hant-tw'],
    ['default', 'default'],
  ])('%p is %s', (value, key) => expect(result(cultureKey, value)).toBe(key));

  test.each([
    'e',
    'en_US',
    'en-',
    '-en',
    'en--us',
    'englishlang',
    '1n',
    '',
    'en-' + 'x'.repeat(9),
    `en${'-abcdefgh'.repeat(4)}`,
    5,
  ])('%p is a fault', (value) => expect(result(cultureKey, value)).toBe('fault'));
});

describe('jsonText', () => {
  test.each(['{}', '  {"a" : 1.0 }\n', '"x"', 'null', '{"a":"\\ud83d\\ude00"}'])(
    '%p stays as it is, byte for byte',
    (text) => {
      expect(result(jsonText(1000), text)).toBe(text);
    },
  );

  test.each([
    '',
    '{',
    "{'a':1}",
    'undefined',
    '{"a":"\\u0000"}',
    '{"\\ud800":1}',
    '{"__proto__":1}',
    '[1e999]',
    `${'['.repeat(65)}${']'.repeat(65)}`,
    5,
    {},
  ])('%p is a fault', (text) => expect(result(jsonText(1000), text)).toBe('fault'));

  test('the limit counts bytes', () => {
    expect(result(jsonText(6), '"éé"')).toBe('"éé"');
    expect(result(jsonText(5), '"éé"')).toBe('fault');
  });

  test('the fault names the place inside', () => {
    const { error } = jsonText(1000).validate('{"a":[{"b":"\\u0000"}]}');
    expect(error?.message).toContain('a[0].b contains a character that cannot be stored');
  });
});

describe('queries', () => {
  test.each([
    ['en', ['en']],
    ['en,de', ['en', 'de']],
    [
      ['en', 'DE,fr'],
      ['en', 'de', 'fr'],
    ],
    ['en,,en, ', ['en']],
    ['', []],
  ])('the list %j is %j', (value, list) => expect(result(listQuery(cultureKey, 5), value)).toEqual(list));

  test.each(['en,_', 'a,b,c,d,e,f', [1], { a: 1 }])('the list %j is a fault', (value) => {
    expect(result(listQuery(cultureKey, 5), value)).toBe('fault');
  });

  test('flags and texts', () => {
    expect([
      result(booleanQuery(true), undefined),
      result(booleanQuery(true), 'false'),
      result(booleanQuery(true), '1'),
    ]).toEqual([true, false, 'fault']);
    expect([result(searchText(3), ' ab '), result(searchText(3), 'abcd')]).toEqual(['ab', 'fault']);
  });
});

test.each<[(string | number)[], string]>([
  [[], '$'],
  [['items', 3, 'value'], 'items[3].value'],
  [[0], '[0]'],
  [['a b', 'c'], '["a b"].c'],
  [['labels', 'pt-br'], 'labels.pt-br'],
])('the path %j is %s', (path, text) => expect(jsonPath(path)).toBe(text));
