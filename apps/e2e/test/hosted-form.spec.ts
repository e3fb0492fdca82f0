// cspell:ignore Abschließen Formular Frage Herzlichen München Nein Noch Weiter Zurück beantworten diese
// cspell:ignore etwas gibt nicht wohnen
import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { barriers, shiftsOf } from '../src/browser';
import { startStage, type Stage } from '../src/console';
import { cityForm, submissionsOf, type StoredSubmission } from '../src/hosted-form';
import { startPrefixedGateway } from '../src/prefixed-gateway';
import { startReceiver, type Receiver } from '../src/receiver';
import { killService, stackFile } from '../src/stack';
import { startTlsProxy } from '../src/tls-proxy';

/** The page of a form at /f/{formId}, as respondents use it. */
let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

const newForm = (settings?: object) => cityForm(stage.callers, settings);
const field = (page: Page, name: string) => page.getByRole('textbox', { name });
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** The only submission of a form, once it is as expected. */
const onlySubmission = (formId: string, expected: object): Promise<StoredSubmission> =>
  eventually(async () => {
    const [found, ...others] = await submissionsOf(stage.callers, formId);
    expect(others).toEqual([]);
    expect(found).toMatchObject(expected);
    return found!;
  });

it('is answered in the language of the browser on a phone, over a reload, until the webhook arrives', async () => {
  const formId = await newForm({ webHookSettingsJson: receiver.settings(['SubmissionCompleted']) });
  await receiver.trust(stage.callers.admin);
  await stage.journey(
    async ({ page }) => {
      await page.goto(`/f/${formId}?lang=en`);
      await page.getByRole('heading', { name: 'Where you live' }).waitFor();
      await field(page, 'Your name').waitFor();

      await page.goto(`/f/${formId}`);
      await page.getByRole('heading', { name: 'Wo Sie wohnen' }).waitFor();
      expect(await page.title()).toBe('Wo Sie wohnen');
      await page.getByRole('combobox', { name: 'Ihre Stadt' }).press('ArrowDown');
      await page.getByRole('option').nth(4).waitFor();
      expect((await page.getByRole('option').allInnerTexts()).sort()).toEqual([
        'Graz',
        'Köln',
        'Linz',
        'München',
        'Wien',
      ]);
      await page.getByRole('option', { name: 'Köln' }).click();

      await press(page, 'Weiter');
      await page.getByText('Bitte beantworten Sie diese Frage.').waitFor();
      expect(await submissionsOf(stage.callers, formId)).toEqual([]);
      await field(page, 'Ihr Name').fill('Ada');
      await press(page, 'Weiter');
      await field(page, 'Noch etwas?').waitFor();
      await onlySubmission(formId, { isComplete: false, jsonData: '{"city":"col","name":"Ada"}' });

      // Not sent yet: the page was not left.
      await field(page, 'Noch etwas?').fill('Nein');
      await page.keyboard.press('Tab');
      await page.reload();
      await eventually(async () => expect(await field(page, 'Noch etwas?').inputValue()).toBe('Nein'));
      await press(page, 'Zurück');
      await page.getByText('Köln').waitFor();
      await press(page, 'Weiter');
      await press(page, 'Abschließen');
      await page.getByRole('heading', { name: 'Herzlichen Dank' }).waitFor();
    },
    { locale: 'de-DE', width: 390 },
  );
  const jsonData = '{"city":"col","name":"Ada","more":"Nein"}';
  const { id } = await onlySubmission(formId, { isComplete: true, jsonData });
  const { message } = await receiver.message(({ Payload }) => JSON.stringify(Payload).includes(id));
  expect(message.EventName).toBe('submission_completed');
});

