import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

interface Form {
  id: string;
  name: string;
  isEnabled: boolean;
  retentionDays: number | null;
  dataListIds: string[];
  definition: { title?: string };
  revision: string;
}

const definition = { title: 'First', elements: [{ type: 'text', name: 'city' }] };

async function newForm(body: object = {}) {
  const name = `Form ${randomUUID()}`;
  const { admin } = stage.callers;
  const { id } = await admin.expect<Form>(201, 'POST', '/api/forms', { name, definition, ...body });
  const path = `/api/forms/${id}`;
  return {
    id,
    name,
    read: () => admin.expect<Form>(200, 'GET', path),
    change: (changes: object) => admin.expect(200, 'PATCH', path, changes),
  };
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Definition' });

/** Replaces the text of the editor by what a person pastes. */
async function paste(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

describe('forms', () => {
  it('are created, found, enabled and disabled', async () => {
    const name = `Made ${randomUUID()}`;
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, '/forms');
      const { page } = window;
      await page.getByRole('button', { name: 'New form' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('checkbox', { name: 'Everyone can answer without a sign-in' }).check();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create' }).click();
      await heading(page, name).waitFor();
      await editor(page).waitFor();

      await page.getByRole('link', { name: 'Forms' }).first().click();
      await page.getByRole('searchbox', { name: 'Filter by name' }).fill(name);
      await page.keyboard.press('Enter');
      await eventually(async () => expect(await page.getByRole('row').count()).toBe(2));
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByText('Disabled').waitFor();
      await row.getByText('Public').waitFor();
      await page.getByRole('button', { name: `Enable ${name}` }).click();
      await row.getByText('Enabled').waitFor();
      await page.getByRole('button', { name: `Disable ${name}` }).click();
      await row.getByText('Disabled').waitFor();
    });
  });

  it('are deleted after the name was typed, and say before what ends', async () => {
    const list = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
      name: `Places ${randomUUID()}`,
    });
    const { id, name } = await newForm({ dataListIds: [list.id], isEnabled: true, isPublic: true });
    await stage.callers.anonymous.expect(201, 'POST', `/api/forms/${id}/submissions`, {});
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${id}/settings`);
      const { page } = window;
      await page.getByRole('button', { name: 'Delete …' }).click();
      await page.getByText('Submissions that can no longer be read or exported: 1.').waitFor();
      await page.getByText('Data lists that it no longer reads: 1.').waitFor();
      expect(await barriers(page)).toEqual([]);
      const remove = page.getByRole('button', { name: 'Delete', exact: true });
      expect(await remove.isDisabled()).toBe(true);
      await page.getByLabel(`Type ${name} to confirm`).fill(name);
      await remove.click();
      await heading(page, 'Forms').waitFor();
      await stage.callers.admin.expect(404, 'GET', `/api/forms/${id}`);
    });
  });
});

describe('the settings of a form', () => {
  it('are saved with the data lists, and another change is shown beside them', async () => {
    const form = await newForm();
    const listName = `Places ${randomUUID()}`;
    const list = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
      name: listName,
    });
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${form.id}/settings`);
      const { page } = window;
      await page.getByLabel('Days until submissions are erased').fill('30');
      await page.getByLabel('Add a data list').fill(listName);
      await page.getByRole('button', { name: listName }).click();
      await page.getByRole('checkbox', { name: listName }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      expect(await form.read()).toMatchObject({ retentionDays: 30, dataListIds: [list.id], definition });

      await page.getByLabel('Name', { exact: true }).fill(`${form.name} mine`);
      await form.change({ name: `${form.name} theirs` });
      await page.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('table', { name: 'It was changed in the meantime' });
      await conflict.getByText(`${form.name} mine`).waitFor();
      await conflict.getByText(`${form.name} theirs`).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Keep yours' }).click();
      await heading(page, `${form.name} mine`).waitFor();
      expect(await form.read()).toMatchObject({ name: `${form.name} mine`, retentionDays: 30 });
    });
  });
});

