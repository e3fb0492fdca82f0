import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** A character that changes the direction: it cannot be typed, and is shown as a sign. */
const invisible = '\u202e';

interface Person {
  /** The display id as one can type it. */
  name: string;
  submitterId: string;
}

/** A person who answered two forms, with another department each time. */
async function newPerson(): Promise<Person> {
  const { admin, integration } = stage.callers;
  const name = `Lovelace ${randomUUID()}`;
  const displayId = `${name}${invisible}`;
  const externalSubjectId = randomUUID();
  let submitterId = '';
  for (const department of ['Sales', 'Research']) {
    const form = { name: `${department} ${randomUUID()}`, isEnabled: true };
    const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', form);
    const made = await integration.expect<{ submitterId: string }>(
      201,
      'POST',
      `/forms/${id}/submissions/onbehalf`,
      {
        jsonData: '{}',
        isComplete: true,
        submitter: { externalSubjectId, displayId, profile: { department } },
      },
    );
    ({ submitterId } = made);
  }
  return { name, submitterId };
}

const openPerson = async (page: Page, { name }: Person) => {
  await page.getByRole('searchbox', { name: 'Find a person' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name }).click();
  await heading(page, name).waitFor();
};

/** The file that a step downloads. */
async function downloaded(page: Page, step: () => Promise<void>): Promise<Record<string, unknown>> {
  const [download] = await Promise.all([page.waitForEvent('download'), step()]);
  return JSON.parse(readFileSync(await download.path(), 'utf8')) as Record<string, unknown>;
}

describe('a person', () => {
  it('is found by display id, with the profile now and then, and exported', async () => {
    const user = await stage.newUser(['Editor']);
    const person = await newPerson();
    await stage.journey(async (window) => {
      await enter(window, user, '/submitters');
      const { page } = window;
      await openPerson(page, person);
      const submissions = page.getByRole('table', { name: 'Submissions in all forms' });
      await submissions.getByRole('row').nth(2).waitFor();
      expect(await submissions.getByRole('row').count()).toBe(3);

      const profile = page.getByRole('table', { name: 'Profile' });
      await profile.getByText('Research').waitFor();
      await submissions
        .getByRole('row')
        .filter({ hasText: 'Sales' })
        .getByRole('button', { name: 'Profile at that time' })
        .click();
      await profile.getByText('Sales').waitFor();
      await profile.getByText('differs').waitFor();
      await page.reload();
      await profile.getByText('Sales').waitFor();

      const file = await downloaded(page, () => page.getByRole('button', { name: 'Export' }).click());
      expect(file).toMatchObject({ submitter: { id: person.submitterId } });
      expect(file['submissions']).toHaveLength(2);
      // An editor may not erase, and is not offered it.
      expect(await page.getByRole('button', { name: 'Erase …' }).count()).toBe(0);
    });
  });

  it('is found by subject or profile among people of one name, with the ways between its submissions', async () => {
    const { admin, integration } = stage.callers;
    const displayId = `Anna Huber ${randomUUID()}`;
    const [department, ...subjects] = [randomUUID(), `crm-${randomUUID()}`, `crm-${randomUUID()}`];
    const forms: string[] = [];
    for (const externalSubjectId of [subjects[0], subjects[1], subjects[0], subjects[0]]) {
      const form = { name: `Form ${randomUUID()}`, isEnabled: true };
      const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', form);
      const submitter = {
        displayId,
        externalSubjectId,
        profile: { department: `${department}-${externalSubjectId}` },
      };
      await integration.expect(201, 'POST', `/forms/${id}/submissions/onbehalf`, {
        jsonData: '{}',
        submitter,
      });
      if (externalSubjectId === subjects[0]) forms.unshift(id);
    }
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/submitters');
      const { page } = window;
      const rows = page.getByRole('table', { name: 'All submitters' }).getByRole('row');
      const find = async (text: string) => {
        await page.getByRole('searchbox', { name: 'Find a person' }).fill(text);
        await page.keyboard.press('Enter');
      };
      await find(displayId);
      for (const subject of subjects) await rows.filter({ hasText: subject }).waitFor();
      await find(`${department}-${subjects[1]}`.toUpperCase());
      await rows.filter({ hasText: subjects[0] }).waitFor({ state: 'hidden' });
      await rows.filter({ hasText: subjects[1] }).waitFor();
      await find(subjects[0]!);
      await rows.filter({ hasText: subjects[0] }).getByRole('link', { name: displayId }).click();

      const submissions = page.getByRole('table', { name: 'Submissions in all forms' });
      await submissions.getByRole('link').nth(2).waitFor();
      await submissions.getByRole('link').first().click();
      const at = (formId: string | undefined) => page.waitForURL(`**/forms/${formId}/submissions/*`);
      await at(forms[0]);
      expect(await page.getByRole('button', { name: 'Previous', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Next', exact: true }).click();
      await at(forms[1]);
      await page.reload();
      await page.getByRole('link', { name: 'Next', exact: true }).click();
      await at(forms[2]);
      expect(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Previous', exact: true }).click();
      await at(forms[1]);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('link', { name: `Submitter: ${displayId}` }).click();
      await heading(page, displayId).waitFor();
    });
  });

  it('is erased after the display id is typed, with a receipt, and every tab forgets', async () => {
    const user = await stage.newUser(['Admin']);
    const person = await newPerson();
    await stage.journey(async (window) => {
      await enter(window, user, '/submitters');
      const { page, context } = window;
      await openPerson(page, person);
      const other = await context.newPage();
      await other.goto(`/console/submitters/${person.submitterId}`);
      await heading(other, person.name).waitFor();

      await page.getByRole('button', { name: 'Erase …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Erase this person' });
      await dialog.getByText('Submissions: 2, forms: 2.').waitFor();
      await dialog.getByText('No delivery in the log carried this person.').waitFor();
      const erase = dialog.getByRole('button', { name: 'Erase' });
      expect(await erase.isDisabled()).toBe(true);
      await dialog.getByLabel(`Type ${person.name} to confirm`).fill(person.name);
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('radio', { name: 'Delete them' }).check();
      await erase.click();

      await page.getByRole('heading', { name: 'The person was erased' }).waitFor();
      const receipt = await downloaded(page, () =>
        page.getByRole('button', { name: 'Download the receipt' }).click(),
      );
      expect(receipt).toMatchObject({
        submitterId: person.submitterId,
        answers: 'delete',
        counts: { submissions: 2, forms: 2 },
        erasedBy: { kind: 'user', subject: user.id },
      });
      expect(JSON.stringify(receipt)).not.toContain(person.name);

      await other.getByText('It was deleted, or the address is wrong.').waitFor();
      await page.getByRole('link', { name: 'Show the submitters' }).click();
      await heading(page, 'Submitters').waitFor();
      await page.getByRole('table', { name: 'All submitters' }).waitFor();
      for (const tab of [page, other]) {
        await eventually(async () => expect(await tab.content()).not.toContain(person.name));
      }
    });
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has pages without a serious barrier in %s, %i pixels wide', async (colorScheme, width) => {
    const user = await stage.newUser(['Admin']);
    const person = await newPerson();
    await stage.journey(
      async (window) => {
        await enter(window, user, '/submitters');
        const { page } = window;
        await page.getByRole('table', { name: 'All submitters' }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await openPerson(page, person);
        await page.getByRole('table', { name: 'Submissions in all forms' }).waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { colorScheme, width },
    );
  });
});
