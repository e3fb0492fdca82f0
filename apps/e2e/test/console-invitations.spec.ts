import { eventually } from '@canvass/testing';
import { readFileSync } from 'node:fs';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

/** Personal links for many people, from the file to the answers. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

it('people of a file get links, answer by them, and are found by their state', async () => {
  const definition = { elements: [{ type: 'text', name: 'city', title: 'Your city' }] };
  const body = { name: 'Guests', definition, isEnabled: true };
  const { id } = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', body);
  const user = await stage.newUser(['Admin']);
  await stage.journey(
    async (window) => {
      const { page } = window;
      await enter(window, user, `/forms/${id}/share`);
      await page.getByRole('button', { name: 'Create links from a file' }).click();
      const dialog = page.getByRole('dialog', { name: 'Personal links for many people' });
      const choose = (text: string) =>
        dialog
          .getByLabel('CSV file')
          .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });
      await choose('externalSubjectId;displayId;mail\r\n1;Ada;a@example.org\r\n');
      await dialog.getByRole('button', { name: 'Create links from a file' }).click();
      await dialog.getByText('The column "mail" is unknown').waitFor();
      expect(await barriers(page)).toEqual([]);
      await choose('externalSubjectId;displayId;answers.city\r\n1;Ada;London\r\n2;Jürgen;Köln\r\n');
      await dialog.getByRole('button', { name: 'Create links from a file' }).click();
      await heading(page, 'Invitation of people').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the file' }).click(),
      ]);
      expect(await barriers(page)).toEqual([]);
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\r\n');
      const [, , second] = lines.map((line) => line.split(','));
      expect([lines.length, second![2]]).toEqual([3, 'Jürgen']);

      const guest = await window.context.newPage();
      await guest.goto(second![4]!);
      const city = guest.getByRole('textbox', { name: 'Your city' });
      await eventually(async () => expect(await city.inputValue()).toBe('Köln'));
      await guest.getByRole('button', { name: 'Complete' }).click();
      await guest.getByText('Thank you').waitFor();

      for (const [state, name] of [
        ['Complete or screened out', 'Jürgen'],
        ['Not started', 'Ada'],
      ] as const) {
        await window.open(`/forms/${id}/share`);
        await page
          .getByRole('navigation', { name: 'Submissions of the invited people' })
          .getByText(state)
          .click();
        const rows = page.getByRole('row').filter({ hasText: /Ada|Jürgen/ });
        await rows.filter({ hasText: name }).waitFor();
        expect(await rows.count()).toBe(1);
      }
    },
    { width: 1280 },
  );
});
