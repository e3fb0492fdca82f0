import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { startStage, type Stage } from '../src/console';
import { cityForm, submissionsOf } from '../src/hosted-form';

/** The page of a form without a connection. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const field = (page: Page, name: string) => page.getByRole('textbox', { name });
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

it('loses nothing while the connection is cut for a minute', async () => {
  const formId = await cityForm(stage.callers);
  await stage.journey(async ({ page, context }) => {
    await page.goto(`/f/${formId}`);
    await field(page, 'Your name').fill('Ada');
    await press(page, 'Next');
    await eventually(async () => expect(await submissionsOf(stage.callers, formId)).toHaveLength(1));
    await context.setOffline(true);
    const cutAt = performance.now();
    for (const text of ['First', 'Second', 'Third']) {
      await field(page, 'Anything else?').fill(text);
      await press(page, 'Previous');
      await field(page, 'Your name').fill(`Ada ${text}`);
      await press(page, 'Next');
    }
    await press(page, 'Complete');
    await page.getByText('Your answers are being sent.').waitFor();
    await page.waitForTimeout(60_000 - (performance.now() - cutAt));
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
  });
  const stored = { isComplete: true, jsonData: '{"name":"Ada Third","more":"Third"}' };
  expect(await submissionsOf(stage.callers, formId)).toMatchObject([stored]);
});
