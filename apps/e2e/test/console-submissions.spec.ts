import { eventually } from '@canvass/testing';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { shiftsOf } from '../src/browser';
import { enter, heading, pickFilter, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe('submissions', () => {
  it('stay in their place on a phone when the name of the form comes last', async () => {
    const user = await stage.newUser(['Viewer']);
    const { name, formId, submissionId } = await stage.newForm(0);
    await stage.journey(
      async (window) => {
        const { page } = window;
        await enter(window, user);
        await page.route(`**/api/forms/${formId}`, async (route) => {
          await wait(500);
          await route.continue();
        });
        await window.open(`/forms/${formId}/submissions/${submissionId}`);
        await page.getByRole('link', { name }).waitFor();
        await page.getByText('Where do you live?').waitFor();
        const moved = (await shiftsOf(page)).reduce((sum, [share]) => sum + share, 0);
        expect(moved).toBeLessThan(0.02);
      },
      { width: 390 },
    );
  });

  it('are found by form and display id, with the configured columns, and open with questions and answers', async () => {
    const user = await stage.newUser(['Viewer']);
    const { name, formId, submissionId } = await stage.newForm(1);
    await stage.journey(async (window) => {
      await enter(window, user, '/forms');
      const { page } = window;
      await page.getByRole('searchbox', { name: 'Filter by name' }).fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      const table = page.getByRole('grid', { name: 'Submissions' });
      await table.getByRole('row').nth(2).waitFor();
      expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
        'SubmitterDisplayId',
        'department',
        'Review',
        'Completion',
        'Where do you live?',
        'Created',
        'Completed',
      ]);

      await page.getByPlaceholder('Customer number').fill('ada');
      await page.keyboard.press('Enter');
      const cell = table.getByRole('row').filter({ hasText: 'Sales' });
      await cell.waitFor();
      await eventually(async () => expect(await table.getByRole('row').count()).toBe(2));
      await page.reload();
      await cell.waitFor();
      expect(await table.getByRole('row').count()).toBe(2);

      await cell.getByRole('link').click();
      await heading(page, / · \d/).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/forms/${formId}/submissions/${submissionId}`);
      await page.getByText('Where do you live?').waitFor();
      // Markup of strangers is text, and what changes the direction is a sign.
      await page.getByText('<img src=x onerror="document.title=1">\ufffd', { exact: true }).waitFor();
      expect(await page.locator('main img').count()).toBe(0);
    });
  });

  it('are filtered by what the URL says, and the export has the same filter', async () => {
    const user = await stage.newUser(['Editor']);
    const { formId, submissionId } = await stage.newForm(2);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/submissions`);
      const { page } = window;
      const rows = page.getByRole('grid', { name: 'Submissions' }).getByRole('row');
      const hasRows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count + 1));
      await hasRows(3);
      await pickFilter(page, 'Completion');
      await page.getByRole('checkbox', { name: 'Complete' }).check();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await hasRows(1);
      expect(new URL(page.url()).searchParams.get('collection')).toBe('complete');
      const write = async (filter: string) => {
        await page.getByRole('button', { name: '+ Filter' }).click();
        await page.getByText('Write a filter').click();
        await page.getByRole('searchbox', { name: 'Write a filter' }).fill(filter);
        await page.keyboard.press('Enter');
      };
      await write('submitterProfile.department:Sales');
      await page.getByRole('button', { name: 'Remove the filter department is Sales' }).waitFor();
      await hasRows(1);

      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export submissions' });
      await dialog.getByLabel('File', { exact: true }).selectOption('NDJSON');
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Export' }).click();
      const file = await (await download).createReadStream();
      const lines = (await text(file)).trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([submissionId]);

      // What the API refuses is said in its words, and the filters stay to be corrected.
      await write('nonsense:1');
      await page
        .getByText(/filter/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Remove the filter nonsense:1' }).click();
      await hasRows(1);
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await hasRows(3);
    });
  });

  it('get their review status on their page, and say what happened to them', async () => {
    const user = await stage.newUser(['Editor']);
    const { formId, submissionId } = await stage.newForm(0);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/submissions/${submissionId}`);
      const { page } = window;
      const status = page.getByRole('group', { name: 'Set the review status' });
      await status.getByRole('button', { name: 'Approved' }).click();
      await status.getByRole('button', { name: 'Approved', pressed: true }).waitFor();
      await page.getByText(/^Created .* → completed .* → no delivery was created$/).waitFor();
      // Another reviewer is faster, after all that the page reads by itself: the change is refused, and the
      // page shows what is.
      const path = `/api/forms/${formId}/submissions/${submissionId}/status`;
      await page.route(
        `**${path}`,
        async (route) => {
          await stage.callers.admin.expect(200, 'POST', path, { status: 'declined' });
          await route.continue();
        },
        { times: 1 },
      );
      await status.getByRole('button', { name: 'New' }).click();
      await page.getByText('The submission was changed meanwhile.').waitFor();
      await status.getByRole('button', { name: 'Declined', pressed: true }).waitFor();
    });
  });

  it('have a sentence where there are none, and a form that does not exist is not found', async () => {
    const user = await stage.newUser(['Viewer']);
    const { id } = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Empty',
    });
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${id}/submissions`);
      await window.page.getByText('There are no submissions yet').waitFor();
      await window.open('/forms/7/submissions');
      await window.page.getByText('It was deleted, or the address is wrong.').waitFor();
    });
  });
});
