import { fileLines, partsAtCell } from '../src/signed-in/data-lists/file-lines';
import { columnMap, newLocales, suggestedKeys } from '../src/signed-in/data-lists/column-keys';
import { previewOf, unknownLocales } from '../src/signed-in/data-lists/file-preview';

const file = (content: string | Uint8Array<ArrayBuffer>, name = 'list.csv') => new File([content], name);

describe('the lines of a file', () => {
  it.each(['\n', '\r\n', '\r'])('are found by number if they end with %j', async (end) => {
    const count = 2_500;
    const text = Array.from({ length: count }, (_, n) => `v${n + 1},Łódź`).join(end);
    const lines = fileLines(file(text));
    for (const line of [1, 2, 3, 500, 999, 1000, 1001, 1002, 1003, 2000, 2001, 2499, 2500]) {
      const found = await lines.around(line, 2);
      const first = Math.max(1, line - 2);
      const last = Math.min(count, line + 2);
      expect(found.map((own) => own.line)).toEqual(
        Array.from({ length: last - first + 1 }, (_, n) => first + n),
      );
      for (const own of found) expect(own.text).toBe(`v${own.line},Łódź`);
    }
  });
});

describe('a line of a file of Excel', () => {
  // U+0A0D and U+0D0A have the bytes of line ends.
  const text = Array.from({ length: 1_200 }, (_, n) => `${n + 1};K\u00f6ln`).join('\r\n');
  const wide = text.replaceAll('K', '\u0a0d\u0d0a');
  const swapped = Buffer.from(`\ufeff${wide}`, 'utf16le').swap16();
  it.each([
    ['utf-8', new TextEncoder().encode(`\ufeff${text}`), 'K\u00f6ln'],
    ['windows-1252', new Uint8Array(Buffer.from(text, 'latin1')), 'K\u00f6ln'],
    ['utf-16le', new Uint8Array(Buffer.from(`\ufeff${wide}`, 'utf16le')), '\u0a0d\u0d0a\u00f6ln'],
    ['utf-16be', new Uint8Array(swapped), '\u0a0d\u0d0a\u00f6ln'],
  ])('is found and read in %s', async (encoding, bytes, word) => {
    const lines = fileLines(file(bytes), encoding);
    for (const line of [1, 2, 999, 1_000, 1_001, 1_002, 1_200])
      expect(await lines.around(line, 0)).toEqual([{ line, text: `${line};${word}` }]);
  });

  it.each([
    ['a;"b;c, d";e', 2, ';', ['a;', '"b;c, d"', ';e']],
    ['a\tb,c\td', 2, '\t', ['a\t', 'b,c', '\td']],
    ['a|b|', 3, '|', ['a|b|', '', '']],
    ['a,b', 1, ',', ['', 'a', ',b']],
    ['a,b', 4, ',', ['a,b', '', '']],
  ])('%j has its cell %i between %j', (line, cell, separator, parts) => {
    expect(partsAtCell(line, cell, separator)).toEqual(parts);
  });
});

describe('the preview of a file of items', () => {
  it('of JSON and NDJSON has a column for each language', async () => {
    const items = [
      { value: 'a', labels: { default: 'A', nl: 'Aa' } },
      { value: 'b', labels: { default: 'B' } },
    ];
    const rows = [
      ['a', 'A', 'Aa'],
      ['b', 'B', ''],
    ];
    const ndjson = await previewOf(file(items.map((item) => JSON.stringify(item)).join('\n'), 'list.ndjson'));
    expect(ndjson).toMatchObject({ format: 'ndjson', columns: ['value', 'default', 'nl'], rows });
    const json = await previewOf(file(JSON.stringify(items), 'list.json'));
    expect(json).toMatchObject({ format: 'json', columns: ['value', 'default', 'nl'], rows });
    expect((await previewOf(file('{"value":', 'list.json'))).columns).toBeNull();
  });

  it('says if a file of JSON is not UTF-8', async () => {
    const latin = Uint8Array.from([...'{"value":"K'].map((sign) => sign.charCodeAt(0)).concat(0xf6));
    expect((await previewOf(file(latin, 'list.ndjson'))).isUtf8).toBe(false);
    const wide = new Uint8Array(Buffer.from('{"value":"a"}', 'utf16le'));
    expect((await previewOf(file(wide, 'list.ndjson'))).isUtf8).toBe(false);
    expect((await previewOf(file('{"value":"Köln"}', 'list.ndjson'))).isUtf8).toBe(true);
  });
});

it('languages that the list does not have are offered', () => {
  const list = { defaultLocale: 'en', availableLocales: ['nl'] };
  expect(
    unknownLocales(['value', 'default', 'en', 'NL', 'fr', 'PT-br', 'FR', 'no locale', ''], list),
  ).toEqual(['fr', 'pt-br']);
});

describe('columns of a table', () => {
  const list = { defaultLocale: 'en', availableLocales: ['nl', 'pt-br'] };
  const columns = (...names: string[]) => names.map((name) => ({ name, key: null }));

  it.each<[names: string[], keys: (string | null)[]]>([
    [
      ['Code', 'Name', 'Niederländisch', 'Notes'],
      ['value', 'default', 'nl', null],
    ],
    [
      ['Schlüssel', 'English', 'Nederlands', 'Deutsch'],
      ['value', 'default', 'nl', 'de'],
    ],
    [
      ['ID', 'Brazilian Portuguese', 'fr', 'Bezeichnung'],
      ['value', 'pt-br', 'fr', 'default'],
    ],
    [
      ['Code', 'Code', 'id', ''],
      ['value', null, null, null],
    ],
  ])('%j are %j', (names, keys) => {
    expect(suggestedKeys(columns(...names), list)).toEqual(keys);
  });

  it('that the server knows keep their keys, and are not mapped', () => {
    const found = [{ name: 'value', key: 'value' }, ...columns('Code', 'Name', 'Notes', '')];
    const keys = suggestedKeys(found, list);
    expect(keys).toEqual(['value', null, 'default', null, null]);
    expect(columnMap(found, keys)).toEqual({ Code: null, Name: 'default', Notes: null });
    expect(newLocales(['value', 'nl', 'fr', null, 'fr'], list)).toEqual(['fr']);
  });
});