it('keeps what is typed without a connection, and sends it as one submission when it is back', async () => {
  const formId = await newForm();
  await stage.journey(async ({ page, context }) => {
    await page.goto(`/f/${formId}`);
    await field(page, 'Your name').fill('Ada');
    await context.setOffline(true);
    await press(page, 'Next');
    await page.getByRole('status').getByText('There is no connection.').waitFor();
    await field(page, 'Anything else?').fill('Later');
    await press(page, 'Complete');
    await page.getByText('Your answers are being sent.').waitFor();
    expect(await submissionsOf(stage.callers, formId)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
    await onlySubmission(formId, { isComplete: true, jsonData: '{"name":"Ada","more":"Later"}' });
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
});

it('makes one submission, although each first response is lost', async () => {
  const formId = await newForm();
  await stage.journey(async ({ page }) => {
    await page.goto(`/f/${formId}`);
    await field(page, 'Your name').fill('Ada');
    const lost = new Set<string>();
    await page.route(/\/submissions/, async (route) => {
      const method = route.request().method();
      if (lost.has(method)) return route.continue();
      lost.add(method);
      await route.fetch();
      return route.abort();
    });
    await press(page, 'Next');
    await eventually(() => submissionsOf(stage.callers, formId).then((all) => expect(all).toHaveLength(1)));
    await press(page, 'Complete');
    await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
    expect([...lost]).toEqual(['POST', 'PATCH']);
    await onlySubmission(formId, { isComplete: true, jsonData: '{"name":"Ada"}' });
  });
});

it('sends what is typed after a restart of the gateway, and again after the token has ended', async () => {
  const formId = await newForm();
  await stage.journey(async ({ page }) => {
    await page.goto(`/f/${formId}`);
    await field(page, 'Your name').fill('Ada');
    await press(page, 'Next');
    const { id } = await onlySubmission(formId, { isComplete: false });
    await field(page, 'Anything else?').fill('Again');
    await killService('gateway');
    await press(page, 'Previous');
    await onlySubmission(formId, { jsonData: '{"name":"Ada","more":"Again"}' });

    await stage.callers.admin.expect(204, 'DELETE', `/api/forms/${formId}/submissions/${id}`);
    await press(page, 'Next');
    await onlySubmission(formId, { isComplete: false, jsonData: '{"name":"Ada","more":"Again"}' });

    // Expired: the browser has a token that the server does not know.
    const key = `canvass-form-${formId}`;
    await page.evaluate(`localStorage.setItem('${key}', JSON.stringify({
      ...JSON.parse(localStorage.getItem('${key}')), token: '${'A'.repeat(43)}', isUnsent: true }))`);
    for (const { id: begun } of await submissionsOf(stage.callers, formId))
      await stage.callers.admin.expect(204, 'DELETE', `/api/forms/${formId}/submissions/${begun}`);
    await page.reload();
    await onlySubmission(formId, { isComplete: false, jsonData: '{"name":"Ada","more":"Again"}' });
    await press(page, 'Complete');
    await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
  });
  await onlySubmission(formId, { isComplete: true, jsonData: '{"name":"Ada","more":"Again"}' });
});

it('is one draft and one submission in two tabs', async () => {
  const formId = await newForm();
  await stage.journey(async ({ page: first, context }) => {
    await first.goto(`/f/${formId}`);
    const second = await context.newPage();
    await second.goto(`/f/${formId}`);
    await field(second, 'Your name').waitFor();
    await field(first, 'Your name').fill('Ada');
    await first.keyboard.press('Tab');
    await eventually(async () => expect(await field(second, 'Your name').inputValue()).toBe('Ada'));
    await Promise.all([press(first, 'Next'), press(second, 'Next')]);
    await field(second, 'Anything else?').fill('From the second');
    await second.keyboard.press('Tab');
    await eventually(async () =>
      expect(await field(first, 'Anything else?').inputValue()).toBe('From the second'),
    );
    await press(first, 'Complete');
    for (const tab of [first, second])
      await tab.getByRole('heading', { name: 'Thank you so much' }).waitFor();
  });
  await onlySubmission(formId, { isComplete: true, jsonData: '{"name":"Ada","more":"From the second"}' });
});

describe('a form that takes no answers', () => {
  const hour = 3_600_000;
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

  it.each([
    ['not open', { opensAt: at(hour) }, /This form is not open yet. It opens on \d.*\d:\d\d/],
    ['closed', { closesAt: at(-hour) }, /This form is closed. It was open until \d.*\d:\d\d/],
    ['disabled', { isEnabled: false }, 'does not accept answers at the moment'],
  ])('says that it is %s', async (_, settings, text) => {
    const formId = await newForm(settings);
    await stage.journey(async ({ page }) => {
      await page.goto(`/f/${formId}`);
      await page.getByText(text).first().waitFor();
      expect(await page.getByRole('textbox').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('says that it is full, also when that is found out while it is answered', async () => {
    const formId = await newForm({ maxSubmissions: 1 });
    await stage.journey(async ({ page }) => {
      await page.goto(`/f/${formId}`);
      await field(page, 'Your name').fill('Ada');
      await stage.callers.anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, {
        isComplete: true,
      });
      await press(page, 'Next');
      await page.getByText('has received all the answers').waitFor();
      await press(page, 'Back to the form');
      await field(page, 'Anything else?').waitFor();
    });
    await stage.journey(async ({ page }) => {
      await page.goto(`/f/${formId}`);
      await page.getByText('has received all the answers').waitFor();
    });
  });

  it.each(['1', 'no-id'])('says that the form does not exist at /f/%s', async (id) => {
    await stage.journey(
      async ({ page }) => {
        const response = await page.goto(`/f/${id}`);
        expect(response!.status()).toBe(404);
        await page.getByRole('heading', { name: 'Dieses Formular gibt es nicht.' }).waitFor();
      },
      { locale: 'de-AT' },
    );
  });
});

it.each([390, 1280])(
  'shows the questions before its scripts, and moves none for them, %i wide',
  async (width) => {
    const formId = await newForm();
    await stage.journey(
      async ({ page }) => {
        let release = () => undefined as void;
        const held = new Promise<void>((resolve) => (release = resolve));
        await page.route(/runtime-.*\.js$/, (route) => held.then(() => route.continue()));
        await page.goto(`/f/${formId}`);
        await page.getByRole('heading', { name: 'Your name' }).waitFor();
        await page.getByRole('heading', { name: 'Your city' }).waitFor();
        release();
        await field(page, 'Your name').waitFor();
        await page.waitForTimeout(1_000); // SurveyJS looks at its width later
        const moved = (await shiftsOf(page)).reduce((sum, [share]) => sum + share, 0);
        expect(moved).toBeLessThan(0.02);
      },
      { width },
    );
  },
);

it.each([
  ['light', 320],
  ['dark', 320],
  ['light', 1440],
  ['dark', 1440],
] as const)(
  'is answered by keyboard, without barriers, in %s, %i pixels wide',
  async (colorScheme, width) => {
    const formId = await newForm();
    await stage.journey(
      async ({ page }) => {
        await page.goto(`/f/${formId}`);
        await field(page, 'Your name').waitFor();
        const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([await barriers(page), await overflow()]).toEqual([[], 0]);
        await page.keyboard.press('Tab');
        await page.keyboard.type('Ada');
        await page.keyboard.press('Tab');
        await page.keyboard.press('ArrowDown');
        await page.getByRole('option').nth(4).waitFor();
        expect([await barriers(page), await overflow()]).toEqual([[], 0]);
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        await eventually(async () => {
          await page.keyboard.press('Tab');
          expect(
            await page.evaluate('document.activeElement.value || document.activeElement.textContent'),
          ).toBe('Next');
        });
        await page.keyboard.press('Enter');
        await field(page, 'Anything else?').waitFor();
        expect([await barriers(page), await overflow()]).toEqual([[], 0]);
        await press(page, 'Complete');
        await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
        expect([await barriers(page), await overflow()]).toEqual([[], 0]);
      },
      { colorScheme, width },
    );
  },
);

it('works without storage, with a question named __proto__, and behind a path prefix', async () => {
  const definition = JSON.parse(
    '{ "elements": [{ "type": "text", "name": "__proto__", "title": "A name" }, { "type": "text", "name": "other" }] }',
  ) as object;
  const formId = await newForm({ definition });
  const prefix = '/forms/canvass';
  const gateway = await startPrefixedGateway(prefix, (await stackFile()).services);
  const proxy = await startTlsProxy(gateway.url, prefix);
  try {
    await stage.journey(
      async ({ page }) => {
        await page.addInitScript(`Object.defineProperty(globalThis, 'localStorage', {
          get() { throw new DOMException('No storage', 'SecurityError'); } });`);
        await page.goto(`${proxy.url}/f/${formId}`);
        await field(page, 'A name').fill('Ada');
        await field(page, 'other').fill('x');
        await press(page, 'Complete');
        await page.getByText('Thank you').first().waitFor();
      },
      { gateway: proxy.url },
    );
    expect(proxy.missed).toEqual([]);
  } finally {
    await Promise.all([proxy.close(), gateway.stop()]);
  }
  await onlySubmission(formId, { isComplete: true, jsonData: '{"__proto__":"Ada","other":"x"}' });
});
