import { randomUUID } from 'node:crypto';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe.each(['light', 'dark'] as const)('in %s, axe finds nothing serious', (colorScheme) => {
  it('on the sign-in page, also after a failure', async () => {
    await stage.journey(
      async ({ page, open, signIn: enterAs }) => {
        await open('');
        await heading(page, 'Sign in to Canvass').waitFor();
        expect(await barriers(page)).toEqual([]);
        await enterAs(`${randomUUID()}@demo.example`, 'not the password');
        await page.getByRole('alert').waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { colorScheme },
    );
  });
});

describe('axe finds nothing serious', () => {
  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('on the pages and in the dialogs, in %s, %i pixels wide', async (colorScheme, width) => {
    const user = await stage.newUser(['Admin']);
    await stage.journey(
      async (window) => {
        const { name } = await stage.newForm(0);
        await enter(window, user);
        const { page } = window;
        const goTo = async (name: string) => {
          const isNarrow = width < 760;
          const place = isNarrow ? page.getByRole('dialog', { name: 'Menu' }) : page.getByRole('navigation');
          if (isNarrow) {
            await page.getByRole('button', { name: 'Menu', exact: true }).click();
            await place.waitFor();
            expect(await barriers(page)).toEqual([]);
          }
          await place.getByRole('link', { name, exact: true }).click();
        };
        await page.getByText('All checks passed.').waitFor();
        expect(await barriers(page)).toEqual([]);
        await goTo('Health');
        await page.getByRole('row').nth(2).waitFor();
        expect(await barriers(page)).toEqual([]);
        await goTo('Forms');
        await page.getByRole('link', { name, exact: true }).click();
        await heading(page, name).waitFor();
        await page.getByRole('link', { name: /^Ada/ }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.getByRole('link', { name: /^Ada/ }).click();
        await heading(page, / · \d/).waitFor();
        await page.getByText('Where do you live?').waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: /Account/ }).click();
        await page.getByRole('menu').waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { colorScheme, width },
    );
  });
});
