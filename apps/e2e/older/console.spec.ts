import { enter, loaded, startStage, type Stage } from '../src/console';
import { consolePages, type ConsolePage } from '../src/console-pages';

/** The console and the gateway of this checkout, with services of an earlier commit. */

let stage: Stage;
let pages: ConsolePage[];
beforeAll(async () => {
  stage = await startStage();
  pages = await consolePages(stage.callers);
});
afterAll(() => stage.close());

/** The result of the recovery: the receiver does not exist. */
const isResult = (alert: string) => alert.includes('failed again');

it('every page works with services of an earlier version', async () => {
  const user = await stage.newUser(['Admin']);
  const faults: Record<string, string[]> = {};
  await stage.journey(async (window) => {
    await enter(window, user);
    const { page } = window;
    for (const { pattern, path } of pages) {
      await window.open(path);
      await loaded(page);
      const text = await page.locator('main').innerText();
      const alerts = await page.locator('main [role="alert"]').allInnerTexts();
      const found = alerts.filter((alert) => !isResult(alert));
      if (text.includes('This part of the page failed')) found.push(text.slice(0, 300));
      if (found.length > 0) faults[pattern] = found;
    }
  });
  expect(pages.length).toBeGreaterThan(30);
  expect(faults).toEqual({});
});
