import { differences, formatted, headersOf } from '../src/signed-in/webhooks/compared';

describe('a comparison', () => {
  it('has what differs, also what only one of them has', () => {
    expect(differences({ a: '1', b: '2', c: '3' }, { a: '1', b: '4', d: '5' })).toEqual([
      { name: 'b', first: '2', second: '4' },
      { name: 'c', first: '3', second: '' },
      { name: 'd', first: '', second: '5' },
    ]);
  });

  it('knows headers in any case', () => {
    expect(headersOf('→', { 'Content-Type': 'text/plain', N: 1 })).toEqual({
      '→ content-type': 'text/plain',
      '→ n': '1',
    });
    expect(headersOf('←', null)).toEqual({});
  });
});

it('indents JSON that stays the same, and leaves other texts as they are', () => {
  expect(formatted('{"a":117427679766773771}')).toBe('{\n  "a": 117427679766773771\n}');
  const odd = { 'a, "b': '{"x":[1,2]}\\', c: [[], {}, [1.5, null, 'd']], e: { f: true } };
  for (const spaces of [undefined, 1, '\t'])
    expect(formatted(JSON.stringify(odd, null, spaces))).toBe(JSON.stringify(odd, null, 2));
  expect(formatted('{"id" : "7", "list" : [ ]}')).toBe('{\n  "id": "7",\n  "list": []\n}');
  expect(formatted('out of order')).toBe('out of order');
});
