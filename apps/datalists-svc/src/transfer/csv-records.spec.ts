import fc from 'fast-check';
import { CsvRecordReader, recordLimit, type CsvRecord } from './csv-records';

function read(text: string, chunkSize = text.length || 1) {
  const reader = new CsvRecordReader();
  const all: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += chunkSize)
    all.push(...reader.push(text.slice(at, at + chunkSize)));
  all.push(...reader.end());
  const faults = all.flatMap((record) => record.faults);
  const records = all
    .filter((record) => record.faults.length === 0)
    .map(({ line, text }) => ({ line, text }));
  return { records, faults };
}

const texts = (text: string) => read(text).records.map((record) => record.text);

describe('CsvRecordReader', () => {
  it('splits at CRLF, LF and CR, even mixed', () => {
    expect(texts('a\r\nb\nc\rd')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('returns blank lines, but no record after a final line break', () => {
    expect(texts('a\r\n\r\nb\r\n')).toEqual(['a', '', 'b']);
  });

  it('keeps line breaks in quoted cells and counts physical lines', () => {
    const { records } = read('a,"1\r\n2\n3\r4"\r\nb\n');
    expect(records).toEqual([
      { line: 1, text: 'a,"1\r\n2\n3\r4"' },
      { line: 5, text: 'b' },
    ]);
  });

  it('skips a byte order mark at the start only', () => {
    expect(texts('\ufeffa\n\ufeffb')).toEqual(['a', '\ufeffb']);
  });

  it('reports where a quote was opened that is never closed', () => {
    expect(read('a\nb,"c\nd\n').faults).toEqual([
      { line: 2, column: 2, code: 'quote_not_closed', message: 'A quote is opened here and never closed.' },
    ]);
  });

  it('reports text after a closing quote and continues with the next record', () => {
    const { records, faults } = read('a,"b"c,d\ne\n');
    expect(faults).toEqual([
      {
        line: 1,
        column: 2,
        code: 'text_after_quote',
        message: 'There is text after the closing quote of the cell.',
      },
    ]);
    expect(records).toEqual([{ line: 2, text: 'e' }]);
  });

  it('reports a quote inside an unquoted cell', () => {
    expect(read('a, "b"\n').faults).toEqual([
      {
        line: 1,
        column: 2,
        code: 'quote_in_cell',
        message: expect.stringContaining('quote inside an unquoted cell') as string,
      },
    ]);
  });

  it('stops at the maximum length of a record', () => {
    const { faults, records } = read(`a\n"${'x'.repeat(recordLimit * 2)}`, 64 * 1024);
    expect(records).toEqual([{ line: 1, text: 'a' }]);
    expect(faults).toEqual([
      {
        line: 2,
        column: 1,
        code: 'quote_not_closed',
        message: expect.stringContaining('not closed within') as string,
      },
    ]);
  });

  it('returns the same for pieces of any size', () => {
    const text = fc.array(fc.constantFrom('a', ',', '"', '\r', '\n', '\r\n', 'ł', '😀'), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (parts, size) => {
        expect(read(parts.join(''), size)).toEqual(read(parts.join('')));
      }),
    );
  });
});
