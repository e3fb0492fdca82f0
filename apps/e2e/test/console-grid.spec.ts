import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, fromMenu, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Submissions' });

/** The focused cell: its row and column as a screen reader counts them. */
const place = (page: Page) =>
  page.evaluate<[number, number]>(`(() => {
    const cell = document.activeElement;
    return [Number(cell.closest('[role=row]')?.ariaRowIndex), Number(cell.ariaColIndex)];
  })()`);

/** Opens the submissions of a form and goes to the first cell by Tab. */
async function open(window: Parameters<typeof enter>[0], formId: string): Promise<Page> {
  await enter(window, await stage.newUser(['Editor']), `/forms/${formId}/submissions`);
  const { page } = window;
  await gridOf(page).getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).focus();
  await page.keyboard.press('Tab');
  await eventually(async () => expect(await place(page)).toEqual([2, 1]));
  return page;
}

describe('the grid', () => {
  it('has one place in the order of Tab, and keys lead to each cell and open the row', async () => {
    const { formId, submissionId } = await stage.newForm(40);
    await stage.journey(async (window) => {
      const page = await open(window, formId);
      const press = async (key: string, cell: [number, number]) => {
        await page.keyboard.press(key);
        await eventually(async () => expect(await place(page)).toEqual(cell));
      };
      expect(await gridOf(page).locator('[tabindex="0"]').count()).toBe(1);
      expect(await gridOf(page).getAttribute('aria-rowcount')).toBe('42');
      await press('ArrowDown', [3, 1]);
      await press('ArrowRight', [3, 2]);
      await press('End', [3, Number(await gridOf(page).getAttribute('aria-colcount'))]);
      await press('Home', [3, 1]);
      await press('Control+End', [42, Number(await gridOf(page).getAttribute('aria-colcount'))]);
      await press('Control+Home', [2, 1]);
      await press('ArrowUp', [1, 1]);
      await press('ArrowDown', [2, 1]);
      await page.keyboard.press('PageDown');
      await eventually(async () => expect((await place(page))[0]).toBeGreaterThan(6));
      await press('Control+Home', [2, 1]);
      // The newest submission is the one with a submitter.
      await page.keyboard.press('Enter');
      await heading(page, / · \d/).waitFor();
      expect(page.url()).toMatch(new RegExp(`/submissions/${submissionId}$`));
      // The page leads on through the rows of the grid.
      expect(await page.getByRole('button', { name: 'Previous', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Next', exact: true }).click();
      await page.waitForURL((url) => !url.href.endsWith(submissionId));
      await page.getByRole('link', { name: 'Previous', exact: true }).click();
      await page.waitForURL(`**/submissions/${submissionId}`);
    });
  });

  it('reads a long list in parts, keeps few rows in the page, and keeps the focus', async () => {
    const { formId } = await stage.newForm(450);
    await stage.journey(async (window) => {
      const page = await open(window, formId);
      await eventually(async () => {
        await page.keyboard.press('Control+End');
        expect((await place(page))[0]).toBe(452);
      });
      expect(await gridOf(page).getByRole('row').count()).toBeLessThan(80);
      // The focused row stays in the page while one looks elsewhere.
      await page.evaluate("document.querySelector('[role=grid]').scrollTo(0, 0)");
      await gridOf(page).locator('[aria-rowindex="2"]').waitFor();
      expect(await place(page)).toEqual([452, expect.any(Number)]);
      await page.keyboard.press('Control+Home');
      await eventually(async () => expect(await place(page)).toEqual([2, 1]));
    });
  });

  it('selects rows with keys, copies them for a spreadsheet, and changes what is selected', async () => {
    const { formId } = await stage.newForm(3);
    await stage.journey(async (window) => {
      await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await open(window, formId);
      await page.keyboard.press('Space');
      await page.getByText('1 row is selected').waitFor();
      await page.keyboard.press('Shift+ArrowDown');
      await page.getByText('2 rows are selected').waitFor();
      await page.keyboard.press('Control+c');
      await page.getByText(/cells copied/).waitFor();
      const lines = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatch(/^SubmitterDisplayId\tdepartment\t/);
      expect(lines[1]).toContain('Sales');

      await page.keyboard.press('Control+a');
      await page.getByText('All rows that match are selected').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('What is done').selectOption('approved');
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByText('4 submissions will be changed.').waitFor();
      await page.getByRole('button', { name: 'Change them' }).click();
      await page.getByText('4 changed').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await eventually(async () => expect(await gridOf(page).getByText('Approved').count()).toBe(4));
      await page.getByRole('button', { name: 'Clear the selection' }).click();
      await page.getByText('All rows that match are selected').waitFor({ state: 'hidden' });
    });
  });

  it('has the columns that the user chose, also after a reload, and can be plain pages', async () => {
    const { formId } = await stage.newForm(120);
    await stage.journey(async (window) => {
      const page = await open(window, formId);
      const titles = () => gridOf(page).getByRole('columnheader').allInnerTexts();
      expect((await titles()).slice(1, 4)).toEqual(['SubmitterDisplayId', 'department', 'Review']);
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      const chooser = page.getByRole('dialog', { name: 'Columns' });
      await chooser.getByRole('checkbox', { name: /^department/ }).uncheck();
      // Past the hidden column between them, too.
      const up = chooser.getByRole('button', { name: 'Move Completed up' });
      await up.click();
      await up.click();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      const expected = [
        'SubmitterDisplayId',
        'Review',
        'Completion',
        'Where do you live?',
        'Completed',
        'Created',
      ];
      await eventually(async () => expect((await titles()).slice(1)).toEqual(expected));

      // The width of the column, by keys.
      await gridOf(page).locator('[aria-rowindex="2"] [aria-colindex="3"]').click();
      const width = async () =>
        (await gridOf(page).getByRole('columnheader', { name: 'Review' }).boundingBox())!.width;
      const before = await width();
      await page.keyboard.press('Control+ArrowRight');
      await eventually(async () => expect(await width()).toBe(before + 16));
      await page.reload();
      await gridOf(page).getByRole('row').nth(1).waitFor();
      expect((await titles()).slice(1)).toEqual(expected);
      expect(await width()).toBe(before + 16);

      await fromMenu(page, 'Simple table, page by page');
      const table = page.getByRole('table', { name: 'Submissions' });
      await eventually(async () => expect(await table.getByRole('row').count()).toBe(101));
      await page.getByRole('button', { name: 'Next rows' }).click();
      await eventually(async () => expect(await table.getByRole('row').count()).toBe(22));
      expect(await barriers(page)).toEqual([]);
    });
  });
});
