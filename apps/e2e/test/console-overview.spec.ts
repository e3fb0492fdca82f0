import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';
import { startReceiver, type Receiver } from '../src/receiver';

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  const { admin, integration } = stage.callers;
  receiver = await startReceiver();
  receiver.sink.respond(() => ({ status: 500 }));
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: `Overview ${randomUUID()}`,
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  await integration.expect(201, 'POST', `/forms/${id}/submissions/onbehalf`, {
    jsonData: '{}',
    isComplete: true,
    submitter: { externalSubjectId: randomUUID(), displayId: 'Grace' },
  });
  await receiver.trust(admin);
  await eventually(async () => {
    const { total } = await admin.get<{ total: { failed: number } }>('/api/webhooks/overview');
    return total.failed > 0;
  });
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

/** The value of a number of the overview. */
const figure = (page: Page, name: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('dd');

describe('the overview', () => {
  it('has the numbers of the API, and each delivery number leads to its rows', async () => {
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, '/?range=1h');
      const { page } = window;
      const shown = page.getByRole('region', { name: 'Submissions' });
      await shown.getByRole('figure', { name: 'Submissions over time' }).waitFor();
      await eventually(async () => {
        const from = new Date(Date.now() - 59 * 60_000).toISOString();
        const { total } = await stage.callers.admin.get<{ total: { started: number; completed: number } }>(
          `/api/stats/overview?bucket=1m&from=${from}`,
        );
        await page.reload();
        await figure(page, 'Started').filter({ hasText: /\d/ }).waitFor(); // blank until the numbers arrive
        expect(await figure(page, 'Started').textContent()).toBe(total.started.toLocaleString('en'));
        expect(await figure(page, 'Complete').textContent()).toBe(total.completed.toLocaleString('en'));
      });
      const link = figure(page, 'Failed attempts').getByRole('link');
      const { searchParams } = new URL((await link.getAttribute('href'))!, page.url());
      expect(searchParams.get('status')).toBe('failed,dead');
      searchParams.delete('status');
      const { total } = await stage.callers.admin.get<{ total: number }>(
        `/api/webhooks/deliveries?limit=1&total=exact&status=failed&status=dead&${searchParams.toString()}`,
      );
      expect(total).toBeGreaterThan(0);
      await page
        .getByRole('table', { name: 'Endpoints in most trouble' })
        .getByRole('link', { name: receiver.sink.url })
        .waitFor();
    });
  });

  it('keeps the range in the URL, also one that was chosen in a plot with the keyboard', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user);
      const { page } = window;
      const week = page.getByRole('button', { name: '7 d' });
      await week.waitFor();
      expect(await week.getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('button', { name: '30 d' }).click();
      expect(new URL(page.url()).searchParams.get('range')).toBe('30d');
      await page.reload();
      const chosen = page.getByRole('button', { name: '30 d' });
      await chosen.waitFor();
      expect(await chosen.getAttribute('aria-pressed')).toBe('true');

      const crosshair = page.getByRole('slider', { name: 'Submissions over time' });
      await crosshair.focus();
      const last = Number(await crosshair.getAttribute('aria-valuemax'));
      await page.keyboard.press('ArrowLeft');
      expect(Number(await crosshair.getAttribute('aria-valuenow'))).toBe(last - 1);
      expect(await crosshair.getAttribute('aria-valuetext')).toMatch(
        /: Started [\d,]+, Complete [\d,]+, Screened out [\d,]+$/,
      );
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await eventually(async () => expect(new URL(page.url()).searchParams.has('from')).toBe(true));
      const { searchParams } = new URL(page.url());
      // Two buckets of an hour.
      const hours = Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!);
      expect(hours / 3_600_000).toBe(2);
    });
  });

  it('has every value of a plot in a table, too', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/?range=1h');
      const { page } = window;
      const plot = page.getByRole('figure', { name: 'Submissions over time' });
      await plot.getByText('As a table').click();
      const rows = plot.getByRole('table').getByRole('row');
      await rows.nth(60).waitFor();
      const started = await rows.locator('td:nth-child(2)').allTextContents();
      const sum = started.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
      expect(sum.toLocaleString('en')).toBe(await figure(page, 'Started').textContent());
    });
  });

  it('shows only what one may read', async () => {
    const user = await stage.newUser(['Respondent']);
    await stage.journey(async (window) => {
      await enter(window, user);
      const { page } = window;
      await page.getByText('All checks passed.').waitFor();
      expect(await page.getByRole('figure').count()).toBe(0);
      expect(await page.getByRole('group', { name: 'Time range' }).count()).toBe(0);
    });
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no serious barrier in %s, %i pixels wide', async (colorScheme, width) => {
    const user = await stage.newUser(['Admin']);
    await stage.journey(
      async (window) => {
        await enter(window, user, '/?range=1h');
        const { page } = window;
        await heading(page, 'Overview').waitFor();
        const plot = page.getByRole('figure', { name: 'Attempts over time' });
        await plot.getByText('As a table').click();
        await plot.getByRole('table').waitFor();
        expect(await barriers(page)).toEqual([]);
      },
      { colorScheme, width },
    );
  });
});
