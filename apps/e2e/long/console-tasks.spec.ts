// cspell:ignore Wiedeń wieden
import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { enter, heading, startStage, type Account, type Stage } from '../src/console';
import { startReceiver, type Receiver } from '../src/receiver';

/**
 * The tasks that the console is for, with the number of interactions that each takes. A click is one, the
 * choice from a list is one, a text that is typed is one, and keys of one kind one after the other are
 * one.
 */

let stage: Stage;
let receiver: Receiver;
let admin: Account;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
  admin = await stage.newUser(['Admin']);
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

/** A person at the console, whose interactions are counted. */
class Person {
  count = 0;
  private lastKey = '';

  constructor(private readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.did();
    await target.click();
  }

  async choose(target: Locator, option: string): Promise<void> {
    this.did();
    await target.focus(); // as a click on it does, which closes what is open
    await target.selectOption(option);
  }

  async file(target: Locator, name: string, text: string): Promise<void> {
    this.did();
    await target.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  /** Types where the focus is. */
  async type(text: string): Promise<void> {
    this.did();
    await this.page.keyboard.insertText(text);
  }

  async press(key: string): Promise<void> {
    if (key !== this.lastKey) this.did();
    this.lastKey = key;
    await this.page.keyboard.press(key);
  }

  private did(): void {
    this.count += 1;
    this.lastKey = '';
  }
}

const navigation = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true });
const tab = (page: Page, name: string) => page.locator('main').getByRole('link', { name, exact: true });

/** Does a task from a page on. @returns the number of interactions */
async function countOf(
  from: string,
  task: (person: Person, page: Page) => Promise<void>,
  user = admin,
): Promise<number> {
  let count = 0;
  await stage.journey(async (window) => {
    await enter(window, user, from);
    await window.page.locator('main h1').waitFor();
    const person = new Person(window.page);
    await task(person, window.page);
    count = person.count;
  });
  return count;
}

async function newNotifiedForm(answer: object): Promise<{ formId: string; submissionId: string }> {
  const { admin: api, anonymous } = stage.callers;
  const { id: formId } = await api.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: `Tasks ${randomUUID()}`,
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  const { id: submissionId } = await anonymous.expect<{ id: string }>(
    201,
    'POST',
    `/api/forms/${formId}/submissions`,
    { jsonData: JSON.stringify(answer), isComplete: true },
  );
  await eventually(async () => {
    const path = `/api/webhooks/deliveries?formId=${formId}&minAttempts=1`;
    expect((await api.get<{ items: object[] }>(path)).items).toHaveLength(1);
  });
  return { formId, submissionId };
}

async function newList() {
  const { admin: api } = stage.callers;
  const { id } = await api.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: `Tasks ${randomUUID()}`,
    availableLocales: ['pl'],
  });
  const items = [{ value: 'w', labels: { default: 'Vienna', pl: 'Wiedeń' } }];
  await api.expect(200, 'PUT', `/api/data-lists/${id}/import`, { items });
  await api.expect(200, 'PUT', `/api/data-lists/${id}/import`, {
    items: [...items, { value: 'g', labels: { default: 'Graz' } }],
  });
  return id;
}

