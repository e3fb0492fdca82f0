import { barriers } from '../src/browser';
import { enter, loaded, startStage, type Account, type Stage } from '../src/console';

/** Comments of staff on a submission: who writes, who reads and who deletes them. */

let stage: Stage;
let path: string;
let reviewer: Account;
let viewer: Account;
let editor: Account;
beforeAll(async () => {
  stage = await startStage();
  const { formId, submissionId } = await stage.newForm(0);
  path = `/forms/${formId}/submissions/${submissionId}`;
  reviewer = await stage.newUser(['Reviewer']);
  viewer = await stage.newUser(['Viewer']);
  editor = await stage.newUser(['Editor']);
});
afterAll(() => stage.close());

it('a reviewer writes and deletes comments, a viewer reads them, an editor deletes those of others', async () => {
  const first = 'Please ask for the <b>address</b>.';
  await stage.journey(async (window) => {
    await enter(window, reviewer, path);
    const panel = window.page.getByRole('region', { name: 'Comments' });
    await panel.getByText('No comments yet.').waitFor();
    const send = panel.getByRole('button', { name: 'Comment', exact: true });
    expect(await send.isDisabled()).toBe(true);
    for (const text of [first, 'A mistake.']) {
      await panel.getByLabel('Comment', { exact: true }).fill(text);
      await send.click();
      const comment = panel.getByRole('listitem').filter({ hasText: text });
      await comment.getByText(reviewer.email).waitFor();
      expect(await comment.locator('time').textContent()).toMatch(/^(now|this minute|\d+ sec\. ago)$/);
    }
    expect(await panel.getByRole('listitem').first().innerText()).toContain('A mistake.');
    expect(await barriers(window.page)).toEqual([]);
    await panel.getByRole('button', { name: 'Delete the comment “A mistake.”' }).click();
    await panel.getByText('A mistake.').waitFor({ state: 'hidden' });
    await panel.getByText(first).waitFor();
  });
  await stage.journey(
    async (window) => {
      await enter(window, viewer, path);
      const panel = window.page.getByRole('region', { name: 'Comments' });
      await panel.getByText(first).waitFor();
      await loaded(window.page);
      // A viewer may not see the addresses of users; an id would say nothing.
      expect(await panel.innerText()).toMatch(/User\s/);
      expect(await panel.innerText()).not.toMatch(/\d{5}/);
      expect(await panel.getByRole('textbox').count()).toBe(0);
      expect(await panel.getByRole('button').count()).toBe(0);
      expect(await barriers(window.page)).toEqual([]);
    },
    { colorScheme: 'dark', width: 390 },
  );
  await stage.journey(async (window) => {
    await enter(window, editor, path);
    const panel = window.page.getByRole('region', { name: 'Comments' });
    await panel.getByRole('button', { name: `Delete the comment “${first}”` }).click();
    await panel.getByText('No comments yet.').waitFor();
  });
});
