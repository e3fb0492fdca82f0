import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { addSecondFactor } from '../src/authenticator';
import { barriers } from '../src/browser';
import { startStage, type Account, type Stage } from '../src/console';
import { cityForm, submissionsOf } from '../src/hosted-form';
import { otherStack, type OtherStack } from '../src/other-stack';

/** The page of a form for people who have signed in. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const newForm = (settings?: object) =>
  cityForm(stage.callers, { isPublic: false, limitOnePerUser: true, ...settings });
const field = (page: Page, name: string) => page.getByRole('textbox', { name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function enter(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

it.each([
  ['light', 320],
  ['dark', 1440],
] as const)(
  'asks for the sign-in without barriers in %s, and names a refused one',
  async (colorScheme, width) => {
    const formId = await newForm();
    await stage.journey(
      async ({ page }) => {
        await page.goto(`/f/${formId}`);
        await page.getByRole('heading', { name: 'This form is for people who have signed in.' }).waitFor();
        await page.getByLabel('Password').waitFor();
        const overflow = 'document.documentElement.scrollWidth - innerWidth';
        expect([await barriers(page), await page.evaluate(overflow)]).toEqual([[], 0]);
        await enter(page, { id: '', email: 'no-one@demo.example', password: 'wrong' });
        await page.getByRole('alert').getByText('The sign-in failed.').waitFor();
        expect([await barriers(page), await page.evaluate(overflow)]).toEqual([[], 0]);
      },
      { colorScheme, width },
    );
  },
);

it('is answered by one person on two devices, whose answers come together in one submission', async () => {
  const formId = await newForm();
  const person = await stage.newUser(['Respondent']);
  await stage.journey(async ({ page: first, context }) => {
    await first.goto(`/f/${formId}`);
    await enter(first, person);
    await field(first, 'Your name').fill('Ada');
    expect(await barriers(first)).toEqual([]);
    await press(first, 'Next');
    await field(first, 'Anything else?').waitFor();

    await stage.journey(async ({ page: second }) => {
      await second.goto(`/f/${formId}`);
      await enter(second, person);
      await field(second, 'Anything else?').fill('From the phone');
      await press(second, 'Previous');
      await eventually(async () => expect(await field(second, 'Your name').inputValue()).toBe('Ada'));
      await second.getByRole('combobox', { name: 'Your city' }).press('ArrowDown');
      await second.getByRole('option', { name: 'Graz' }).click();
      await press(second, 'Next');
      await eventually(async () =>
        expect(await submissionsOf(stage.callers, formId)).toMatchObject([
          { isComplete: false, jsonData: '{"name":"Ada","more":"From the phone","city":"grz"}' },
        ]),
      );
    });

    // The token of this device has ended. A reload of the page needs no other sign-in.
    await press(first, 'Previous');
    await field(first, 'Your name').fill('Ada L.');
    await press(first, 'Next');
    await eventually(async () =>
      expect(await field(first, 'Anything else?').inputValue()).toBe('From the phone'),
    );
    await press(first, 'Complete');
    await first.getByRole('heading', { name: 'Thank you so much' }).waitFor();
    const [stored, ...others] = await submissionsOf(stage.callers, formId);
    expect(others).toEqual([]);
    expect(stored!.isComplete).toBe(true);
    expect(JSON.parse(stored!.jsonData)).toEqual({ name: 'Ada L.', city: 'grz', more: 'From the phone' });
    await first.reload();
    await first.getByText('You have already answered this form.').waitFor();

    // The next person of this browser finds nothing.
    await press(first, 'Sign out');
    await first.getByLabel('Password').waitFor();
    expect(await first.evaluate('localStorage.length')).toBe(0);
    expect((await context.cookies()).filter(({ value }) => value !== '')).toEqual([]);
  });
});

it('asks for the code of a second factor', async () => {
  const formId = await newForm();
  const person = await stage.newUser(['Respondent']);
  const [recoveryCode] = await addSecondFactor(stage.callers, person);
  await stage.journey(async ({ page }) => {
    await page.goto(`/f/${formId}`);
    await enter(page, person);
    const code = page.getByLabel('Code of the second factor');
    await code.fill('000000');
    expect(await barriers(page)).toEqual([]);
    await press(page, 'Sign in');
    await page.getByRole('alert').getByText('The sign-in failed.').waitFor();
    await code.fill(recoveryCode!);
    await press(page, 'Sign in');
    await field(page, 'Your name').fill('Ada');
    await press(page, 'Next');
    await field(page, 'Anything else?').waitFor();
    // The next page does not wait for the save, which the end of the window would end.
    await eventually(async () =>
      expect(await submissionsOf(stage.callers, formId)).toMatchObject([{ jsonData: '{"name":"Ada"}' }]),
    );
  });
});

it('says that it cannot show the widget of a verifier', async () => {
  const formId = await cityForm(stage.callers);
  await stage.journey(async ({ page }) => {
    // The stack has no verifier. Specs of submissions-svc hold this response.
    const json = { type: 'verifier', challenge: null, bits: null, siteKey: 'site' };
    await page.route('**/challenges', (route) => route.fulfill({ json }));
    await page.goto(`/f/${formId}`);
    await page.getByText('This form asks for a check that this page cannot make.').waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});

