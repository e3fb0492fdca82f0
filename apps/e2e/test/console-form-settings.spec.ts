import { enter, startStage, type Account, type Stage } from '../src/console';

/** The settings of a form: its page, its times, and the check of answers. */

let stage: Stage;
let editor: Account;
beforeAll(async () => {
  stage = await startStage();
  editor = await stage.newUser(['Editor']);
});
afterAll(() => stage.close());

interface FormSettings {
  slug: string;
  answerCheck: string;
  maxSubmissions: number;
  opensAt: string;
  page: Record<string, unknown>;
}

const definition = {
  elements: [
    { type: 'text', inputType: 'number', name: 'age', title: 'Your age', isRequired: true, max: 120 },
  ],
};
const newForm = async () =>
  (
    await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Ages',
      isEnabled: true,
      isPublic: true,
      definition,
    })
  ).id;
const send = (formId: string, answers: object) =>
  fetch(`${stage.callers.gatewayUrl}/api/forms/${formId}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ isComplete: true, jsonData: JSON.stringify(answers) }),
  });

it('are filled in and saved: name, look and addresses of the page, times and places', async () => {
  const formId = await newForm();
  const slug = `ages-${Date.now()}`;
  await stage.journey(
    async (window) => {
      await enter(window, editor, `/forms/${formId}/settings`);
      const { page } = window;
      const dot = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
        'base64',
      );
      await page.getByLabel('Name in the address').fill(slug);
      await page.getByLabel('Logo').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: dot });
      await page.getByRole('img', { name: 'Logo' }).waitFor();
      await page.getByLabel('Colour of the page').fill('#0f766e');
      await page.getByLabel('Colours').selectOption('Dark');
      await page.getByLabel('May be embedded by').fill('https://www.example.org https://example.net');
      await page.getByLabel('Page after the completion').fill('https://example.org/thanks');
      await page.getByLabel('Further hosts that may follow').fill('www.example.org');
      await page.getByLabel('Opens').fill('2020-01-02T03:04');
      await page.getByLabel('Maximum number of submissions').fill('7');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/^Saved/).waitFor();
    },
    { zone: 'UTC' },
  );
  const form = await stage.callers.admin.get<FormSettings>(`/api/forms/${formId}`);
  expect(form).toMatchObject({ slug, maxSubmissions: 7, opensAt: '2020-01-02T03:04:00.000Z' });
  expect(form.page).toEqual({
    logo: expect.stringMatching(/^data:image\/png;base64,/) as string,
    accent: '#0f766e',
    scheme: 'dark',
    frameAncestors: ['https://www.example.org', 'https://example.net'],
    redirectTo: 'https://example.org/thanks',
    redirectHosts: ['www.example.org'],
  });
});

it('decide what happens to answers that break a rule, which the list then finds', async () => {
  const formId = await newForm();
  expect((await send(formId, { age: 'abc' })).status).toBe(201);
  expect((await send(formId, { age: 33 })).status).toBe(201);
  await stage.journey(async (window) => {
    await enter(window, editor, `/forms/${formId}/submissions`);
    const { page } = window;
    const rows = page.getByRole('grid', { name: 'Submissions' }).getByRole('row');
    await rows.nth(2).waitFor();
    await page.goto(`${page.url()}?where=answerCheck:failed`);
    await page.getByText('Check is Rules broken').waitFor();
    await rows.filter({ hasText: 'abc' }).waitFor();
    expect(await rows.count()).toBe(2);
    await rows.nth(1).getByRole('link').click();
    await page.getByText('The value has the wrong type.').waitFor();

    await page.goto(new URL(`/console/forms/${formId}/settings`, page.url()).href);
    await page.getByLabel('Check of answers').selectOption({ value: 'enforce' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved/).waitFor();
  });
  const refused = await send(formId, { age: 121 });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('jsonData.age')]);
  expect((await send(formId, { age: 120 })).status).toBe(201);
});
