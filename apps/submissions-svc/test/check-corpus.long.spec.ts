import { checkCorpus } from '@canvass/testing';
import { client, startHarness, tenantOf, type Harness } from './harness';
import { pathOf } from './submission-calls';

let test: Harness;
beforeAll(async () => void (test = await startHarness()));
afterAll(() => test.close());

/** What survey-core says of them in Chromium is in a spec of the whole stack. */
describe('200 good and 200 bad completions over all types of questions', () => {
  it('are as many', () => {
    const count = (kind: 'good' | 'bad') =>
      checkCorpus.reduce((sum, example) => sum + example[kind].length, 0);
    expect(count('good')).toBeGreaterThanOrEqual(200);
    expect(count('bad')).toBeGreaterThanOrEqual(200);
  });

  it.each(checkCorpus)('$name: `enforce` accepts the good ones only', async ({ definition, ...lists }) => {
    const formId = await tenantOf(test).form({ definition, answerCheck: 'enforce' });
    for (const kind of ['good', 'bad', 'beyond'] as const) {
      const statuses = [];
      for (const answers of lists[kind]) {
        const body = { jsonData: JSON.stringify(answers), isComplete: true };
        statuses.push((await client(test.service.url).post(pathOf(formId), body)).status);
      }
      expect([kind, statuses]).toEqual([kind, lists[kind].map(() => (kind === 'good' ? 201 : 400))]);
    }
  });
});
