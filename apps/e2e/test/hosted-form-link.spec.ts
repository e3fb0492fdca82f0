import { eventually } from '@canvass/testing';
import type { Page, Route } from 'playwright-core';
import { barriers } from '../src/browser';
import { startStage, type Stage } from '../src/console';
import { cityForm, submissionsOf } from '../src/hosted-form';

/** The page of a form that a personal link opens. The browser answers for the service. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const token = 'L'.repeat(43);
const path = /\/submissions\/by-token$/;
const field = (page: Page, name: string) => page.getByRole('textbox', { name });

/** Answers calls by the token of the link; others reach the service. */
async function answerLink(
  page: Page,
  answer: (route: Route) => { status: number; body: object },
): Promise<void> {
  await page.route(path, async (route) => {
    expect(route.request().headers()['x-submission-token']).toBe(token);
    const { status, body } = answer(route);
    await route.fulfill({ status, json: body });
  });
}

it.each(['edit', 'continue'])(
  'saves by a link with %s, also after a reload, and creates nothing',
  async (linkRight) => {
    const formId = await cityForm(stage.callers);
    await stage.journey(async ({ page }) => {
      let stored = { jsonData: '{"name":"Ada"}', currentPage: 0, isComplete: false };
      await answerLink(page, (route) => {
        const changes = (route.request().postDataJSON() ?? {}) as Partial<typeof stored>;
        stored = { ...stored, ...changes };
        return { status: 200, body: { ...stored, token, linkRight } };
      });
      await page.goto(`/f/${formId}#link=${token}`);
      await eventually(async () => expect(await field(page, 'Your name').inputValue()).toBe('Ada'));
      expect(page.url()).not.toContain('link');
      await field(page, 'Your name').fill('Ada L.');
      await page.getByRole('button', { name: 'Next' }).click();
      await eventually(() => expect(stored.jsonData).toBe('{"name":"Ada L."}'));
      await page.reload();
      await field(page, 'Anything else?').fill('No');
      await page.getByRole('button', { name: 'Complete' }).click();
      await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
      expect(stored).toMatchObject({ isComplete: true, jsonData: '{"name":"Ada L.","more":"No"}' });
      expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(token);
    });
    expect(await submissionsOf(stage.callers, formId)).toEqual([]);
  },
);

it('shows the answers of a link with view, which no one can change', async () => {
  const formId = await cityForm(stage.callers, { closesAt: '2020-01-01T00:00:00Z' });
  await stage.journey(async ({ page }) => {
    await answerLink(page, (route) => {
      expect(route.request().method()).toBe('GET');
      const submission = { jsonData: '{"name":"Ada"}', currentPage: 0, isComplete: true, token: null };
      return { status: 200, body: { ...submission, linkRight: 'view' } };
    });
    await page.goto(`/f/${formId}#link=${token}`);
    await eventually(async () => expect(await field(page, 'Your name').inputValue()).toBe('Ada'));
    expect(await field(page, 'Your name').isEditable()).toBe(false);
    await page.getByRole('button', { name: 'Next' }).click();
    await field(page, 'Anything else?').waitFor();
    expect(await field(page, 'Anything else?').isEditable()).toBe(false);
    expect(await page.getByRole('button', { name: 'Complete' }).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

it.each([
  [410, 'link_revoked', 'This link was withdrawn.'],
  [410, 'link_expired', 'This link has expired.'],
  [410, 'link_ended', 'The answers of this link are complete.'],
  [404, 'not_found', 'There is no such link.'],
])('says of a %i %s what it means', async (status, errorCode, text) => {
  const formId = await cityForm(stage.callers);
  await stage.journey(async ({ page }) => {
    await answerLink(page, () => ({ status, body: { errorCode, title: 'Gone.' } }));
    await page.goto(`/f/${formId}#link=${token}`);
    await page.getByText(text).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});
