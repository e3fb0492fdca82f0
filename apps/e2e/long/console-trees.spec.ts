import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { enter, heading, startStage, type Stage } from '../src/console';
import { startReceiver, type Receiver } from '../src/receiver';

/**
 * Snapshots of the accessibility trees of the grid, a plot, an import and a timeline. A changed tree changes
 * what a screen reader says: review it before you update the snapshot (`jest -u`).
 */

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

/** A text without what differs from run to run: ids, times and durations. */
const masked = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\b\d{15,}\b/g, '<id>')
    .replaceAll(
      /\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)( \d{4})?(, \d{1,2}:\d{2}(:\d{2})?)?/g,
      '<time>',
    )
    .replaceAll(/\b\d+([.,]\d+)? (ms|s)\b/g, '<duration>');

const treeOf = async (element: Locator) => masked(await element.ariaSnapshot());

async function newList(): Promise<string> {
  const { admin } = stage.callers;
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: `Trees ${randomUUID()}`,
    availableLocales: ['de'],
  });
  const items = [{ value: 'v', labels: { default: 'Vienna', de: 'Wien' } }];
  await admin.expect(200, 'PUT', `/api/data-lists/${id}/import`, { items });
  return id;
}

it('of the grid', async () => {
  const { formId } = await stage.newForm(1);
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, `/forms/${formId}/submissions`);
    const grid = window.page.getByRole('grid', { name: 'Submissions' });
    await grid.getByRole('row').nth(2).waitFor();
    expect(await treeOf(grid)).toMatchSnapshot();
  });
});

it('of a plot', async () => {
  const { formId } = await stage.newForm(2);
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, `/forms/${formId}/numbers`);
    const plot = window.page.getByRole('figure').first();
    const slider = plot.getByRole('slider');
    await slider.waitFor();
    expect(await treeOf(plot)).toMatchSnapshot();
    // What is said of the days, which the tree does not have.
    const said = async () => masked((await slider.getAttribute('aria-valuetext'))!);
    expect(await said()).toBe('<time>: Submissions 3, Complete 1');
    await slider.press('ArrowLeft');
    expect(await said()).toBe('<time>: Submissions 0, Complete 0');
    await plot.getByText('As a table').press('Enter');
    const rows = plot.getByRole('table').getByRole('row');
    await rows.last().waitFor();
    expect(await treeOf(rows.first())).toMatchSnapshot();
    expect(await treeOf(rows.last())).toMatchSnapshot();
  });
});

it('of an import with errors, and of its difference', async () => {
  const listId = await newList();
  const user = await stage.newUser(['Editor']);
  await stage.journey(async (window) => {
    await enter(window, user, `/data-lists/${listId}/import`);
    const { page } = window;
    const check = async (rows: string) => {
      const input = page.getByLabel('Choose a file', { exact: true }).and(page.locator('input'));
      const buffer = Buffer.from(`value,default,de\n${rows}\n`);
      await input.setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Check the file' }).click();
    };
    await check('v,,Wien');
    await page.getByRole('button', { name: 'Show line 2' }).click();
    await page.locator('mark').waitFor();
    expect(await treeOf(page.getByRole('main'))).toMatchSnapshot();
    await page.getByRole('link', { name: 'Import another file' }).click();
    await check('v,Vienna,Wien 1\ng,Graz,');
    await page.getByRole('button', { name: 'Changed 1' }).waitFor();
    expect(await treeOf(page.getByRole('main'))).toMatchSnapshot();
  });
});

it('of the timeline of a delivery', async () => {
  const { admin, anonymous } = stage.callers;
  const seen = new Set<unknown>();
  receiver.sink.respond(({ headers }) => {
    const id = headers['webhook-id'];
    return seen.has(id) ? { status: 200 } : (seen.add(id), { status: 503 });
  });
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Notified',
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  await anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, { isComplete: true });
  const deliveryId = await eventually(async () => {
    const path = `/api/webhooks/deliveries?formId=${formId}&status=delivered`;
    const { items } = await admin.get<{ items: { id: string }[] }>(path);
    expect(items).toHaveLength(1);
    return items[0]!.id;
  });
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    await enter(window, user, `/deliveries/${deliveryId}`);
    await heading(window.page, 'Delivery').waitFor();
    const timeline = window.page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('listitem').nth(4).waitFor();
    expect(await treeOf(timeline)).toMatchSnapshot();
  });
});
