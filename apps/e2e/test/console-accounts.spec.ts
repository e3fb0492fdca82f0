import { randomUUID } from 'node:crypto';
import { barriers } from '../src/browser';
import { enter, prove, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe('the page of a user', () => {
  it('shows the open link, which can be withdrawn', async () => {
    const admin = await stage.newUser(['Admin']);
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, admin, `/users/${user.id}`);
      const { page } = window;
      const panel = page.getByRole('region', { name: 'Link to set a password' });
      await panel.getByRole('button', { name: 'Create a link' }).click();
      await page
        .getByRole('dialog', { name: 'Confirm that it is you' })
        .getByRole('button', { name: 'Cancel' })
        .click();
      await panel.getByText(/proof/).waitFor();
      await panel.getByRole('button', { name: 'Create a link' }).click();
      expect(await barriers(page)).toEqual([]);
      await prove(page, admin);
      await panel.getByText(/^There is an unused link/).waitFor();
      await panel.getByText(admin.email).waitFor();
      await panel.getByRole('button', { name: 'Withdraw the link' }).click();
      await panel.getByText(/^There is an unused link/).waitFor({ state: 'hidden' });
      expect(await stage.callers.admin.get(`/api/password-links?userId=${user.id}`)).toMatchObject({
        items: [],
      });
      // The proof holds for a while.
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(`${randomUUID()}@demo.example`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
    });
  });

  it('does not change the own account, and leads to the settings, which do', async () => {
    const admin = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, admin, `/users/${admin.id}`);
      const { page } = window;
      await page.getByText('This is your own account.').waitFor();
      expect(await page.getByRole('button', { name: /Delete|Save|Create a link/ }).count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Your settings' }).click();
      const panel = page.getByRole('region', { name: 'You' });
      await panel.getByLabel('Name').fill('Ada');
      await panel.getByLabel('Current password').fill(admin.password);
      await panel.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      expect(await barriers(page)).toEqual([]);
      const found = await stage.callers.admin.get(`/api/users/${admin.id}`);
      expect(found).toMatchObject({ name: 'Ada', email: admin.email });
    });
  });
});