describe('the definition of a form', () => {
  it('keeps the digits of its numbers, also when settings are saved in between', async () => {
    const form = await newForm();
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      const { page } = window;
      await enter(window, user, `/forms/${form.id}/edit`);
      await editor(page).getByText('"First"').waitFor();
      await paste(page, '{ "max": 9007199254740993, "step": 1.0 }');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved as revision 2.').waitFor();
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill('Another name');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Another name').first().waitFor();
      await page.getByRole('link', { name: 'Edit' }).click();
      await editor(page).getByText('9007199254740993').waitFor();
      expect(await editor(page).innerText()).toContain('1.0');
    });
  });

  it('is saved by Ctrl+S; what is no JSON is never sent, and is kept as a draft', async () => {
    const form = await newForm();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${form.id}/edit`);
      const { page } = window;
      const changes: string[] = [];
      page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));
      await editor(page).getByText('"First"').waitFor();
      await paste(page, '{\n  "title": "Second"\n  "elements": []\n}');
      await page.getByRole('heading', { name: 'Errors and warnings: 1' }).waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('Correct the errors first. Nothing was sent.').waitFor();
      expect(changes).toEqual([]);
      expect(await barriers(page)).toEqual([]);

      await page.reload();
      await page.getByText('This is your draft from earlier.').waitFor();
      await page.getByRole('button', { name: 'Line 3, column 3' }).click();
      await page.keyboard.insertText(',');
      await page.getByRole('heading', { name: /^Errors/ }).waitFor({ state: 'hidden' });
      const difference = page.getByRole('group', { name: 'What the save changes' });
      await difference.getByText('"title": "Second"').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('Saved as revision 2.').waitFor();
      expect((await form.read()).definition).toEqual({ title: 'Second', elements: [] });
      expect(changes).toHaveLength(1);
      await page.reload();
      await editor(page).getByText('"Second"').waitFor();
      expect(await page.getByText('This is your draft from earlier.').count()).toBe(0);

      // A draft ends with the session.
      await paste(page, '{ "title": "Third" }');
      await page.getByText(/^Not saved\./).waitFor();
      await page.getByRole('button', { name: `Account: ${user.email}` }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in to Canvass').waitFor();
      await window.signIn(user.email, user.password);
      await editor(page).getByText('"Second"').waitFor();
      expect(await page.getByText('This is your draft from earlier.').count()).toBe(0);
    });
  });

  it('of another person is shown as a difference before it is overwritten', async () => {
    const form = await newForm();
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${form.id}/edit`);
      const { page } = window;
      await paste(page, '{ "title": "Mine" }');
      // Another member is no conflict.
      await form.change({ description: 'another user' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved as revision 3.').waitFor();

      await paste(page, '{ "title": "Mine again" }');
      await form.change({ definition: { title: 'Theirs' } });
      await page.getByRole('button', { name: 'Save' }).click();
      const title = 'The definition was changed in the meantime';
      const difference = page.getByRole('group', { name: title });
      await difference.getByText('"title": "Theirs"').waitFor();
      await difference.getByText('"title": "Mine again"').waitFor();
      // What both began with is beside each of them.
      const theirs = page.getByRole('group', { name: 'What the other person changed' });
      await theirs.locator('del').getByText('"title": "Mine"').waitFor();
      await theirs.locator('ins').getByText('"title": "Theirs"').waitFor();
      const mine = page.getByRole('group', { name: 'What you changed' });
      await mine.locator('del').getByText('"title": "Mine"').waitFor();
      await mine.locator('ins').getByText('"title": "Mine again"').waitFor();
      expect((await form.read()).definition.title).toBe('Theirs');
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save yours over theirs' }).click();
      await page.getByText('Saved as revision 5.').waitFor();
      expect((await form.read()).definition.title).toBe('Mine again');
    });
  });

  it('has versions, which are compared and restored', async () => {
    const form = await newForm();
    await form.change({ definition: { title: 'Second' } });
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${form.id}/settings/versions`);
      const { page } = window;
      await page.getByRole('button', { name: 'Show version 1' }).click();
      const title = 'Version 1, compared with the current one';
      await page.getByRole('group', { name: title }).getByText('"title": "First"').waitFor();
      expect(new URL(page.url()).searchParams.get('show')).toBe('1');
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Restore version 1' }).click();
      await page.getByText('Version 1 is restored.').waitFor();
      expect((await form.read()).definition).toEqual(definition);

      // Its restore is a version, too: what changed is compared with the version before it.
      await page.getByRole('button', { name: 'Show version 3' }).click();
      await page.getByText('This version is the same as the current definition.').waitFor();
      await page.getByRole('button', { name: 'Compare with the version before' }).click();
      const change = page.getByRole('group', { name: 'Version 3, compared with version 2' });
      await change.getByText('"title": "Second"').waitFor();
      await page.getByRole('button', { name: 'Compare with the current one' }).click();
      await change.waitFor({ state: 'hidden' });
    });
  });

  it('can be read, but not changed, without the permission to edit', async () => {
    const form = await newForm();
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${form.id}/edit`);
      const { page } = window;
      await editor(page).getByText('"First"').waitFor();
      expect(await editor(page).getAttribute('aria-readonly')).toBe('true');
      await editor(page).click();
      await page.keyboard.insertText('x');
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      expect(await page.getByText('Not saved.').count()).toBe(0);
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Delete …' }).count()).toBe(0);
    });
  });
});

it('the overview of a form counts its submissions by day', async () => {
  const { formId, name } = await stage.newForm(3);
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, `/forms/${formId}`);
    const { page } = window;
    await heading(page, name).waitFor();
    await page.getByText(/^Submissions: 4\. Complete: 1\. Most on .*: 4\./).waitFor();
    await page.getByText('As a table').click();
    const rows = page.getByRole('table', { name: 'Submissions by day' }).getByRole('row');
    await eventually(async () => expect(await rows.count()).toBe(8));
    await page.getByRole('button', { name: '30 days' }).click();
    await eventually(async () => expect(await rows.count()).toBe(31));
    // A number leads to the submissions that it counts.
    await page.getByRole('definition').nth(4).getByRole('link', { name: '1' }).click();
    await page.getByRole('link', { name: /^Ada/ }).waitFor();
    expect(await page.getByRole('grid', { name: 'Submissions' }).getByRole('row').count()).toBe(2);
  });
});

describe('axe finds nothing serious', () => {
  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('on the pages of forms, in %s, %i pixels wide', async (colorScheme, width) => {
    const form = await newForm();
    await form.change({ definition: { title: 'Second', elements: [1, true, null, 'text'] } });
    const user = await stage.newUser(['Editor']);
    await stage.journey(
      async (window) => {
        await enter(window, user, '/forms');
        const { page } = window;
        await page.getByRole('row').nth(1).waitFor();
        expect(await barriers(page)).toEqual([]);
        for (const [end, text] of [
          ['', 'There are no submissions yet'],
          ['/edit', '"Second"'],
          ['/settings/versions?show=1', '"title": "First"'],
          ['/settings', 'Add a data list'],
        ]) {
          await window.open(`/forms/${form.id}${end}`);
          await heading(page, form.name).waitFor();
          await page.getByText(text!).first().waitFor();
          expect([end, await barriers(page)]).toEqual([end, []]);
        }
      },
      { colorScheme, width },
    );
  });
});
