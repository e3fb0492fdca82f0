// cspell:disable
import type { Page } from 'playwright-core';
import { enter, startStage, type Stage } from '../src/console';

/** Files with every kind of error: the console shows each error in its own line of the file. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const locales = ['de', 'pl', 'nl', 'ar', 'he'];
const header = `value,default,${locales.join(',')}`;
const row = (value: string, label: string, de = '') => `${value},${label},${de},,,,`;
const item = (own: object) => JSON.stringify(own);

interface File {
  name: string;
  content: string | Buffer;
  /** Kinds of its errors. */
  codes: string[];
}

const files: File[] = [
  {
    name: 'rows.csv',
    content: [
      header,
      row('ok', 'Graz', 'Graz'),
      '',
      'short,Graz',
      row('q1', 'a"b'),
      row('q2', '"a"b'),
      row('', 'No value'),
      row('ok', 'Graz again'),
      row('v'.repeat(3_000), 'Long value'),
      row('n\0n', 'NUL in the value'),
      row('d\ufffdd', 'Not decoded'),
      row('x4', '', 'Wien'),
      row('x5', 'l'.repeat(5_000)),
      row('x6', 'n\0n'),
      row('x7', 'd\ufffdd'),
      `x8,${'r'.repeat(1_100_000)}`,
    ].join('\n'),
    codes: [
      'line_blank',
      'cell_count',
      'quote_in_cell',
      'text_after_quote',
      'value_missing',
      'value_repeated',
      'value_too_long',
      'value_with_nul',
      'value_not_decoded',
      'default_missing',
      'label_too_long',
      'label_with_nul',
      'label_not_decoded',
      'row_too_long',
    ],
  },
  {
    name: 'open.csv',
    content: [header, row('a', 'A'), 'b,"open'].join('\n'),
    codes: ['quote_not_closed'],
  },
  {
    name: 'lines.ndjson',
    content: [
      item({ value: 'ok', labels: { default: 'Graz', ar: 'غراتس', he: 'גראץ' } }),
      '{"value":',
      '[]',
      item({ value: 'a', labels: { default: 'A' }, more: 1 }),
      item({ value: 'b', labels: 'B' }),
      item({ value: 'c', labels: { default: 'C', de: 'C', DE: 'C' } }),
      item({ value: 'd', labels: { default: 1 } }),
      item({ value: 4, labels: { default: 'D' } }),
      item({ value: 'e', labels: { default: 'E', q: 'E' } }),
      '{"value":"\\ud800","labels":{"default":"F"}}',
      '{"value":"g","labels":{"default":"\\ud800"}}',
    ].join('\n'),
    codes: [
      'json_invalid',
      'item_not_object',
      'member_unknown',
      'labels_not_object',
      'label_repeated',
      'label_not_text',
      'value_not_text',
      'locale_unknown',
      'value_with_half_pair',
      'label_with_half_pair',
    ],
  },
  { name: 'nothing.csv', content: '\n', codes: ['header_missing'] },
  { name: 'no-default.csv', content: 'value,de\na,A\n', codes: ['column_missing'] },
  { name: 'twice.csv', content: 'value,default,de,de\na,A,A,A\n', codes: ['column_repeated'] },
  { name: 'unnamed.csv', content: 'value,default,,de\na,A,A,A\n', codes: ['column_unnamed'] },
  { name: 'semicolons.csv', content: 'value;default\na;A\n', codes: ['separated_by_semicolons'] },
  { name: 'tabs.csv', content: 'value\tdefault\na\tA\n', codes: ['separated_by_tabs'] },
  { name: 'utf16.csv', content: Buffer.from('\ufeffvalue,default\na,A\n', 'utf16le'), codes: ['utf16'] },
  { name: 'latin1.csv', content: Buffer.from('value,default,größe\na,A\n', 'latin1'), codes: ['not_utf8'] },
];

interface Fault {
  line: number | null;
  column: number | null;
  code: string;
  message: string;
}

