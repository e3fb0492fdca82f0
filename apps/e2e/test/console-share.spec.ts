// cspell:ignore Anmeldung Kontakt Veranstaltung zur
import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';
import { stackFile } from '../src/stack';

/** From a form in the console to its page for respondents. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

interface Form {
  id: string;
  isEnabled: boolean;
  isPublic: boolean;
  dataListIds: string[];
  definition: object;
  revision: string;
}

const created = (path: string, body: object) =>
  stage.callers.admin.expect<{ id: string }>(201, 'POST', path, body);
const newForm = (body: object = {}) => created('/api/forms', { name: `Form ${randomUUID()}`, ...body });
const read = (id: string) => stage.callers.admin.expect<Form>(200, 'GET', `/api/forms/${id}`);

/** The id of the form whose page to share is shown. */
const idIn = (page: Page): string => /\/forms\/(\d+)\/share/.exec(page.url())![1]!;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const scrollsSideways = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

it('a template becomes a page in three languages that respondents can open', async () => {
  const name = `Registration ${randomUUID()}`;
  const user = await stage.newUser(['Editor']);
  await stage.journey(async (window) => {
    const { page, context } = window;
    await enter(window, user, '/forms');
    await press(page, 'New form');
    await page.getByRole('radio', { name: /^Event registration/ }).check();
    const field = page.getByLabel('Name', { exact: true });
    expect(await field.inputValue()).toBe('Event registration');
    await field.fill(name);
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Create');
    await heading(page, name).waitFor();

    await page.getByText('The form is disabled: it accepts no answers.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Enable');
    await press(page, 'Make public');
    await page.getByText('Everybody who has the address can answer.').waitFor();

    const { gatewayUrl } = await stackFile();
    const id = idIn(page);
    const address = page.getByRole('group', { name: 'Address' });
    const languages = page.getByRole('combobox', { name: 'Language of the page' });
    expect(await languages.getByRole('option').allInnerTexts()).toEqual([
      'Automatic (language of the browser)',
      'German',
      'English',
      'French',
    ]);
    expect(await address.locator('code').innerText()).toBe(`${gatewayUrl}/f/${id}`);
    await languages.selectOption('de');
    await address.getByText(`${gatewayUrl}/f/${id}?lang=de`).waitFor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = address.getByRole('button', { name: 'Copy' });
    await copy.click();
    // It is announced, takes no focus, and disappears by itself.
    const toast = page.getByRole('status').getByText('Copied', { exact: true });
    await toast.waitFor();
    expect(await copy.and(page.locator(':focus')).count()).toBe(1);
    await toast.waitFor({ state: 'detached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${gatewayUrl}/f/${id}?lang=de`);

    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download as SVG')]);
    expect(download.suggestedFilename()).toBe(`${name}.svg`);
    expect(readFileSync(await download.path(), 'utf8')).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/,
    );
    const embed = page.getByRole('group', { name: 'On your own website' });
    expect(await embed.locator('code').innerText()).toBe(
      `<script src="${gatewayUrl}/f/embed.js" data-form="${id}" data-lang="de" async></script>`,
    );

    const [shown] = await Promise.all([
      context.waitForEvent('page'),
      address.getByRole('link', { name: 'Open the page' }).click(),
    ]);
    await shown.getByRole('heading', { name: 'Anmeldung zur Veranstaltung' }).waitFor();
    await shown.getByRole('textbox', { name: 'Ihr Name' }).waitFor();
  });
});

it.each(['contact', 'event', 'feedback', 'application', 'employees'])(
  'the template %s is complete in each language, and its page has no barriers',
  async (template) => {
    const file = require.resolve(`../../console/src/signed-in/forms/templates/${template}.json`);
    const incomplete: string[] = [];
    const definition = JSON.parse(readFileSync(file, 'utf8'), (key, value: unknown) => {
      if (typeof value !== 'object' || value === null || !('default' in value)) return value;
      if (Object.keys(value).join() !== 'default,de,fr') incomplete.push(`${key}: ${JSON.stringify(value)}`);
      return value;
    }) as { title: { fr: string } };
    expect(incomplete).toEqual([]);

    const { id } = await newForm({ definition, isEnabled: true, isPublic: true });
    await stage.journey(
      async ({ page }) => {
        await page.goto(`/f/${id}?lang=fr`);
        await page.getByRole('heading', { level: 1, name: definition.title.fr }).waitFor();
        await page.locator('.sd-question').first().waitFor();
        expect(await barriers(page)).toEqual([]);
        expect(await scrollsSideways(page)).toBe(false);
      },
      { width: 320 },
    );
  },
);

it('a form says on its page to share why respondents cannot answer', async () => {
  const open = { isEnabled: true, isPublic: true };
  const hour = 3_600_000;
  const future = await newForm({ ...open, opensAt: new Date(Date.now() + hour).toISOString() });
  const past = await newForm({ ...open, closesAt: new Date(Date.now() - hour).toISOString() });
  const full = await newForm({ ...open, maxSubmissions: 1 });
  await stage.callers.anonymous.expect(201, 'POST', `/api/forms/${full.id}/submissions`, {});
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enter(window, user, `/forms/${future.id}/share`);
    await page.getByText('The form is not open yet.').waitFor();
    await window.open(`/forms/${past.id}/share`);
    await page.getByText('The form closed on').waitFor();
    await window.open(`/forms/${full.id}/share`);
    await page.getByText('The form is full').waitFor();
    expect(await page.getByRole('button', { name: 'Enable' }).count()).toBe(0);
  });
});

