import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

interface Item {
  value: string;
  labels: Record<string, string>;
}

async function newList(items: Item[]) {
  const name = `Sizes ${randomUUID()}`;
  const { admin } = stage.callers;
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name,
    availableLocales: ['de'],
  });
  const path = `/api/data-lists/${id}`;
  await admin.expect(200, 'PUT', `${path}/import`, { items });
  return { id, name, path, items: () => itemsOf(path) };
}

const itemsOf = async (path: string) =>
  (await stage.callers.admin.expect<{ items: Item[] }>(200, 'GET', path)).items;

const sizes: Item[] = [
  { value: 's', labels: { default: 'Small', de: 'Klein' } },
  { value: 'm', labels: { default: 'Medium', de: 'Mid-size' } },
  { value: 'l', labels: { default: 'Large' } },
];

const cell = (page: Page, column: string, row: number) =>
  page.getByRole('textbox', { name: `${column}, row ${row}`, exact: true });

/** Pastes as a spreadsheet does. */
const paste = (page: Page, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  }`);

const save = async (page: Page, revision: number) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`Saved as revision ${revision}.`).waitFor();
};

describe('a small list', () => {
  it('begins without a file: it is typed and pasted, with the keyboard alone', async () => {
    const name = `Typed ${randomUUID()}`;
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, '/data-lists');
      const { page } = window;
      await page.getByRole('button', { name: 'New list' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Further languages').fill('de');
      await page.getByLabel('Order of the items').selectOption('as in the file');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await heading(page, name).waitFor();
      await cell(page, 'Value', 1).focus();
      await page.keyboard.type('s');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Small');
      await page.keyboard.press('Enter');
      await eventually(async () => {
        expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('English (en), row 2');
      });
      await cell(page, 'Value', 2).focus();
      await paste(page, 'm\tMedium\tMid-size\nl\tLarge\t\n');
      await page.keyboard.press('Alt+ArrowDown');
      await eventually(async () => expect(await cell(page, 'Value', 3).inputValue()).toBe('m'));
      expect(await barriers(page)).toEqual([]);
      await save(page, 2);
      const path = `/api${new URL(page.url()).pathname.replace(/^.*(\/data-lists\/\d+).*$/, '$1')}`;
      expect(await itemsOf(path)).toEqual([
        { value: 's', labels: { default: 'Small' } },
        { value: 'l', labels: { default: 'Large' } },
        { value: 'm', labels: { default: 'Medium', de: 'Mid-size' } },
      ]);
      // The order of the table is the one that is shown.
      await page.getByRole('link', { name: 'Items' }).click();
      await page.getByText('Mid-size').waitFor();
      const values = await page
        .getByRole('grid', { name: 'Items' })
        .getByRole('row')
        .locator('code')
        .allTextContents();
      expect(values).toEqual(['s', 'l', 'm']);
    });
  });

  it('is corrected, loses and moves rows, and names what is wrong', async () => {
    const { id, items } = await newList(sizes);
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/edit`);
      const { page } = window;
      await cell(page, 'German (de)', 2).fill('');
      await cell(page, 'English (en)', 3).fill('Big');
      await page.getByRole('button', { name: 'Move row 3 up' }).click();
      await page.getByRole('button', { name: 'Delete row 1' }).click();
      await page.getByRole('button', { name: 'Add a row' }).click();
      await cell(page, 'Value', 3).fill('l');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .getByText('Row 3: The value is in another row, too. Row 3: The default label is missing.')
        .waitFor();
      expect(await cell(page, 'Value', 3).getAttribute('aria-invalid')).toBe('true');
      expect(await items()).toEqual(sizes);
      await page.getByRole('button', { name: 'Delete row 3' }).click();
      await save(page, 3);
      expect(await items()).toEqual([
        { value: 'l', labels: { default: 'Big' } },
        { value: 'm', labels: { default: 'Medium' } },
      ]);
    });
  });

  it('that another person saved meanwhile is a conflict, and nothing is lost', async () => {
    const { id, path, items } = await newList(sizes);
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/edit`);
      const { page } = window;
      await cell(page, 'English (en)', 1).fill('Tiny');
      const other = [{ value: 'x', labels: { default: 'Other' } }];
      await stage.callers.admin.expect(200, 'PUT', `${path}/import`, { items: other });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The list has changed since you opened it.').waitFor();
      expect(await cell(page, 'English (en)', 1).inputValue()).toBe('Tiny');
      expect(await items()).toEqual(other);
      await page.getByRole('button', { name: 'Load the list' }).click();
      await eventually(async () => expect(await cell(page, 'English (en)', 1).inputValue()).toBe('Other'));
      await cell(page, 'English (en)', 1).fill('Mine');
      await save(page, 4);
      expect(await items()).toEqual([{ value: 'x', labels: { default: 'Mine' } }]);
    });
  });

  it('is the only kind that has the table', async () => {
    const many = Array.from({ length: 201 }, (_, n) => ({ value: `${n}`, labels: { default: `Item ${n}` } }));
    const { id, name } = await newList(many);
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}`);
      const { page } = window;
      await heading(page, name).waitFor();
      await page.getByRole('link', { name: 'Import' }).waitFor();
      expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
      await window.open(`/data-lists/${id}/edit`);
      await page.getByText('At most 200 items can be edited here').waitFor();
    });
  });
});

describe('an import that merges', () => {
  it('shows what it adds and changes before the click, and keeps the rest', async () => {
    const { id, items } = await newList(sizes);
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/data-lists/${id}/import`);
      const { page } = window;
      const buffer = Buffer.from('value,default\nm,Middle\nxl,Extra large\n');
      const file = { name: 'sizes.csv', mimeType: 'text/csv', buffer };
      await page.getByLabel('Choose a file', { exact: true }).and(page.locator('input')).setInputFiles(file);
      await page.getByRole('radio', { name: /are added, or change/ }).check();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('button', { name: 'Changed 1' }).waitFor();
      for (const count of ['Added 1', 'Removed 0', 'Unchanged 2'])
        expect(await page.getByRole('button', { name: count }).count()).toBe(1);
      // The button is above the items, however many there are.
      const apply = page.getByRole('button', { name: 'Merge the items' });
      const [button, list] = await Promise.all([apply.boundingBox(), page.getByRole('table').boundingBox()]);
      expect(button!.y).toBeLessThan(list!.y);
      await apply.click();
      await page.getByRole('heading', { name: 'The items are merged' }).waitFor();
      expect(await items()).toEqual([
        sizes[0],
        { value: 'm', labels: { default: 'Middle', de: 'Mid-size' } },
        sizes[2],
        { value: 'xl', labels: { default: 'Extra large' } },
      ]);
    });
  });
});