/** Chooses a file and has it checked. Returns the errors as the API has them. */
async function check(page: Page, listId: string, { name, content }: File): Promise<Fault[]> {
  const input = page.getByLabel('Choose a file', { exact: true }).and(page.locator('input'));
  const mimeType = name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson';
  await input.setInputFiles({ name, mimeType, buffer: Buffer.from(content as string) });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('heading', { name: /^Errors: / }).waitFor();
  const importId = new URL(page.url()).pathname.split('/').at(-1)!;
  const path = `/api/data-lists/${listId}/imports/${importId}/faults?limit=200`;
  return (await stage.callers.admin.get<{ items: Fault[] }>(path)).items;
}

/** Characters that the console shows as signs. */
const visible = (text: string) => text.replaceAll(/[\0-\b\v-\x1f]/g, '\ufffd');

it('shows each kind of error in its line of the file, with the cell marked', async () => {
  const { id: listId } = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: 'Faulty places',
    availableLocales: locales,
  });
  const user = await stage.newUser(['Editor']);
  const kinds = new Set<string>();
  const wrong: string[] = [];
  await stage.journey(async (window) => {
    await enter(window, user);
    const { page } = window;
    for (const file of files) {
      await window.open(`/data-lists/${listId}/import`);
      const faults = await check(page, listId, file);
      expect([file.name, [...new Set(faults.map(({ code }) => code))].sort()]).toEqual([
        file.name,
        [...file.codes].sort(),
      ]);
      const lines = Buffer.from(file.content as string)
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .split('\n');
      for (const [index, { line, column, code, message }] of faults.entries()) {
        kinds.add(code);
        const shown = page
          .getByRole('table', { name: /^Errors: / })
          .getByRole('row')
          .nth(index + 1);
        if (!(await shown.innerText()).includes(visible(message).slice(0, 100)))
          wrong.push(`${code}: ${message}`);
        if (line === null) {
          // The whole file is wrong.
          expect([code, await shown.getByRole('button').count()]).toEqual(['not_utf8', 0]);
          continue;
        }
        const lineText = line.toLocaleString('en');
        await shown.getByRole('button', { name: `Show line ${lineText}` }).click();
        const own = page.locator('li[class*="faulty"]').filter({ hasText: new RegExp(`^${lineText}`) });
        await own.waitFor();
        const text = (await own.locator('code').textContent())!;
        if (text !== visible(lines[line - 1]!.slice(0, 2_000)))
          wrong.push(`${code} at ${line}: ${text.slice(0, 80)}`);
        if ((column !== null) !== ((await own.locator('mark').count()) === 1)) wrong.push(`${code}: no mark`);
      }
    }
  });
  expect(wrong).toEqual([]);
  expect(kinds.size).toBeGreaterThanOrEqual(30);
});

it('shows labels in Arabic and Hebrew from right to left, each in its language', async () => {
  const list = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: 'Places in six languages',
    availableLocales: locales,
  });
  const labels = {
    default: 'Vienna',
    de: 'Wien',
    pl: 'Wiedeń',
    nl: 'Wenen',
    ar: 'فيينا (العاصمة)',
    he: 'וינה (הבירה)',
  };
  await stage.callers.admin.expect(200, 'PUT', `/api/data-lists/${list.id}/import`, {
    items: [{ value: 'w', labels }],
  });
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, `/data-lists/${list.id}`);
    const { page } = window;
    for (const [locale, dir] of [
      ['ar', 'rtl'],
      ['he', 'rtl'],
      ['pl', 'ltr'],
    ] as const) {
      const label = page.locator(`[role=gridcell] [lang="${locale}"]`);
      expect(await label.innerText()).toBe(labels[locale]);
      expect(await label.getAttribute('dir')).toBe(dir);
      // What the browser makes of it, and not only what is asked for.
      const own = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('[role=gridcell] [lang="${locale}"]')).direction`,
      );
      expect([locale, own]).toEqual([locale, dir]);
    }
  });
});
