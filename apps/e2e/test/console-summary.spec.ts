import { eventually } from '@canvass/testing';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
let formId: string;
beforeAll(async () => {
  stage = await startStage();
  const { admin, anonymous } = stage.callers;
  const definition = {
    elements: [
      {
        type: 'radiogroup',
        name: 'ticket',
        title: { default: 'Ticket type', de: 'Art der Karte' }, // cspell:disable-line
        choices: ['Conference', { value: 'ws', text: 'Workshop | one day' }, 'Both'],
      },
      { type: 'text', inputType: 'number', name: 'age', title: 'Your age' },
      { type: 'rating', name: 'again', title: 'Would you come again?', rateMin: 0, rateMax: 10 },
      { type: 'comment', name: 'note', title: 'Anything else?' },
    ],
  };
  const form = { name: 'A conference', isEnabled: true, definition };
  ({ id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', form));
  for (let n = 0; n < 12; n++) {
    const answers = {
      ticket: ['Conference', 'ws', 'Conference', 'former'][n % 4],
      age: 20 + n,
      again: n % 11,
      ...(n % 3 === 0 && { note: `Thanks <b>${n}</b>` }),
    };
    const body = { jsonData: JSON.stringify(n === 11 ? {} : answers), isComplete: true };
    await anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, body);
  }
});
afterAll(() => stage.close());

it('shows the answers by question, and a bar leads to its submissions', async () => {
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, `/forms/${formId}/submissions`);
    const { page } = window;
    await page.getByRole('link', { name: 'Summary' }).click();
    const ticket = page.getByRole('region', { name: 'Ticket type' });
    const row = (name: string) => ticket.getByRole('row').filter({ hasText: name });
    await row('Conference').waitFor();
    expect(await row('Conference').getByRole('cell').allInnerTexts()).toEqual(['6', '54.5%']);
    expect(await row('Workshop | one day').getByRole('cell').allInnerTexts()).toEqual(['3', '27.3%']);
    expect(await row('former').innerText()).toContain('no longer offered');
    await ticket.getByText('11 answered').waitFor();
    await page
      .getByRole('region', { name: 'Would you come again?' })
      .getByText('Net Promoter Score')
      .waitFor();
    // Markup of strangers is text.
    await page.getByRole('link', { name: 'Thanks <b>9</b>' }).waitFor();

    await row('Workshop').getByRole('link').click();
    await heading(page, 'A conference').waitFor();
    const rows = page.getByRole('grid', { name: 'Submissions' }).getByRole('row');
    await eventually(async () => expect(await rows.count()).toBe(4));
    expect(new URL(page.url()).searchParams.getAll('where')).toEqual(['answers.ticket:ws']);
    await page.getByRole('button', { name: 'Change the filter Ticket type is Workshop | one day' }).waitFor();
    // The filter stays on the way back.
    await page.goBack();
    await page
      .getByRole('region', { name: 'Your age' })
      .getByRole('link', { name: '24 to below 25' })
      .click();
    await eventually(async () => expect(await rows.count()).toBe(2));
  });
});

it('is filtered by picking a question and a value, and a text that is no filter becomes a hint', async () => {
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, `/forms/${formId}/submissions`);
    const { page } = window;
    const rows = page.getByRole('grid', { name: 'Submissions' }).getByRole('row');
    const hasRows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count + 1));
    await hasRows(12);
    await page.getByRole('button', { name: '+ Filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a filter' });
    await dialog.getByRole('searchbox', { name: 'Find a filter' }).fill('ticket');
    await dialog.getByRole('button', { name: 'Ticket type' }).click();
    await dialog.getByRole('checkbox', { name: 'Conference' }).check();
    await dialog.getByRole('button', { name: 'Filter', exact: true }).click();
    await hasRows(6);
    expect(new URL(page.url()).searchParams.getAll('where')).toEqual(['answers.ticket:Conference']);

    await page.getByRole('button', { name: 'Change the filter Ticket type is Conference' }).click();
    await dialog.getByRole('checkbox', { name: 'Workshop | one day' }).check();
    await dialog.getByRole('button', { name: 'Filter', exact: true }).click();
    await hasRows(9);
    await page.getByRole('button', { name: /^Remove the filter Ticket type/ }).click();
    await hasRows(12);

    await page.getByRole('button', { name: '+ Filter' }).click();
    await dialog.getByRole('button', { name: 'Your age' }).click();
    await dialog.getByLabel('From').fill('25');
    await dialog.getByLabel('To', { exact: true }).fill('27');
    await dialog.getByRole('button', { name: 'Filter', exact: true }).click();
    await hasRows(3);
    await page.getByRole('button', { name: 'Change the filter Your age ≥ 25' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await hasRows(12);

    await page.getByRole('button', { name: '+ Filter' }).click();
    await dialog.getByRole('button', { name: 'Anything else?' }).click();
    await dialog.getByLabel('Contains').fill('THANKS');
    await page.keyboard.press('Enter');
    await hasRows(4);
    await page.getByRole('button', { name: 'Clear the filter' }).click();

    for (const text of ['conference', 'ticket:Conference']) {
      await page.getByRole('button', { name: '+ Filter' }).click();
      await dialog.getByText('Write a filter').click();
      await dialog.getByRole('searchbox', { name: 'Write a filter' }).fill(text);
      await page.keyboard.press('Enter');
      await page.getByText(`“${text}” is not a filter. Search by question:`).waitFor();
      await hasRows(12);
      await page.getByRole('button', { name: 'Ticket type is Conference', exact: true }).click();
      await hasRows(6);
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await hasRows(12);
    }
  });
});

it.each([
  ['light', 1440],
  ['dark', 360],
] as const)(
  'axe finds nothing serious in the summary and its filter, in %s, %i pixels wide',
  async (colorScheme, width) => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(
      async (window) => {
        await enter(window, user, `/forms/${formId}/summary`);
        const { page } = window;
        await page.getByRole('region', { name: 'Ticket type' }).waitFor();
        expect(await barriers(page)).toEqual([]);
        const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        expect(await page.evaluate(overflows)).toBe(false);
        await page.getByRole('button', { name: '+ Filter' }).click();
        await page.getByRole('dialog').waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { colorScheme, width },
    );
  },
);
