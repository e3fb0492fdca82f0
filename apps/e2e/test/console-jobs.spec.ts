// cspell:ignore Einsendungen Aufträge Datei herunterladen
import { eventually } from '@canvass/testing';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { barriers, type ConsoleWindow } from '../src/browser';
import { enter, heading, pickFilter, startStage, type Stage } from '../src/console';
import { tabTo } from '../src/keyboard';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Submissions' });
const hasRows = (page: Page, count: number) =>
  eventually(async () => expect(await gridOf(page).getByRole('row').count()).toBe(count + 1));

/** Opens the submissions of a form and waits for them. */
async function openList(window: ConsoleWindow, formId: string, role: string): Promise<Page> {
  await enter(window, await stage.newUser([role]), `/forms/${formId}/submissions`);
  await gridOf(window.page).getByRole('row').nth(1).waitFor();
  return window.page;
}

/** Goes to the list by Tab, to its first row. */
async function focusRow(page: Page): Promise<void> {
  await tabTo(page, gridOf(page).locator('[aria-rowindex="2"] [tabindex="0"]'));
}

async function selectAll(page: Page): Promise<void> {
  await focusRow(page);
  await page.keyboard.press('Control+a');
  await page.getByText('All rows that match are selected').waitFor();
}

/** Asks for a change of what is selected and confirms it, with the keyboard. */
async function change(page: Page, choice: string, planned: string): Promise<void> {
  await page.getByLabel('What is done').selectOption({ label: choice });
  await page.getByRole('button', { name: 'Change …' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change many submissions' });
  await dialog.getByText(planned).waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByLabel('Reason (optional)').fill('After the meeting.');
  await page.keyboard.press('Enter');
}

async function closeAfter(page: Page, changed: string): Promise<void> {
  await page.getByRole('dialog').getByText(changed).waitFor();
  // The field that had the focus no longer exists.
  await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

const countOf = async (formId: string, query: string): Promise<number> => {
  const path = `/api/forms/${formId}/submissions?${query}&limit=1&total=exact`;
  return (await stage.callers.admin.expect<{ total: number }>(200, 'GET', path)).total;
};

describe('many submissions', () => {
  it('are deleted and restored after a plan', async () => {
    const { formId } = await stage.newForm(2);
    await stage.journey(async (window) => {
      const page = await openList(window, formId, 'Admin');
      await selectAll(page);
      await change(page, 'Delete', '3 submissions will be changed.');
      await closeAfter(page, '3 changed');
      await page.getByText('There are no submissions yet').waitFor();
      expect(await countOf(formId, 'deleted=true')).toBe(3);

      await pickFilter(page, 'Deletion');
      await page.getByRole('button', { name: 'Deleted only' }).click();
      await hasRows(page, 3);
      expect(new URL(page.url()).searchParams.get('deleted')).toBe('true');
      expect(await gridOf(page).getByRole('link').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
      await focusRow(page);
      // It has no page.
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).searchParams.get('deleted')).toBe('true');
      await page.keyboard.press('Space');
      await page.getByText('1 row is selected').waitFor();
      await change(page, 'Restore', '1 submission will be changed.');
      await closeAfter(page, '1 changed');
      await hasRows(page, 2);
      expect(await countOf(formId, 'deleted=false')).toBe(1);
    });
  });

  it('are changed by a job if they are more than a hundred, whose page shows how it ended', async () => {
    const { formId } = await stage.newForm(120);
    await stage.journey(async (window) => {
      const page = await openList(window, formId, 'Admin');
      await selectAll(page);
      await change(page, 'Approved', '121 submissions will be changed.');
      await heading(page, 'Change of submissions').waitFor();
      await page.getByText('100% done').waitFor();
      await page.getByText('121 of 121').waitFor();
      await page.getByText('After the meeting.').waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await countOf(formId, 'filter=status:approved')).toBe(121);

      await page.getByRole('link', { name: 'Jobs' }).last().focus();
      await page.keyboard.press('Enter');
      await heading(page, 'Jobs').waitFor();
      const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row');
      await rows.filter({ hasText: '121 of 121' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await pickFilter(page, 'Kind');
      await page.getByRole('button', { name: 'Change of submissions' }).click();
      await pickFilter(page, 'Status');
      await page.getByRole('button', { name: 'Done' }).click();
      await rows.filter({ hasText: '121 of 121' }).waitFor();
      expect(new URL(page.url()).searchParams.get('kind')).toBe('submission_bulk_change');
    });
  });

  it('are neither changed nor shown after their deletion without the permission', async () => {
    const { formId } = await stage.newForm(0);
    await stage.journey(async (window) => {
      const page = await openList(window, formId, 'Viewer');
      await page.getByRole('button', { name: '+ Filter' }).click();
      await page.getByRole('button', { name: 'Tests', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Deletion' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await focusRow(page);
      await page.keyboard.press('Control+a');
      expect(await page.getByRole('button', { name: 'Change …' }).count()).toBe(0);
    });
  });
});

describe('an export for later', () => {
  it('is a job, from whose page the file is downloaded', async () => {
    const { formId, submissionId } = await stage.newForm(2);
    await stage.journey(async (window) => {
      const page = await openList(window, formId, 'Admin');
      await pickFilter(page, 'Completion');
      await page.getByRole('checkbox', { name: 'Complete' }).check();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await hasRows(page, 1);
      await page.getByRole('button', { name: 'Export' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Export submissions' });
      await dialog.getByLabel('File', { exact: true }).selectOption('NDJSON');
      await dialog.getByLabel('Prepare the file in the background').check();
      await dialog.getByRole('button', { name: 'Export' }).click();
      await heading(page, 'Export of submissions').waitFor();
      const button = page.getByRole('button', { name: 'Download the file' });
      await button.waitFor();
      expect(await barriers(page)).toEqual([]);
      const download = page.waitForEvent('download');
      await button.focus();
      await page.keyboard.press('Enter');
      const lines = (await text(await (await download).createReadStream())).trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([submissionId]);
    });
  });
});

it.each([
  ['light', 1280],
  ['dark', 360],
] as const)(
  'the pages of jobs have no barriers in German, %s and %i pixels wide',
  async (colorScheme, width) => {
    const { formId } = await stage.newForm(0);
    const { id } = await stage.callers.admin.expect<{ id: string }>(
      202,
      'POST',
      `/api/forms/${formId}/submissions/exports`,
      { format: 'csv' },
    );
    const user = await stage.newUser(['Admin']);
    await stage.journey(
      async (window) => {
        await enter(window, user, '/jobs');
        const { page } = window;
        await page.getByRole('table', { name: 'Jobs' }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.getByRole('button', { name: /Account/ }).click();
        await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
        await page.keyboard.press('Escape');
        await heading(page, 'Aufträge').waitFor();
        await window.open(`/jobs/${id}`);
        await heading(page, 'Export von Einsendungen').waitFor();
        await page.getByRole('button', { name: 'Datei herunterladen' }).waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { colorScheme, width },
    );
  },
);
