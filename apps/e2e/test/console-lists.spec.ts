import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, loaded, pickFilter, startStage, type Stage } from '../src/console';
import { consolePages, type ConsolePage } from '../src/console-pages';

let stage: Stage;
let pages: ConsolePage[];
beforeAll(async () => {
  stage = await startStage();
  pages = await consolePages(stage.callers);
});
afterAll(() => stage.close());

const lists = [
  '/forms',
  '/forms/:formId/submissions',
  '/deliveries',
  '/endpoints',
  '/recoveries',
  '/submitters',
  '/data-lists',
  '/data-lists/:listId',
  '/audit',
  '/jobs',
  '/users',
  '/service-accounts',
];

/** Lowest places of the first row, and the sizes of a screen. */
const looks = [
  { width: 1366, height: 768, lowest: 300 },
  { width: 390, height: 844, lowest: 330 },
  { width: 320, height: 640, lowest: 380 },
];

const firstRow = (page: Page) =>
  page.locator('main [role="row"]:has([role="gridcell"]), main [role="row"]:has([role="cell"])').first();

/** Presses Tab from the start of the content until the focus is in the rows. Navigations do not count. */
async function stopsToRows(page: Page): Promise<number> {
  await page.locator('main').focus();
  for (let stops = 0; stops <= 20;) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate<string>(`(() => {
      const own = document.activeElement;
      const rows = document.querySelector('main [role="grid"], main [role="table"]');
      // The cards of a narrow screen may have nothing to focus: then it is what follows them.
      const isThere = rows.contains(own) || rows.compareDocumentPosition(own) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (isThere) return 'rows';
      return own.closest('main nav') ? 'navigation' : 'stop';
    })()`);
    if (place === 'rows') return stops;
    if (place === 'stop') stops += 1;
  }
  throw new Error('Tab does not reach the rows.');
}

const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

describe('each list', () => {
  it('begins high on the page, shows its menu, and Tab is soon in its rows', async () => {
    await stage.journey(async (window) => {
      await enter(window, await stage.newUser(['Admin']));
      const { page } = window;
      const faults: string[] = [];
      for (const pattern of lists) {
        const { path } = pages.find((own) => own.pattern === pattern)!;
        for (const { width, height, lowest } of looks) {
          await page.setViewportSize({ width, height });
          await window.open(path);
          await loaded(page);
          await firstRow(page).waitFor();
          const { y } = (await firstRow(page).boundingBox())!;
          if (y > lowest) faults.push(`${pattern} at ${width}: the first row is at ${y}`);
          const menu = (await page.getByRole('button', { name: 'More', exact: true }).boundingBox())!;
          if (menu.x + menu.width > width) faults.push(`${pattern} at ${width}: the menu is at ${menu.x}`);
          const stops = await stopsToRows(page);
          if (stops > 8) faults.push(`${pattern} at ${width}: ${stops} stops of Tab`);
        }
      }
      expect(faults).toEqual([]);
    });
  });
});

describe('the filters of a list', () => {
  it('are picked from a menu, stand as chips and in the address, and end there', async () => {
    const { formId } = await stage.newForm(2);
    await stage.journey(async (window) => {
      await enter(window, await stage.newUser(['Admin']), `/forms/${formId}/submissions`);
      const { page } = window;
      const rows = page.getByRole('grid', { name: 'Submissions' }).locator('[aria-rowindex]');
      const hasRows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count + 1));
      await hasRows(3);
      await pickFilter(page, 'Completion');
      await page.getByRole('checkbox', { name: 'Complete' }).check();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await hasRows(1);
      expect(parameter(page, 'collection')).toBe('complete');
      expect(await barriers(page)).toEqual([]);

      // A chip changes its filter.
      await page.getByRole('button', { name: 'Change the filter Completion: Complete' }).click();
      await page.getByRole('checkbox', { name: 'Complete' }).uncheck();
      await page.getByRole('checkbox', { name: 'Not started' }).check();
      await page.getByRole('checkbox', { name: 'In progress' }).check();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await hasRows(2);
      await pickFilter(page, 'Tests');
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Without tests' }).click();
      await eventually(() => expect(parameter(page, 'test')).toBe('false'));
      await page.reload();
      await hasRows(2);
      await page
        .getByRole('button', { name: 'Remove the filter Completion: Not started, In progress' })
        .click();
      await hasRows(3);
      expect(parameter(page, 'collection')).toBeNull();
      await page.getByRole('button', { name: 'Remove the filter Tests: Without tests' }).click();
      await page.getByRole('button', { name: /^Remove the filter/ }).waitFor({ state: 'hidden' });
      expect(new URL(page.url()).search).toBe('');
    });
  });

  it('take times in the zone of the person, and codes, where they are deliveries', async () => {
    await stage.journey(
      async (window) => {
        await enter(window, await stage.newUser(['Admin']), '/deliveries');
        const { page } = window;
        await firstRow(page).waitFor();
        await pickFilter(page, 'From (inclusive)');
        await page.getByLabel('From (inclusive)').fill('2026-01-02T03:04');
        await page.keyboard.press('Enter');
        await page
          .getByRole('button', { name: /^Change the filter From \(inclusive\): 2 Jan 2026/ })
          .waitFor();
        expect(Number.isNaN(Date.parse(parameter(page, 'from')!))).toBe(false);
        await pickFilter(page, 'HTTP status');
        await page.getByLabel('HTTP status').fill('700-799');
        await page.keyboard.press('Enter');
        await page.getByText('Nothing matches').waitFor();
        await page.getByRole('button', { name: 'Clear the filter' }).first().click();
        await firstRow(page).waitFor();
        expect(new URL(page.url()).search).toBe('');
      },
      { zone: 'Asia/Kolkata' },
    );
  });
});
