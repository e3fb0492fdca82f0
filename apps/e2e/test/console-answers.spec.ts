import { text } from 'node:stream/consumers';
import { enter, heading, startStage, type Account, type Stage } from '../src/console';

/** Answers as people read them: in the grid, on the page of a submission, and in a file. */

let stage: Stage;
let analyst: Account;
let formId: string;
let submissionId: string;
beforeAll(async () => {
  stage = await startStage();
  analyst = await stage.newUser(['Admin']);
  ({ formId, submissionId } = await newAnswers());
});
afterAll(() => stage.close());

/** A red dot. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';

/** Answers to a form with a list whose label of `LK` changes afterwards. */
async function newAnswers() {
  const { admin, integration } = stage.callers;
  const list = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: `Countries ${Date.now()}`,
    availableLocales: ['de'],
  });
  const label = (name: string) =>
    admin.expect(200, 'PUT', `/api/data-lists/${list.id}/import`, {
      items: [
        { value: 'LK', labels: { default: name } },
        { value: 'NG', labels: { default: 'Nigeria' } },
      ],
    });
  await label('Ceylon');
  const definition = {
    elements: [
      { type: 'tagbox', name: 'country', title: { default: 'Countries', de: 'Länder' }, dataList: list.id },
      { type: 'boolean', name: 'agrees', title: 'Do you agree?' },
      {
        type: 'matrix',
        name: 'rates',
        title: 'Rates',
        rows: [{ value: 'price', text: 'The price' }],
        columns: [{ value: 1, text: { default: 'Very good', de: 'Sehr gut' } }],
      },
      { type: 'file', name: 'photo', title: 'A photo' },
      { type: 'comment', name: 'rest', title: 'Anything else?' },
    ],
  };
  const form = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'A journey',
    isEnabled: true,
    dataListIds: [list.id],
    definition,
  });
  const answers = {
    photo: [{ name: 'dot.png', type: 'image/png', content: dot }],
    rates: { price: 1 },
    agrees: true,
    country: ['LK', 'NG'],
  };
  const path = `/api/forms/${form.id}/submissions/onbehalf`;
  const { id } = await integration.expect<{ id: string }>(201, 'POST', path, {
    jsonData: JSON.stringify(answers),
    isComplete: true,
    submitter: { externalSubjectId: `s-${Date.now()}`, displayId: 'Jürgen Müller' },
  });
  await label('Sri Lanka');
  return { formId: form.id, submissionId: id };
}

it('show labels of their time, pictures, and what was not answered', async () => {
  await stage.journey(async (window) => {
    await enter(window, analyst, `/forms/${formId}/submissions/${submissionId}`);
    const { page } = window;
    await heading(page, / · \d/).waitFor();
    await page.getByText('Ceylon → Sri Lanka, Nigeria', { exact: true }).waitFor();
    for (const shown of ['Countries', 'Yes', 'The price', 'Very good', 'Not answered', 'Anything else?'])
      await page.getByText(shown, { exact: true }).waitFor();
    const picture = page.getByRole('img', { name: 'dot.png' });
    await picture.waitFor();
    expect(
      await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download dot.png' }).click();
    expect((await download).suggestedFilename()).toBe('dot.png');
  });
});

it('have the same labels in the grid and beside it', async () => {
  await stage.journey(async (window) => {
    await enter(window, analyst, `/forms/${formId}/submissions`);
    const { page } = window;
    const row = page.getByRole('grid', { name: 'Submissions' }).getByRole('row').nth(1);
    await row.getByText('Ceylon → Sri Lanka, Nigeria').waitFor();
    await row.getByText('The price: Very good').waitFor();
    await page.goto(`${page.url()}?row=${submissionId}`);
    const picture = page.getByRole('img', { name: 'dot.png' });
    await picture.waitFor();
    expect(await picture.isVisible()).toBe(true);
  });
});

it('are exported with titles and labels in a language, for the columns of the view', async () => {
  await stage.journey(async (window) => {
    await enter(window, analyst, `/forms/${formId}/submissions`);
    const { page } = window;
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export submissions' });
    await dialog.getByLabel('File', { exact: true }).selectOption('CSV for spreadsheets');
    await dialog.getByLabel('Columns').selectOption('Columns of the view');
    await dialog.getByLabel('Language').selectOption('German');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const lines = (await text(await (await download).createReadStream())).split('\r\n');
    const [header, first] = lines.map((line) => line.split(','));
    expect(header!.slice(0, 3)).toEqual(['SubmitterDisplayId', 'department', 'Review']);
    expect(header!.slice(-3)).toEqual(['Länder', 'Do you agree?', 'Rates – The price']);
    expect(first!.slice(-3)).toEqual(['Ceylon → Sri Lanka|Nigeria', 'Ja', 'Sehr gut']);

    await page.getByRole('button', { name: 'Export' }).click();
    const codebook = page.waitForEvent('download');
    await dialog.getByRole('button', { name: /codebook/ }).click();
    const book = await text(await (await codebook).createReadStream());
    expect(book).toContain('answers.rates.price,Rates – The price,matrix,,1,Sehr gut');
  });
});

it('are found by the label of a value of a data list, which the filter shows, too', async () => {
  await stage.journey(async (window) => {
    await enter(window, analyst, `/forms/${formId}/submissions`);
    const { page } = window;
    await page.getByRole('button', { name: '+ Filter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Countries' }).click();
    await dialog.getByLabel('Search in the list').fill('lanka');
    await dialog.getByRole('button', { name: 'Nigeria' }).waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Sri Lanka' }).click();
    expect(await dialog.getByRole('checkbox', { name: 'Sri Lanka' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('Countries is Sri Lanka', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Countries is Sri Lanka', { exact: true }).waitFor();
  });
});
