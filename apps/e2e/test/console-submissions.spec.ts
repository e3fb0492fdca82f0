import { eventually } from '@canvass/testing';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe('submissions', () => {
  it('are found by form and display id, with the configured columns, and open with questions and answers', async () => {
    const user = await stage.newUser(['Viewer']);
    const { name, formId, submissionId } = await stage.newForm(1);
    await stage.journey(async (window) => {
      await enter(window, user, '/forms');
      const { page } = window;
      await page.getByRole('searchbox', { name: 'Filter by name' }).fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name }).click();
      await heading(page, name).waitFor();
      const table = page.getByRole('table', { name: 'Submissions' });
      await table.getByRole('row').nth(2).waitFor();
      expect(await table.getByRole('columnheader').allTextContents()).toEqual([
        'SubmitterDisplayId',
        'department',
        'Review',
        'Answers',
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
      await heading(page, 'Submission').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/forms/${formId}/submissions/${submissionId}`);
      await page.getByText('Where do you live?').waitFor();
      // Markup of strangers is text, and what changes the direction is a sign.
      await page.getByText('<img src=x onerror="document.title=1">\ufffd', { exact: true }).waitFor();
      expect(await page.locator('main img').count()).toBe(0);
    });
  });

  it('are read page by page, in both directions', async () => {
    const user = await stage.newUser(['Viewer']);
    const { formId } = await stage.newForm(100);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/submissions`);
      const { page } = window;
      const rows = page.getByRole('table', { name: 'Submissions' }).getByRole('row');
      const hasRows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count + 1));
      await hasRows(100);
      await page.getByText('101', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Older' }).click();
      await hasRows(1);
      expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Newer' }).click();
      await hasRows(100);
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
      await window.page.getByText('It was deleted, or it never existed.').waitFor();
    });
  });
});
