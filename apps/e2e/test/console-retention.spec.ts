import { barriers } from '../src/browser';
import { enter, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

it('a shorter period of a form erases submissions only after their number was typed', async () => {
  const { admin } = stage.callers;
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', { name: 'Kept shortly' });
  const read = () => admin.expect(200, 'GET', `/api/forms/${id}`);
  await admin.expect(201, 'POST', `/api/forms/${id}/submissions`, {});
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    await enter(window, user, `/forms/${id}/settings`);
    const { page } = window;
    await page.getByLabel('Days until submissions are erased').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('With this period 1 submission is erased in 24 hours.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/^This period erases 1 submissions/).waitFor();
    expect(await read()).toMatchObject({ retentionDays: null });
    await page.getByRole('button', { name: 'Save' }).click();
    const confirm = dialog.getByRole('button', { name: 'Save the period' });
    expect(await confirm.isEnabled()).toBe(false);
    await dialog.getByLabel('Type 1 to confirm').fill('1');
    await confirm.click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await read()).toMatchObject({ retentionDays: 1 });
  });
});
