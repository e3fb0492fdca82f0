// cspell:ignore Klingonisch
import { eventually } from '@canvass/testing';
import { WorkbookWriter, type SheetCell } from '@canvass/workbooks';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const csv = (content: string) => ({
  name: 'places.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});

const places = [
  { value: 'K', labels: { default: 'Köln', nl: 'Keulen' } },
  { value: 'S', labels: { default: 'Straßburg', he: 'שטרסבורג' } },
  { value: 'W', labels: { default: 'Wien', nl: 'Wenen' } },
];

async function newList(items: object[] = places) {
  const name = `Places ${randomUUID()}`;
  const { admin } = stage.callers;
  const list = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name,
    availableLocales: ['nl', 'he'],
  });
  const path = `/api/data-lists/${list.id}`;
  await admin.expect(200, 'PUT', `${path}/import`, { items });
  const values = async () =>
    (await admin.expect<{ items: { value: string }[] }>(200, 'GET', path)).items.map(({ value }) => value);
  return { id: list.id, name, path, values };
}

const cells = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('cell');
const choose = (page: Page, content: string) =>
  page.getByLabel('Choose a file', { exact: true }).and(page.locator('input')).setInputFiles(csv(content));

describe('data lists', () => {
  it('are found by name and language, and show their items, gaps and coverage', async () => {
    const { name } = await newList();
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/data-lists');
      const { page } = window;
      await page.getByRole('searchbox').fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Only lists with he' }).first().click();
      await eventually(() => expect(new URL(page.url()).searchParams.get('hasLocale')).toBe('he'));
      expect(await page.getByRole('button', { name: 'New list' }).count()).toBe(0);
      await page.getByRole('link', { name }).click();
      await heading(page, name).waitFor();

      await page.getByText('Keulen').waitFor();
      const hebrew = page.locator('[lang="he"]', { hasText: 'שטרסבורג' });
      expect(await hebrew.getAttribute('dir')).toBe('rtl');
      expect(await page.getByText('no label').count()).toBe(3);
      await page.getByRole('button', { name: /1 missing/ }).click();
      await eventually(async () => {
        expect(await page.getByRole('grid', { name: 'Items' }).getByRole('row').count()).toBe(2);
      });
      await page.getByText('Straßburg').waitFor();
      expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
    });
  });

  it('show what a respondent finds, and mark the piece that matched', async () => {
    const { id } = await newList();
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/search`);
      const { page } = window;
      await page.getByLabel('What a respondent types').fill('strass');
      await page.locator('mark', { hasText: 'Straß' }).waitFor();
      expect(await page.locator('mark').allTextContents()).toEqual(['Straß']);
      await page.getByLabel('Language of the form').selectOption('nl');
      await page.getByLabel('What a respondent types').fill('keul');
      await page.locator('mark', { hasText: 'Keul' }).waitFor();
      await page.reload();
      await page.locator('mark', { hasText: 'Keul' }).waitFor();
      await page.getByLabel('What a respondent types').fill('nowhere');
      await page.getByText('A respondent finds nothing with this').waitFor();
    });
  });

  it('are exported with all labels, and get and lose languages', async () => {
    const { id } = await newList();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}`);
      const { page } = window;
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'CSV', exact: true }).click();
      const file = await text(await (await download).createReadStream());
      expect(file.split('\r\n')).toEqual([
        'value,default,nl,he',
        'K,Köln,Keulen,',
        'S,Straßburg,,שטרסבורג',
        'W,Wien,Wenen,',
        '',
      ]);

      await page.getByRole('link', { name: 'Settings' }).click();
      const languages = page.getByRole('region', { name: 'Languages' }).getByRole('listitem');
      const further = page.getByLabel('Further languages');
      const add = page.getByRole('button', { name: 'Add', exact: true });
      // A name is its code. A word that is no language does not get into the list.
      await further.fill('Klingonisch');
      await add.click();
      expect(
        await further.evaluate((own: { validity: { customError: boolean } }) => own.validity.customError),
      ).toBe(true);
      await further.fill('French');
      await add.click();
      await languages.getByText('French (fr)').waitFor();
      await page.getByRole('button', { name: 'Remove Hebrew (he)' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove Hebrew (he)' });
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await languages.getByText('Hebrew (he)').waitFor({ state: 'hidden' });
      const list = await stage.callers.admin.get<{ availableLocales: string[] }>(`/api/data-lists/${id}`);
      expect([...list.availableLocales].sort()).toEqual(['fr', 'nl']);
    });
  });

  it('are created, renamed and deleted', async () => {
    const name = `Made ${randomUUID()}`;
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, '/data-lists');
      const { page } = window;
      await page.getByRole('button', { name: 'New list' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      const further = page.getByLabel('Further languages');
      await further.fill('Dutch (nl)'); // as the browser fills in what one picks
      await page.getByRole('button', { name: 'Remove Dutch (nl)' }).waitFor();
      await further.fill('fr');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await heading(page, name).waitFor();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByLabel('Name', { exact: true }).fill(`${name} 2`);
      await page.getByRole('checkbox', { name: 'Enabled' }).uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await heading(page, `${name} 2`).waitFor();
      await page.getByText('Saved as revision 2.').waitFor();
      await page.getByRole('button', { name: 'Delete the list' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete the list' });
      const remove = dialog.getByRole('button', { name: 'Delete', exact: true });
      expect(await remove.isDisabled()).toBe(true);
      await dialog.getByLabel(`Type ${name} 2 to confirm`).fill(`${name} 2`);
      await remove.click();
      await heading(page, 'Data lists').waitFor();
    });
  });
});

