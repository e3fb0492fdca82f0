import { ValueIndex } from './value-index';

describe('ValueIndex', () => {
  it('finds repeated values and their first ordinal', () => {
    const index = new ValueIndex();
    const values = Array.from({ length: 50_000 }, (_, n) => `v${n}`);
    expect(values.every((value, n) => index.note(value, n) === null)).toBe(true);
    expect(values.every((value, n) => index.note(value, 99_999_999) === n)).toBe(true);
  });

  it('distinguishes similar values', () => {
    const index = new ValueIndex();
    const alike = [
      '',
      ' ',
      'a',
      'A',
      'a ',
      'aa',
      'ab',
      'ba',
      'e\u0301',
      '\u00e9',
      '\u0001',
      '\u0100',
      '1',
      '01',
    ];
    for (const [ordinal, value] of alike.entries()) expect(index.note(value, ordinal)).toBeNull();
    for (const [ordinal, value] of alike.entries()) expect(index.note(value, 77)).toBe(ordinal);
  });
});