describe('a copy of a form', () => {
  const definition = { elements: [{ type: 'text', name: 'city', max: 7 }] };

  it('has its questions and rules, and neither its webhooks nor its submissions', async () => {
    const list = await created('/api/data-lists', { name: `Places ${randomUUID()}` });
    const rules = { retentionDays: 30, limitOnePerUser: true, maxSubmissions: 5, dataListIds: [list.id] };
    const webHookSettingsJson = JSON.stringify({ Events: {} });
    const name = `Form ${randomUUID()}`;
    const { id } = await newForm({ ...rules, name, definition, webHookSettingsJson, isEnabled: true });
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      const { page } = window;
      await enter(window, user, `/forms?search=${name}`);
      await press(page, `Copy ${name}`);
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(`Copy of ${name}`);
      expect(await barriers(page)).toEqual([]);
      await press(page, 'Create');
      await heading(page, `Copy of ${name}`).waitFor();
      const copyId = idIn(page);
      expect(copyId).not.toBe(id);
      expect(await read(copyId)).toMatchObject({
        ...rules,
        definition,
        webHookSettingsJson: null,
        isEnabled: false,
      });
    });
  });

  it('can be chosen where a form begins', async () => {
    const name = `Form ${randomUUID()}`;
    await newForm({ name, definition });
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      const { page } = window;
      await enter(window, user, '/forms');
      await press(page, 'New form');
      await page.getByRole('radio', { name: /^Existing form/ }).check();
      await page.getByRole('combobox', { name: 'Form to copy' }).selectOption({ label: name });
      await press(page, 'Create');
      await heading(page, `Copy of ${name}`).waitFor();
      expect(await read(idIn(page))).toMatchObject({ definition, isEnabled: false });
    });
  });
});