describe('an import', () => {
  it('shows errors in the lines of the file, then the difference; it is applied and undone', async () => {
    const { id, values } = await newList();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/import`);
      const { page } = window;
      await choose(page, 'value,default,pl\nK,Cologne,Kolonia\nW,,\nB,"Bern, CH",Berno\nK,again,\n');
      expect(await page.getByLabel('What pl becomes').inputValue()).toBe('pl');
      await cells(page, 'The first 4 rows').filter({ hasText: 'Bern, CH' }).waitFor();
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('heading', { name: 'Errors: 2' }).waitFor();
      await page.getByRole('button', { name: 'Show line 3' }).click();
      await page.getByRole('listitem').filter({ hasText: 'W,,' }).waitFor();
      await page.getByRole('button', { name: /Value repeated/ }).click();
      await page.getByRole('button', { name: 'Show line 5' }).click();
      expect(await page.locator('mark').allTextContents()).toEqual(['K']);
      expect(await barriers(page)).toEqual([]);
      // The file is only on this machine: after a reload it has to be chosen again.
      await page.reload();
      await page.getByRole('button', { name: 'Show line 3' }).click();
      await page.getByText('Choose the file again to see its lines.').waitFor();
      expect(await values()).toEqual(['K', 'S', 'W']);

      await page.getByRole('link', { name: 'Import another file' }).click();
      await choose(page, 'value,default,pl\nK,Cologne,Kolonia\nW,Wien,\nB,"Bern, CH",Berno\n');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('heading', { name: 'What the import changes' }).waitFor();
      await page.getByRole('button', { name: 'Changed 2' }).waitFor();
      await page.getByText('Cologne').waitFor();
      await page.getByRole('button', { name: 'Removed 1' }).click();
      await page.getByText('Straßburg').waitFor();
      expect(await barriers(page)).toEqual([]);
      // A third of the items is removed.
      const apply = page.getByRole('button', { name: 'Replace the items' });
      expect(await apply.isDisabled()).toBe(true);
      await page.getByRole('checkbox', { name: 'I know that 1 of 3 items is removed.' }).check();
      const refused: string[] = [];
      page.on('response', (response) => void (response.status() === 409 && refused.push(response.url())));
      await apply.click();
      await page.getByRole('heading', { name: 'The items are replaced' }).waitFor();
      await page.getByRole('button', { name: 'Undo: restore the former items' }).waitFor();
      // The difference of an applied import is not asked for.
      expect(refused).toEqual([]);
      expect(await values()).toEqual(['K', 'W', 'B']);

      await page.getByRole('button', { name: 'Undo: restore the former items' }).click();
      await page.getByText('Version 1 is restored.').waitFor();
      expect(await values()).toEqual(['K', 'S', 'W']);
      await page.getByRole('link', { name: 'Versions' }).click();
      await page.getByText('Version 1 restored').waitFor();
      await page.getByRole('button', { name: 'From version 3 to version 2' }).click();
      await page.getByRole('heading', { name: 'From version 3 to version 2' }).waitFor();
      await page.getByText('Kolonia').waitFor();
      await page.getByRole('button', { name: 'Restore version 2' }).click();
      await page.getByText('Version 2 is restored.').waitFor();
      expect(await values()).toEqual(['K', 'W', 'B']);
    });
  });

  it('of a workbook asks what columns with other names are', async () => {
    const { id, values } = await newList();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/import`);
      const { page } = window;
      const rows: SheetCell[][] = [
        ['K', 'Köln', 'Kolonia', 'on the Rhine'],
        ['0049', 'Bern', '', ''],
      ];
      const writer = new WorkbookWriter('Cities', ['Code', 'Name', 'Polnisch', 'Notes']);
      const content = Buffer.concat([await writer.write(rows), await writer.end()]);
      const mimeType = 'application/octet-stream';
      await page.getByLabel('Choose a file').setInputFiles({ name: 'cities', mimeType, buffer: content });
      const becomes = (name: string) => page.getByLabel(`What ${name} becomes`);
      await becomes('Code').waitFor();
      const suggested = ['Code', 'Name', 'Polnisch', 'Notes'].map((name) => becomes(name).inputValue());
      expect(await Promise.all(suggested)).toEqual(['value', 'default', 'pl', '']);
      expect(await barriers(page)).toEqual([]);
      const check = page.getByRole('button', { name: 'Check the file' });
      await becomes('Code').selectOption('');
      expect(await check.isDisabled()).toBe(true);
      await becomes('Code').selectOption('value');
      await becomes('Notes').selectOption('nl');
      await check.click();
      await page.getByRole('checkbox', { name: /I know that/ }).check();
      await page.getByRole('button', { name: 'Replace the items' }).click();
      await page.getByRole('heading', { name: 'The items are replaced' }).waitFor();
      expect(await values()).toEqual(['K', '0049']);
    });
  });

  it('of a list that was changed meanwhile is shown again before it is applied', async () => {
    const { id, path, values } = await newList();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/import`);
      const { page } = window;
      await choose(page, 'value,default\nK,Köln\nS,Straßburg\nW,Wien\nX,New\n');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('button', { name: 'Added 1' }).waitFor();
      await stage.callers.admin.expect(200, 'PUT', `${path}/import`, {
        items: [{ value: 'X', labels: { default: 'New' } }],
      });
      await page.getByRole('button', { name: 'Replace the items' }).click();
      await page.getByText('The list has changed since the check.').waitFor();
      expect(await values()).toEqual(['X']);
      await page.getByRole('button', { name: 'Added 3' }).waitFor();
      await page.getByRole('button', { name: 'Replace the items' }).click();
      await page.getByRole('heading', { name: 'The items are replaced' }).waitFor();
      expect(await values()).toEqual(['K', 'S', 'W', 'X']);
    });
  });
});

describe('axe finds nothing serious', () => {
  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('on the pages of data lists, in %s, %i pixels wide', async (colorScheme, width) => {
    const { id, name } = await newList();
    const user = await stage.newUser(['Editor']);
    await stage.journey(
      async (window) => {
        await enter(window, user, '/data-lists');
        const { page } = window;
        await page.getByRole('row').nth(1).waitFor();
        expect(await barriers(page)).toEqual([]);
        for (const [end, text] of [
          ['', 'Keulen'],
          ['/edit', 'Add a row'],
          ['/search?query=k', 'Matched in'],
          ['/versions', 'current'],
          ['/import', 'Choose a file'],
          ['/settings', 'No form uses the list.'],
        ]) {
          await window.open(`/data-lists/${id}${end}`);
          await heading(page, name).waitFor();
          await page.getByText(text!).first().waitFor();
          expect([end, await barriers(page)]).toEqual([end, []]);
        }
      },
      { colorScheme, width },
    );
  });
});
