const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Answers that may be stored, though not all of them can be sent any more. */
export const oddAnswers: Record<string, string> = {
  'too deep': `{"x":${deep(6_000)},"y":"beside"}`,
  'deep objects': `{"x":${'{"x":'.repeat(6_000)}1${'}'.repeat(6_000)}}`,
  'deep in a member that another one replaces': `{"x":${deep(6_000)},"x":"last"}`,
  'deep at the top': deep(6_000),
  'a number without a float': '{"x":1e400000,"y":"1e400000"}',
  'a negative number without a float': `{"x":-${'9'.repeat(400)}}`,
  'such a number in a list': '{"x":[1,-2e999],"y":{"z":3E+999}}',
  'a number close to zero': '{"x":1e-400000}',
  'numbers with more digits than floats':
    '{"x":9007199254740993,"y":{"z":1.0,"w":[0.10,123456789.123456789]}}',
  'lone surrogates': '{"x":"\\ud800","\\udc00":"\\udfff"}',
  'zero characters': '{"x":"a\\u0000b","\\u0000":1}',
  'duplicate members': '{"x":1,"x":2}',
  'members of Object': '{"__proto__":{"x":1},"constructor":{"prototype":1},"toString":2,"x":"own"}',
  'a list': '[{"x":1},2]',
  'a number': '7',
  'a large number': '1e400000',
  'a text': '"x"',
  'a boolean': 'true',
  null: 'null',
  'strange spaces': ' { "x" :\t1e400000 ,\n"y":[ ] }\r\n',
};
