import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { heading, startStage, type Stage } from '../src/console';
import { enterByKeys, openRow, press, type } from '../src/keyboard';
import { startReceiver, type Receiver } from '../src/receiver';

/** Journeys by keys alone. */

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

it('signs in, finds a form, filters its submissions and opens one', async () => {
  const { name, submissionId } = await stage.newForm(2);
  const user = await stage.newUser(['Editor']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, '');
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    await press(page, navigation.getByRole('link', { name: 'Forms', exact: true }));
    await heading(page, 'Forms').waitFor();
    await type(page, page.getByRole('main').getByRole('searchbox'), name);
    await page.keyboard.press('Enter');
    await eventually(() => expect(new URL(page.url()).searchParams.get('search')).toBe(name));
    await press(page, page.getByRole('main').getByRole('link', { name, exact: true }));
    await heading(page, name).waitFor();

    const rows = page.getByRole('grid', { name: 'Submissions' }).getByRole('row');
    await eventually(async () => expect(await rows.count()).toBe(4));
    await type(page, page.getByRole('searchbox').first(), 'Ada');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await rows.count()).toBe(2));
    await openRow(page, 'Submissions', 2);
    await heading(page, / · \d/).waitFor();
    expect(page.url()).toMatch(new RegExp(`/submissions/${submissionId}$`));
  });
});

it('goes to a page by the menu of a narrow screen, and Escape gives the focus back', async () => {
  const user = await stage.newUser(['Viewer']);
  await stage.journey(
    async (window) => {
      const { page } = window;
      await enterByKeys(window, user, '');
      await heading(page, 'Overview').waitFor();
      const button = page.getByRole('button', { name: 'Menu', exact: true });
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await press(page, button);
      await menu.waitFor();
      const lists = await menu.getByRole('list').evaluateAll((all) => all.map((own) => own.innerText));
      expect(lists).toEqual([
        'Overview',
        'Forms\nData lists\nSubmitters',
        'Jobs',
        expect.stringMatching(/^Health/),
      ]);
      expect(await menu.getByRole('list', { name: 'Collect' }).getByRole('link').count()).toBe(3);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await button.and(page.locator(':focus')).waitFor();

      await page.keyboard.press('Enter');
      await press(page, menu.getByRole('link', { name: 'Data lists' }));
      await heading(page, 'Data lists').waitFor();
      await menu.waitFor({ state: 'hidden' });
      expect(await page.locator('main:focus, main :focus').count()).toBe(1);
    },
    { width: 390 },
  );
});

it('sends again what a filter shows, and follows the recovery to its end', async () => {
  const { admin, anonymous } = stage.callers;
  receiver.sink.respond(() => ({ status: 503 }));
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: `Keys ${randomUUID()}`,
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  await anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, { isComplete: true });
  await eventually(async () => {
    const path = `/api/webhooks/deliveries?formId=${formId}&minAttempts=1`;
    expect((await admin.get<{ items: object[] }>(path)).items).toHaveLength(1);
  });
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, `/deliveries?formId=${formId}`);
    await press(page, page.getByRole('link', { name: 'Send again what the filter shows' }));
    await heading(page, 'Send again').waitFor();
    // One of a group of radio buttons is in the order of Tab; an arrow chooses the next one.
    await press(page, page.getByLabel('Failed and given up'), 'ArrowDown');
    await page.getByText('Deliveries that are sent again: 1').waitFor();
    receiver.sink.respond(() => ({ status: 200 }));
    await press(page, page.getByRole('button', { name: 'Send 1 again' }));
    await heading(page, 'Recovery').waitFor();
    await page.getByText('100% done').waitFor();
  });
});

it('imports a file: chooses it, reads an error, corrects it, and applies the difference', async () => {
  const { id } = await stage.callers.admin.post<{ id: string }>('/api/data-lists', {
    name: `Keys ${randomUUID()}`,
  });
  const user = await stage.newUser(['Editor']);
  const chooseByKeys = async (page: Page, label: string) => {
    const chosen = page.waitForEvent('filechooser');
    await press(page, page.getByRole('button', { name: /^Choose a file/ }));
    const buffer = Buffer.from(`value,default\ng,${label}\n`);
    await (await chosen).setFiles({ name: 'places.csv', mimeType: 'text/csv', buffer });
    await press(page, page.getByRole('button', { name: 'Check the file' }));
  };
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, `/data-lists/${id}/import`);
    await chooseByKeys(page, '');
    await press(page, page.getByRole('button', { name: 'Show line 2' }));
    await page.locator('mark').waitFor();
    await press(page, page.getByRole('link', { name: 'Import another file' }));
    await chooseByKeys(page, 'Graz');
    await page.getByRole('heading', { name: 'What the import changes' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Replace the items' }));
    await page.getByRole('heading', { name: 'The items are replaced' }).waitFor();
    const { items } = await stage.callers.admin.get<{ items: object[] }>(`/api/data-lists/${id}`);
    expect(items).toMatchObject([{ value: 'g' }]);
  });
});