describe('a task takes few interactions:', () => {
  it('why a submission did not reach its receiver', async () => {
    receiver.sink.respond(() => ({ status: 503, body: 'out of order' }));
    const { formId, submissionId } = await newNotifiedForm({});
    const count = await countOf(`/forms/${formId}/submissions/${submissionId}`, async (person, page) => {
      await person.click(
        page
          .locator('main')
          .getByRole('link', { name: /submission_completed|Completed/i })
          .first(),
      );
      await heading(page, 'Delivery').waitFor();
      await page.getByText('out of order').first().waitFor();
    });
    expect(count).toBeLessThanOrEqual(2);
  });

  it('all that failed at one receiver, sent again and watched to the end', async () => {
    receiver.sink.respond(() => ({ status: 503 }));
    await newNotifiedForm({});
    const count = await countOf('/?range=1h', async (person, page) => {
      const troubled = page.getByRole('table', { name: 'Endpoints in most trouble' });
      await person.click(troubled.getByRole('link', { name: receiver.sink.url }).first());
      await person.click(page.getByRole('link', { name: 'Send again what the filter shows' }));
      const send = page.getByRole('button', { name: /^Send \d+ again$/ });
      // Until the plan is there, a retry could deliver what it is to count.
      await send.waitFor();
      receiver.sink.respond(() => ({ status: 200 }));
      await person.click(send);
      await page.getByText('100 % done').waitFor({ timeout: 120_000 });
    });
    expect(count).toBeLessThanOrEqual(6);
  });

  it('the delivery with a text in its body', async () => {
    receiver.sink.respond(() => ({ status: 200 }));
    const name = `crm-${randomUUID()}`;
    await newNotifiedForm({ name });
    const count = await countOf('/', async (person, page) => {
      await person.click(navigation(page, 'Deliveries'));
      await person.click(page.getByRole('searchbox', { name: /text/i }));
      await person.type(name);
      await person.press('Enter');
      const rows = page.getByRole('grid', { name: 'Deliveries' }).locator('[role=row]:has(a)');
      await eventually(async () => expect(await rows.count()).toBe(1));
    });
    expect(count).toBeLessThanOrEqual(4);
  });

  it('a new language: import, find the errors, correct, compare, apply', async () => {
    const id = await newList();
    const file = (label: string) => `value,default,pl,nl\nw,Vienna,Wiedeń,Wenen\ng,${label},,Graz\n`;
    const count = await countOf(`/data-lists/${id}`, async (person, page) => {
      const input = page.getByLabel('Choose a file', { exact: true }).and(page.locator('input'));
      await person.click(tab(page, 'Import'));
      await person.file(input, 'places.csv', file(''));
      await person.click(page.getByRole('button', { name: 'Check the file' }));
      await person.click(page.getByRole('button', { name: 'Show line 3' }));
      await page.locator('mark').waitFor();
      await person.click(page.getByRole('link', { name: 'Import another file' }));
      await person.file(input, 'places.csv', file('Graz'));
      await person.click(page.getByRole('button', { name: 'Check the file' }));
      await page.getByRole('heading', { name: 'What the import changes' }).waitFor();
      await person.click(page.getByRole('button', { name: 'Replace the items' }));
      await page.getByRole('heading', { name: 'The items are replaced' }).waitFor();
    });
    expect(count).toBeLessThanOrEqual(12);
  });

  it('an import undone', async () => {
    const id = await newList();
    const count = await countOf(`/data-lists/${id}`, async (person, page) => {
      await person.click(tab(page, 'Versions'));
      await person.click(page.getByRole('button', { name: 'From version 2 to version 1' }));
      await person.click(page.getByRole('button', { name: 'Restore version 1' }));
      await page.getByText('Version 1 is restored.').waitFor();
    });
    expect(count).toBeLessThanOrEqual(4);
  });

  it('what a respondent sees who types a word in Polish', async () => {
    const id = await newList();
    const count = await countOf(`/data-lists/${id}`, async (person, page) => {
      await person.click(tab(page, 'Try the search'));
      // The field has the focus.
      await page.locator('input:focus').and(page.getByLabel('What a respondent types')).waitFor();
      await person.type('wieden');
      await person.choose(page.getByLabel('Language of the form'), 'pl');
      await page.locator('mark', { hasText: 'Wiedeń' }).waitFor();
    });
    expect(count).toBeLessThanOrEqual(3);
  });

  it('everything about one person, exported, then erased, with a receipt', async () => {
    const { integration } = stage.callers;
    const { formId } = await stage.newForm(0);
    const displayId = `Person ${randomUUID()}`;
    await integration.expect(201, 'POST', `/forms/${formId}/submissions/onbehalf`, {
      jsonData: '{}',
      isComplete: true,
      submitter: { externalSubjectId: randomUUID(), displayId },
    });
    const count = await countOf('/health', async (person, page) => {
      await person.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await person.type(displayId);
      await person.click(page.getByRole('dialog').getByRole('menuitem', { name: displayId }));
      await heading(page, displayId).waitFor();
      const exported = page.waitForEvent('download');
      await person.click(page.getByRole('button', { name: 'Export' }));
      await exported;
      await person.click(page.getByRole('button', { name: 'Erase …' }));
      await page.getByText('Submissions: 1, forms: 1.').waitFor();
      await person.type(displayId); // the dialog has the focus there
      await person.click(page.getByRole('dialog').getByRole('button', { name: 'Erase' }));
      const receipt = page.waitForEvent('download');
      await person.click(page.getByRole('button', { name: 'Download the receipt' }));
      await receipt;
    });
    expect(count).toBeLessThanOrEqual(8);
  });

  it('what changed in a form, and who did it', async () => {
    const { admin: api } = stage.callers;
    const { formId } = await stage.newForm(0);
    await api.expect(200, 'PATCH', `/api/forms/${formId}`, { definition: { title: 'Second' } });
    const count = await countOf(`/forms/${formId}/submissions`, async (person, page) => {
      await person.click(tab(page, 'Versions'));
      await person.click(page.getByRole('button', { name: 'Show version 1' }));
      await page
        .getByRole('group', { name: /^Version 1, compared/ })
        .getByText('"Second"')
        .waitFor();
    });
    expect(count).toBeLessThanOrEqual(3);
  });

  it('whether it is us or them', async () => {
    const count = await countOf('/forms', async (person, page) => {
      await person.click(navigation(page, 'Overview'));
      await page.getByText('All checks passed.').waitFor();
    });
    expect(count).toBeLessThanOrEqual(2);
  });

  it('own columns and an own filter, shared with the team as its default', async () => {
    const { formId } = await stage.newForm(1);
    const count = await countOf(`/forms/${formId}/submissions`, async (person, page) => {
      await person.click(page.getByRole('button', { name: 'Columns', exact: true }));
      await person.click(
        page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: /^department/ }),
      );
      await person.choose(page.getByLabel('Tests'), 'false');
      await person.click(page.getByRole('button', { name: 'Save as …' }));
      const dialog = page.getByRole('dialog', { name: 'Save the view' });
      await person.choose(dialog.getByLabel('For whom'), 'Everybody in the tenant; the list opens with it');
      await person.click(dialog.getByRole('button', { name: 'Save the view' }));
      await page.getByRole('button', { name: 'View: View 1' }).waitFor();
    });
    expect(count).toBeLessThanOrEqual(6);
  });
});
