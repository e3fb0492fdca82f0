import fc from 'fast-check';
import { mergeMetadata } from '../src/submissions/merge-metadata';

describe('mergeMetadata', () => {
  it.each([
    ['{}', '{"a":1}', '{"a":1}'],
    ['{"a":1}', ' {} ', '{"a":1}'],
    ['{"a": 1 ,"b":{"x":[1,{"y":"}"}]}}', '{"b":2}', '{"a": 1,"b":2}'],
    ['{"a\\"b":"\\\\"}', '{"c":null}', '{"a\\"b":"\\\\","c":null}'],
    ['{"\\u0061":1}', '{"a":2}', '{"a":2}'],
    ['{"n":12345678901234567890}', '{"m":1.0}', '{"n":12345678901234567890,"m":1.0}'],
    ['[1]', '{"a":1}', '{"a":1}'],
    ['{"a":1}', '"text"', '"text"'],
  ])('%s and %s give %s', (stored, patch, merged) => {
    expect(mergeMetadata(stored, patch)).toBe(merged);
  });

  it('means the same as a spread of the parsed objects, whatever they hold', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    const text = fc
      .tuple(object, fc.constantFrom(undefined, 1, '\t'))
      .map(([value, space]) => JSON.stringify(value, null, space));
    fc.assert(
      fc.property(text, text, (stored, patch) => {
        const spread = { ...(JSON.parse(stored) as object), ...(JSON.parse(patch) as object) };
        expect(JSON.parse(mergeMetadata(stored, patch))).toEqual(spread);
      }),
    );
  });
});