describe('with a provider of OpenID Connect, and a challenge before anonymous answers', () => {
  let other: OtherStack;
  beforeAll(async () => {
    other = await otherStack({ Service__PublicForms__Challenge: 'proof-of-work' });
  });
  afterAll(() => other.stop());

  const passProvider = async (page: Page, login: string) => {
    await page
      .getByRole('button', { name: /^Sign in with/ })
      .first()
      .click();
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it('comes back to the page of the form, which a reload opens without a page of the provider', async () => {
    const formId = await cityForm(other, { isPublic: false, limitOnePerUser: true });
    await stage.journey(
      async ({ page }) => {
        await page.goto(`/f/${formId}?lang=en`);
        await passProvider(page, 'grace');
        await field(page, 'Your name').fill('Grace');
        expect(page.url()).toMatch(new RegExp(`/f/${formId}\\?lang=en$`));
        await press(page, 'Next');
        await field(page, 'Anything else?').waitFor();
        await page.reload();
        await field(page, 'Anything else?').fill('No');
        await press(page, 'Complete');
        await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
      },
      { gateway: other.gatewayUrl },
    );
    expect(await submissionsOf(other, formId)).toMatchObject([{ isComplete: true }]);
  });

  it('refuses an account that may not answer, and shows no console', async () => {
    const formId = await cityForm(other, { isPublic: false });
    await stage.journey(
      async ({ page }) => {
        await page.goto(`/f/${formId}`);
        await passProvider(page, 'ada');
        await page.getByRole('heading', { name: 'Your account may not answer this form.' }).waitFor();
        expect(page.url()).toMatch(new RegExp(`/f/${formId}$`));
        expect(await barriers(page)).toEqual([]);
      },
      { gateway: other.gatewayUrl },
    );
  });

  it('solves the challenge of a public form', async () => {
    const formId = await cityForm(other);
    const anonymous = await other.anonymous.call('POST', `/api/forms/${formId}/submissions`, {});
    expect(anonymous).toMatchObject({ status: 403, body: { errorCode: 'challenge_required' } });
    await stage.journey(
      async ({ page }) => {
        await page.goto(`/f/${formId}`);
        await field(page, 'Your name').fill('Ada');
        await press(page, 'Next');
        await press(page, 'Complete');
        await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
      },
      { gateway: other.gatewayUrl },
    );
    expect(await submissionsOf(other, formId)).toMatchObject([{ isComplete: true }]);
  });

  it('says before anything is typed that it cannot solve a challenge without https', async () => {
    const formId = await cityForm(other);
    const plain = 'http://forms.test';
    await stage.journey(
      async ({ page }) => {
        await page.route(`${plain}/**`, async (route) => {
          const url = route.request().url().replace(plain, other.gatewayUrl);
          await route.fulfill({ response: await route.fetch({ url }) });
        });
        await page.goto(`${plain}/f/${formId}`);
        await page.getByText('This form asks for a check that this page cannot make.').waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { gateway: other.gatewayUrl },
    );
  });
});
