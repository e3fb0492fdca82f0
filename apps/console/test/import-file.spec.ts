import { fileLines } from '../src/signed-in/data-lists/file-lines';
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

describe('the preview of a file', () => {
  it('of CSV has its columns and first rows, with quotes', async () => {
    const preview = await previewOf(file('\ufeffvalue,default\r\na,"A ""1"", x"\r\n"b\nb",B\r\n\r\n'));
    expect(preview).toEqual({
      format: 'csv',
      isUtf8: true,
      columns: ['value', 'default'],
      rows: [
        ['a', 'A "1", x'],
        ['b\nb', 'B'],
      ],
    });
  });

  it.each([
    ['German Excel', Buffer.from('value;default;de\r\nk;Cologne;K\u00f6ln\r\n;;\r\n', 'latin1')],
    ['a separator line', Buffer.from('\ufeffsep=|\r\nvalue|default|de\r\nk|Cologne|K\u00f6ln\r\n')],
    ['Unicode text', Buffer.from('\ufeffvalue\tdefault\tde\nk\tCologne\tK\u00f6ln\n', 'utf16le')],
    [
      'Unicode text without a mark',
      Buffer.from('value\tdefault\tde\nk\tCologne\tK\u00f6ln\n', 'utf16le').swap16(),
    ],
  ])('of a spreadsheet has its columns: %s', async (_what, bytes) => {
    expect(await previewOf(file(new Uint8Array(bytes)))).toEqual({
      format: 'csv',
      isUtf8: true,
      columns: ['value', 'default', 'de'],
      rows: [['k', 'Cologne', 'K\u00f6ln']],
    });
  });

  it('has 200 rows of a large file, and none that is cut', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => `v${n},Label ${n}\n`).join('');
    const preview = await previewOf(file(`value,default\n${rows}`));
    expect(preview.rows).toHaveLength(200);
    expect(preview.rows.at(-1)).toEqual(['v199', 'Label 199']);
    const long = await previewOf(file(`value,default\na,${'x'.repeat(200_000)}\nb,${'y'.repeat(200_000)}\n`));
    expect(long.rows.map(([value]) => value)).toEqual(['a']);
  });

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