describe('a definition with a list that the form may not read', () => {
  it('is saved with the permission, in one request, or without it', async () => {
    const listName = `Places ${randomUUID()}`;
    const list = await created('/api/data-lists', { name: listName });
    const { id } = await newForm();
    const text = (dataList: string, name = 'city') =>
      JSON.stringify({ elements: [{ type: 'dropdown', name, dataList }] });
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      const { page } = window;
      const changes: string[] = [];
      page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));
      await enter(window, user, `/forms/${id}/edit`);
      const type = async (definition: string) => {
        await page.getByRole('textbox', { name: 'Definition' }).click();
        await page.keyboard.press('Control+a');
        await page.keyboard.insertText(definition);
        await press(page, 'Save');
      };
      const dialog = page.getByRole('dialog', { name: 'Lists that the form may not read' });

      // A list that does not exist cannot be permitted.
      await type(text('123'));
      await dialog.getByText('not found, or you may not see it').waitFor();
      expect(await dialog.getByRole('button', { name: 'Permit and save' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(changes).toEqual([]);

      await type(text(list.id));
      await dialog.getByText(listName).waitFor();
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save without a permission' }).click();
      await page.getByText('Saved as revision 2.').waitFor();
      expect(await read(id)).toMatchObject({ dataListIds: [] });

      await type(text(list.id, 'town'));
      // Another member of the form is changed in between.
      await stage.callers.admin.expect(200, 'PATCH', `/api/forms/${id}`, { description: 'Meanwhile' });
      await dialog.getByRole('button', { name: 'Permit and save' }).click();
      await page.getByText('Saved as revision 4.').waitFor();
      expect(await read(id)).toMatchObject({ dataListIds: [list.id] });
      await type(text(list.id, 'place'));
      await page.getByText('Saved as revision 5.').waitFor();
      await page.getByRole('link', { name: 'Share the form' }).click();
      await page.getByRole('heading', { name: 'Page for respondents' }).waitFor();
    });
  });
});

it('a submission gets a link that a person opens, and that is revoked', async () => {
  const { formId, submissionId } = await stage.newForm(0);
  const user = await stage.newUser(['Admin']);
  const statusOf = async (token: string) => {
    const { gatewayUrl } = stage.callers;
    const headers = { 'X-Submission-Token': token };
    return (await fetch(`${gatewayUrl}/api/forms/${formId}/submissions/by-token`, { headers })).status;
  };
  await stage.journey(
    async (window) => {
      const { page } = window;
      await enter(window, user, `/forms/${formId}/submissions/${submissionId}`);
      await page.getByText('There are no links').waitFor();
      await press(page, 'New link …');
      const dialog = page.getByRole('dialog', { name: 'New link to this submission' });
      // The submission is complete.
      expect(await dialog.getByRole('combobox', { name: 'Right' }).inputValue()).toBe('view');
      await dialog.getByLabel('Note').fill('For Ada');
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create the link' }).click();
      const shown = dialog.getByRole('group', { name: 'Link' });
      const [address, token] = (await shown.locator('code').innerText()).split('#link=');
      expect(address).toBe(`${stage.callers.gatewayUrl}/f/${formId}`);
      expect(await statusOf(token!)).toBe(200);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });

      const row = page.getByRole('table', { name: 'Links' }).getByRole('row').nth(1);
      await row.getByText('For Ada').waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await row.getByRole('button', { name: 'Revoke' }).click();
      await row.getByText('Revoked').waitFor();
      await eventually(async () => expect(await statusOf(token!)).toBeGreaterThanOrEqual(400));
    },
    { width: 320 },
  );
});

it.each([
  ['light', 320],
  ['dark', 1280],
] as const)('axe finds nothing on the page to share, in %s, %i pixels wide', async (colorScheme, width) => {
  const { id } = await newForm({ definition: { title: { default: 'Contact', de: 'Kontakt' } } });
  const user = await stage.newUser(['Admin']);
  await stage.journey(
    async (window) => {
      const { page } = window;
      await enter(window, user, `/forms/${id}/share`);
      await page.getByText('Page for respondents').waitFor();
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await eventually(async () => expect(await scrollsSideways(page)).toBe(false));
      await window.open('/forms');
      await press(page, 'New form');
      await page.getByText('Name, topic, message').waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
    },
    { colorScheme, width },
  );
});
