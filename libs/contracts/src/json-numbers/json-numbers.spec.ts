import { digitsOf, readJson, readJsonForFloats, writeJson } from './json-numbers';

const kept = [
  '9007199254740993',
  '-9007199254740993',
  '1.0',
  '0.10',
  '1e400',
  '-1E+5',
  '-0',
  '-0.0',
  '0',
  '12',
  '1.5',
  '123456789012345678901234567890.125',
];

it.each(kept)('keeps %s', (number) => {
  for (const text of [
    number,
    `[${number}]`,
    `{"a":${number}}`,
    `{"a":[1,${number},"${number}"],"a${number}":{"b":${number}}}`,
  ])
    expect(writeJson(readJson(text))).toBe(text);
  expect(digitsOf(readJson(` ${number}\n`))).toBe(number);
});

it.each([
  ['1.0', '1.0'],
  ['0.10', '0.10'],
  ['-1E+5', '-1E+5'],
  ['-0.0', '-0.0'],
  ['100000000000000000000000', '100000000000000000000000'],
  ['123e-20', '123e-20'],
  ['9007199254740993', '"9007199254740993"'],
  ['-9007199254740993', '"-9007199254740993"'],
  ['1.00000000000000000001', '"1.00000000000000000001"'],
  ['1e400', '"1e400"'],
  ['-1e400', '"-1e400"'],
  ['1e-400', '"1e-400"'],
  ['0e400', '0e400'],
])('is for clients with floats: %s as %s', (number, written) => {
  expect(writeJson(readJsonForFloats(`{"a":[${number}]}`))).toBe(`{"a":[${written}]}`);
});

it('leaves what a float keeps a number, and strings as they are', () => {
  const text = '{"a":1.5,"b":"1.0","c":"\\"1.0","d":":1.0,","e":[-3,true,null],"f":"\\\\"}';
  expect(readJson(text)).toEqual(JSON.parse(text));
  expect(writeJson(readJson(text))).toBe(text);
});

it.each(['1.0', 'number-1.0', null, true, {}])('%j is not a number', (value) => {
  expect(digitsOf(value)).toBeNull();
});

it('refuses what JSON does not have', () => {
  for (const text of ['01.0', '1.', '[1.0.0]', '1.0e', '+1.0', '']) {
    expect(() => readJson(text)).toThrow(SyntaxError);
  }
});

it('writes with a replacer and spaces', () => {
  expect(writeJson(readJson('{"a":1.0,"b":"x"}'), (_name, value) => (value === 'x' ? 'y' : value), 1)).toBe(
    '{\n "a": 1.0,\n "b": "y"\n}',
  );
});

it('reads strings of any length, whatever they escape', () => {
  const text = '\\"'.repeat(2 * 1024 * 1024);
  const json = JSON.stringify({ a: text, b: `${'\\'.repeat(1024)}"` });
  expect(writeJson(readJson(`{"n":1.0,"of":${json}}`))).toBe(`{"n":1.0,"of":${json}}`);
});
