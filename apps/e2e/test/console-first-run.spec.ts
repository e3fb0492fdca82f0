import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { barriers } from '../src/browser';
import { heading, startStage, type Stage } from '../src/console';
import { runOps } from '../src/ops';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** Makes a tenant without anything, and the link for its first administrator. */
async function emptyTenant() {
  const email = `${randomUUID()}@demo.example`;
  const argv = ['tenants', 'create', '--name', `Empty ${randomUUID()}`, '--admin', email, '--yes', '--json'];
  const { output } = await runOps(...argv);
  const { token } = JSON.parse(output) as { token: string };
  return { email, token };
}

it('a second link in a tab sets the password of its own user', async () => {
  const [first, second] = [await emptyTenant(), await emptyTenant()];
  const password = randomUUID();
  await stage.journey(async (window) => {
    const { page } = window;
    await window.open(`/set-password#token=${first.token}`);
    await page.getByLabel('New password').fill(randomUUID());
    await window.open(`/set-password#token=${second.token}`);
    await eventually(async () => expect(await page.getByLabel('New password').inputValue()).toBe(''));
    expect(page.url()).not.toContain('token');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The password is set.').waitFor();
    await page.getByRole('link', { name: 'Go to the sign-in' }).click();
    await window.signIn(second.email, password);
    await page.getByRole('heading', { name: 'Three steps to the first answer' }).waitFor();
  });
});

it.each([
  ['light', 320],
  ['dark', 1280],
] as const)(
  'three steps lead an empty tenant to its first answer, in %s, %i pixels wide',
  async (colorScheme, width) => {
    const { email, token } = await emptyTenant();
    const password = randomUUID();
    const form = `First ${randomUUID()}`;
    await stage.journey(
      async (window) => {
        const { page } = window;
        await window.open(`/set-password#token=${token}`);
        await page.getByLabel('New password').fill(password);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await page.getByText('The password is set.').waitFor();
        await page.getByRole('link', { name: 'Go to the sign-in' }).click();
        await window.signIn(email, password);
        await page.getByRole('heading', { name: 'Three steps to the first answer' }).waitFor();
        expect(await page.getByRole('figure').count()).toBe(0);
        expect(await barriers(page)).toEqual([]);
        const steps = page.getByRole('main').getByRole('listitem');
        expect(await steps.getByRole('link').allInnerTexts()).toEqual(['New form']);

        await steps.getByRole('link', { name: 'New form' }).click();
        await page.getByLabel('Name', { exact: true }).fill(form);
        await page.getByRole('button', { name: 'Create' }).click();
        await heading(page, form).waitFor();

        await window.open('/');
        await steps.getByRole('link', { name: 'Share the form' }).click();
        await heading(page, form).waitFor();
        await page.getByRole('button', { name: 'Enable' }).click();
        await page.getByRole('button', { name: 'Make public' }).click();
        await page.getByText('Everybody who has the address can answer.').waitFor();
        const formId = /\/forms\/(\d+)\/share/.exec(page.url())![1]!;

        await window.open('/');
        await steps.getByRole('link', { name: 'Show the answers' }).click();
        await page.getByText('There are no submissions yet').waitFor();

        await stage.callers.anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, {});
        await window.open('/');
        const row = page.getByRole('table', { name: 'Answers by form' }).getByRole('row').nth(1);
        await row.getByText('1', { exact: true }).waitFor();
        expect(await barriers(page)).toEqual([]);
        // Nothing was sent, and no endpoint failed.
        expect(await page.getByRole('figure', { name: 'Attempts over time' }).count()).toBe(0);
        expect(await page.getByText('Endpoints in most trouble').count()).toBe(0);
        await row.getByRole('link', { name: form }).click();
        await page.getByRole('link', { name: 'Anonymous' }).waitFor();
      },
      { colorScheme, width },
    );
  },
);
