import { checkCorpus, type CheckCase } from '@canvass/testing';
import type { Browser } from 'playwright-core';
import type * as SurveyCore from 'survey-core';
import { startBrowser } from '../src/browser';
import { oracle } from '../src/survey-oracle';

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

/** A spec of submissions-svc sends the same completions to forms that enforce their definition. */
describe('completions over all types of questions', () => {
  it('are judged by survey-core in Chromium as by the check of the service', async () => {
    const page = await browser.newPage();
    await page.addScriptTag({ path: require.resolve('survey-core').replace(/\.js$/, '.min.js') });
    await page.addScriptTag({ content: `window.oracle = ${oracle.toString()}` });
    const judged = await page.evaluate((corpus) => {
      const { oracle: judge, Survey } = globalThis as unknown as {
        oracle: typeof oracle;
        Survey: typeof SurveyCore;
      };
      const all = (definition: object, list: object[]) =>
        list.map((answers) => judge(Survey, definition, answers as Record<string, unknown>));
      return corpus.map(({ name, definition, good, bad, beyond }) => ({
        name,
        good: all(definition, good),
        bad: all(definition, bad),
        beyond: all(definition, beyond),
      }));
    }, checkCorpus as CheckCase[]);
    // No control of a page enters what is beyond, so survey-core does not look at it when it is loaded.
    expect(judged).toEqual(
      checkCorpus.map(({ name, good, bad, beyond }) => ({
        name,
        good: good.map(() => true),
        bad: bad.map(() => false),
        beyond: beyond.map(() => true),
      })),
    );
  });
});
