import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, loaded, startStage, type Stage } from '../src/console';

/** What the pages of one form have in common. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const tabs = ['Overview', 'Edit', 'Share', 'Answers', 'Summary', 'Settings'];
const tabsOf = (page: Page) => page.getByRole('navigation', { name: 'Views of the form' });

describe('the pages of a form', () => {
  it('have one header with the name, the state and two ways on, and titles of their own', async () => {
    const { formId, name } = await stage.newForm(1);
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}`);
      const { page } = window;
      expect(await tabsOf(page).getByRole('link').allInnerTexts()).toEqual(tabs);
      const visit = async (title: string) => {
        await heading(page, name).waitFor();
        await page.waitForFunction(`document.title === ${JSON.stringify(`${name} · ${title} · Canvass`)}`);
        const header = page.locator('main header').first();
        await header.getByText('Enabled').waitFor();
        await header.getByRole('link', { name: 'Share' }).waitFor();
        await header.getByRole('button', { name: 'Preview' }).waitFor();
      };
      for (const tab of tabs) {
        await tabsOf(page).getByRole('link', { name: tab }).click();
        await visit(tab);
      }
      const parts = page.getByRole('navigation', { name: 'Settings' });
      for (const part of ['Versions', 'Webhooks', 'General']) {
        await parts.getByRole('link', { name: part }).click();
        await visit(part === 'General' ? 'Settings' : part);
        expect(await tabsOf(page).locator('[aria-current]').innerText()).toBe('Settings');
      }
    });
  });

  it('lead to the preview and back from each of them', async () => {
    const { formId } = await stage.newForm(0);
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/settings`);
      const { page } = window;
      const preview = page.getByRole('button', { name: 'Preview' });
      await preview.click();
      await page.frameLocator('iframe').getByText('Where do you live?').waitFor();
      await page.reload();
      await page.frameLocator('iframe').getByText('Where do you live?').waitFor();
      expect(await preview.getAttribute('aria-pressed')).toBe('true');
      await preview.click();
      await page.locator('iframe').waitFor({ state: 'hidden' });
    });
  });

  it('are found at their former addresses, with what these asked for', async () => {
    const { formId } = await stage.newForm(0);
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/definition`);
      const { page } = window;
      await page.getByRole('textbox', { name: 'Definition' }).waitFor();
      for (const [former, now] of [
        ['/definition', '/edit'],
        ['/numbers?days=90', '?days=90'],
        ['/versions?show=1', '/settings/versions?show=1'],
        ['/webhook-settings', '/settings/webhooks'],
      ] as const) {
        await window.open(`/forms/${formId}${former}`);
        await loaded(page);
        expect(page.url()).toBe(`${stage.callers.gatewayUrl}/console/forms/${formId}${now}`);
      }
    });
  });
});

describe('the overview of a form', () => {
  it('leads from the list to the page for respondents, and with answers to these', async () => {
    const name = `New ${randomUUID()}`;
    const { admin, anonymous, gatewayUrl } = stage.callers;
    const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', { name, isEnabled: false });
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms?search=${name}`);
      const { page } = window;
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByRole('cell', { name: '0', exact: true }).waitFor();
      await row.getByRole('link', { name, exact: true }).click();
      await page.getByText('There are no submissions yet').waitFor();
      await page.getByText('The form is disabled: it accepts no answers.').waitFor();
      await page.getByText(`${gatewayUrl}/f/${id}`).waitFor();
      expect(await page.getByRole('figure').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Share the form' }).click();
      await page.getByRole('heading', { name: 'On your own website' }).waitFor();

      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByText('The form is disabled: it accepts no answers.').waitFor({ state: 'hidden' });
      await anonymous.expect(201, 'POST', `/api/forms/${id}/submissions`, {});
      await window.open(`/forms?search=${name}`);
      await row.getByRole('link', { name: '1', exact: true }).waitFor();
      await row.getByRole('link', { name, exact: true }).click();
      await page.getByRole('grid', { name: 'Submissions' }).waitFor();
      await tabsOf(page).getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('figure', { name: 'Submissions by day' }).waitFor();
    });
  });
});
