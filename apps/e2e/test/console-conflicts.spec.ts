// cspell:ignore andere Auswahl Diese geändert Ihre inzwischen Speichern Vorher wurde
import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { barriers } from '../src/browser';
import { enter, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

async function newForm() {
  const name = `Form ${randomUUID()}`;
  const { admin } = stage.callers;
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', { name });
  const path = `/api/forms/${id}`;
  return {
    id,
    name,
    read: () => admin.expect(200, 'GET', path),
    change: (changes: object) => admin.expect(200, 'PATCH', path, changes),
  };
}

describe('two changes of the settings of a form that meet', () => {
  it.each(['light', 'dark'] as const)('are chosen field by field, by keys, in %s', async (colorScheme) => {
    const form = await newForm();
    const user = await stage.newUser(['Editor']);
    await stage.journey(
      async (window) => {
        await enter(window, user, `/forms/${form.id}/settings`);
        const { page } = window;
        await page.getByLabel('Name', { exact: true }).fill(`${form.name} mine`);
        await page.getByLabel('Description').fill('mine');
        await form.change({ name: `${form.name} theirs`, retentionDays: 7 });
        await page.getByRole('button', { name: 'Save' }).focus();
        await page.keyboard.press('Enter');
        const conflict = page.getByRole('region', { name: 'It was changed in the meantime' });
        // What was there before is shown, too.
        await conflict.getByRole('cell', { name: form.name, exact: true }).waitFor();
        // What only one of them changed is chosen already; for the name one has to choose.
        const chosen = (name: string) => conflict.getByRole('radio', { name, exact: true });
        expect(await chosen('Description: Yours').isChecked()).toBe(true);
        expect(await chosen('Days until submissions are erased: Theirs').isChecked()).toBe(true);
        expect(await chosen('Name: Yours').isChecked()).toBe(false);
        expect(await chosen('Name: Theirs').isChecked()).toBe(false);
        const save = conflict.getByRole('button', { name: 'Save this choice' });
        expect(await save.isEnabled()).toBe(false);
        expect(await barriers(page)).toEqual([]);
        await chosen('Name: Yours').focus();
        await page.keyboard.press('ArrowRight');
        await eventually(async () => expect(await chosen('Name: Theirs').isChecked()).toBe(true));
        await save.focus();
        await page.keyboard.press('Enter');
        await conflict.waitFor({ state: 'hidden' });
        expect(await form.read()).toMatchObject({
          name: `${form.name} theirs`,
          description: 'mine',
          retentionDays: 7,
        });
      },
      { colorScheme },
    );
  });

  it('are compared in German, too', async () => {
    const form = await newForm();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${form.id}/settings`);
      const { page } = window;
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await page.getByLabel('Name', { exact: true }).fill(`${form.name} ich`);
      await form.change({ name: `${form.name} andere` });
      await page.getByRole('button', { name: 'Speichern' }).click();
      const conflict = page.getByRole('region', { name: 'Es wurde inzwischen geändert' });
      await conflict.getByRole('columnheader', { name: 'Vorher' }).waitFor();
      await conflict.getByRole('radio', { name: 'Name: Ihre' }).check();
      await conflict.getByRole('button', { name: 'Diese Auswahl speichern' }).click();
      await conflict.waitFor({ state: 'hidden' });
      expect(await form.read()).toMatchObject({ name: `${form.name} ich` });
    });
  });
});
