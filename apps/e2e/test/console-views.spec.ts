// cspell:ignore Hauptnavigation Mehr Kompakt
import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, fromMenu, heading, pickFilter, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Submissions' });
const titles = async (page: Page) =>
  (await gridOf(page).getByRole('columnheader').allInnerTexts()).filter((title) => title !== 'Select');
const hasRows = (page: Page) => gridOf(page).locator('[aria-rowindex="2"]').waitFor();
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const viewMenu = (page: Page) => page.getByRole('button', { name: /^View: / });

async function hideColumn(page: Page, title: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: title }).click();
  await page.keyboard.press('Escape');
}

async function saveViewAs(page: Page, name: string, audience: string): Promise<void> {
  await viewMenu(page).click();
  await page.getByRole('menuitem', { name: 'Save as …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the view' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('For whom').selectOption(audience);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save the view' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: `View: ${name}` }).waitFor();
}

describe('saved views', () => {
  it.each(['light', 'dark'] as const)('keep columns, filter and order, in %s', async (colorScheme) => {
    const { formId } = await stage.newForm(3);
    const user = await stage.newUser(['Viewer']);
    await stage.journey(
      async (window) => {
        await enter(window, user, `/forms/${formId}/submissions`);
        const { page } = window;
        await hasRows(page);
        await pickFilter(page, 'Tests');
        await page.getByRole('button', { name: 'Without tests' }).click();
        await gridOf(page).getByRole('columnheader', { name: 'Created' }).click();
        await eventually(() => expect(parameter(page, 'sort')).toBe('createdAt:desc'));
        await hideColumn(page, /^department/);
        // A viewer may not decide what everybody sees.
        await viewMenu(page).click();
        await page.getByRole('menuitem', { name: 'Save as …' }).click();
        const audiences = page.getByLabel('For whom').locator('option');
        expect(await audiences.allInnerTexts()).toEqual(['Only you', 'Only you; the list opens with it']);
        await page.keyboard.press('Escape');
        await saveViewAs(page, 'Newest', 'Only you');

        // Another state of the list is a change of the view, which can be undone or saved.
        await page.getByRole('button', { name: 'Remove the filter Tests: Without tests' }).click();
        await page.getByText('Changed', { exact: true }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.getByRole('button', { name: 'Undo' }).click();
        await eventually(() => expect(parameter(page, 'test')).toBe('false'));
        await hideColumn(page, /^Review/);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Changed', { exact: true }).waitFor({ state: 'hidden' });

        await viewMenu(page).click();
        await page.getByRole('menuitem', { name: 'Standard' }).click();
        await eventually(async () => expect(await titles(page)).toContain('department'));
        expect(parameter(page, 'sort')).toBeNull();
        await viewMenu(page).click();
        await page.getByRole('menuitem', { name: 'Newest' }).click();
        await eventually(async () => expect(await titles(page)).not.toContain('department'));
        expect(await titles(page)).not.toContain('Review');
        expect([parameter(page, 'sort'), parameter(page, 'test')]).toEqual(['createdAt:desc', 'false']);
      },
      { colorScheme },
    );
  });

  it('of the tenant open by default for others, and end for all', async () => {
    const { formId } = await stage.newForm(1);
    const path = `/forms/${formId}/submissions`;
    await stage.journey(async (window) => {
      await enter(window, await stage.newUser(['Editor']), path);
      const { page } = window;
      await hasRows(page);
      await hideColumn(page, /^department/);
      await saveViewAs(page, 'For the team', 'Everybody in the tenant; the list opens with it');

      await stage.journey(async (other) => {
        await enter(other, await stage.newUser(['Viewer']), path);
        await other.page.getByRole('button', { name: 'View: For the team' }).waitFor();
        await eventually(async () => expect(await titles(other.page)).not.toContain('department'));
        // It is not the viewer's to change.
        await viewMenu(other.page).click();
        await other.page.getByRole('menuitem', { name: 'Save as …' }).waitFor();
        expect(await other.page.getByRole('menuitem', { name: 'Edit the view …' }).count()).toBe(0);
        await other.page.getByRole('menuitem', { name: 'Standard' }).click();
        await eventually(async () => expect(await titles(other.page)).toContain('department'));
        await other.page.reload();
        await hasRows(other.page);
        await other.page.getByRole('button', { name: 'View: Standard' }).waitFor();
      });

      await viewMenu(page).click();
      await page.getByRole('menuitem', { name: 'Edit the view …' }).click();
      await page.getByRole('button', { name: 'Delete the view' }).click();
      await page.getByRole('button', { name: 'View: Standard' }).waitFor();
    });
  });
});

describe('own settings', () => {
  it('hold in another browser: language, columns and the height of rows', async () => {
    const { formId } = await stage.newForm(1);
    const user = await stage.newUser(['Editor']);
    const path = `/forms/${formId}/submissions`;
    await stage.journey(async (window) => {
      await enter(window, user, path);
      const { page } = window;
      await hasRows(page);
      await hideColumn(page, /^department/);
      await fromMenu(page, 'Compact');
      await page.getByRole('button', { name: /Account/ }).click();
      const saved = page.waitForResponse(async (response) => {
        const isSave = response.request().method() === 'PUT' && response.url().endsWith('/me/preferences');
        return isSave && (await response.text()).includes('"language":"de"');
      });
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      expect((await saved).status()).toBe(200);
    });
    await stage.journey(async (window) => {
      await window.open(path);
      await window.signIn(user.email, user.password);
      const { page } = window;
      await page.getByRole('navigation', { name: 'Hauptnavigation' }).waitFor();
      await eventually(async () =>
        expect(await page.getByRole('columnheader', { name: 'department' }).count()).toBe(0),
      );
      await page.getByRole('button', { name: 'Mehr', exact: true }).click();
      await page.getByRole('menuitemradio', { name: 'Kompakt', checked: true }).waitFor();
    });
  });
});

describe('a row beside the grid', () => {
  it('follows the keys, stays in the address, and has the whole answer', async () => {
    const { formId } = await stage.newForm(3);
    await stage.journey(async (window) => {
      await enter(window, await stage.newUser(['Editor']), `/forms/${formId}/submissions`);
      const { page } = window;
      await hasRows(page);
      await gridOf(page).locator('[aria-rowindex="2"] [aria-colindex="3"]').click();
      await page.keyboard.press('Shift+Enter');
      const beside = page.getByRole('region', { name: 'Details of the row' });
      await beside.getByText('Where do you live?').waitFor();
      await eventually(() => expect(parameter(page, 'row')).not.toBeNull());
      const first = parameter(page, 'row');
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('j');
      await beside.getByText('Not answered').waitFor();
      await eventually(() => expect(parameter(page, 'row')).not.toBe(first));
      await gridOf(page).locator('[aria-rowindex="3"][aria-current="true"]').waitFor();
      const second = parameter(page, 'row');
      await page.reload();
      await beside.getByText('Not answered').waitFor();
      expect(parameter(page, 'row')).toBe(second);
      // Within the row beside the grid, too.
      await beside.getByRole('button', { name: 'Close (Esc)' }).focus();
      await page.keyboard.press('k');
      await beside.getByText('Where do you live?').waitFor();
      const edge = beside.getByRole('separator', { name: 'Width of the details' });
      const width = Number(await edge.getAttribute('aria-valuenow'));
      await edge.focus();
      await page.keyboard.press('ArrowLeft');
      await eventually(async () => expect(await edge.getAttribute('aria-valuenow')).toBe(String(width + 32)));
      await page.keyboard.press('Escape');
      await beside.waitFor({ state: 'hidden' });
      expect(parameter(page, 'row')).toBeNull();

      await fromMenu(page, 'Details of the row');
      await beside.getByRole('link', { name: 'Open the whole page' }).click();
      await heading(page, / · \d/).waitFor();
    });
  });
});
