import type { Page } from 'playwright-core';
import { displayIdOf, type Data } from './data';
import { layoutShift, type Found } from './in-page';

/** What a person does, with keys and the mouse. It begins on any page of the console. */
export interface Journey {
  name: string;
  run(page: Page, data: Data): Promise<void>;
}

/** Opens a page as a link of the console does, without loading the console again. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console${path}')`);
  await page.locator('main h1').first().waitFor();
  await settled(page);
}

/**
 * Waits until no part of the page is loading. The content policy of the page forbids `waitForFunction`, which
 * evaluates a text in the page.
 */
export async function settled(page: Page): Promise<void> {
  const loading = page.locator('main [aria-busy=true], main [aria-label=Loading]');
  await loading.first().waitFor({ state: 'detached' });
}

const firstCell = (page: Page) => page.locator('[role=grid] [aria-rowindex="2"] [role=gridcell]').nth(1);

export const journeys: readonly Journey[] = [
  {
    name: 'Overview: other ranges',
    async run(page) {
      await visit(page, '/');
      for (const range of ['7 d', '30 d', '1 h', '24 h']) {
        await page.getByRole('button', { name: range }).click();
        await settled(page);
      }
    },
  },
  {
    name: 'Go to a page with Ctrl+K',
    async run(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await page.keyboard.type('deliveries', { delay: 50 });
      await page.getByRole('dialog').getByRole('menuitem', { name: 'Deliveries', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
      await settled(page);
    },
  },
  {
    name: 'Submissions: keys, selection, filter, order',
    async run(page, { formId, submissions }) {
      await visit(page, `/forms/${formId}/submissions`);
      await firstCell(page).getByText(displayIdOf(submissions)).waitFor();
      await firstCell(page).click();
      for (const key of ['ArrowDown', 'PageDown', 'PageDown', 'ArrowRight', 'Space', 'Shift+ArrowDown'])
        await page.keyboard.press(key);
      await page.keyboard.press('Escape');
      const filter = page.getByLabel('Filter by display id');
      await filter.fill('P05');
      await page.keyboard.press('Enter');
      await firstCell(page).getByText(/^P05/).waitFor();
      await filter.fill('');
      await page.keyboard.press('Enter');
      await firstCell(page).getByText(displayIdOf(submissions)).waitFor();
    },
  },
  {
    name: 'One submission, and back',
    async run(page, { formId, submissions }) {
      await visit(page, `/forms/${formId}/submissions`);
      await page.getByRole('link', { name: displayIdOf(submissions) }).click();
      await page.getByRole('heading', { level: 1, name: 'Submission' }).waitFor();
      await settled(page);
      await page.goBack();
      await firstCell(page).getByText(displayIdOf(submissions)).waitFor();
    },
  },
  {
    name: 'Deliveries and one delivery',
    async run(page) {
      await visit(page, '/deliveries');
      await page.getByRole('grid', { name: 'Deliveries' }).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
      await settled(page);
    },
  },
  {
    name: 'Endpoints and one endpoint',
    async run(page) {
      await visit(page, '/endpoints');
      await page
        .locator('main')
        .getByRole('link', { name: /newsletter/ })
        .first()
        .click();
      await page.getByRole('figure').first().waitFor();
      await settled(page);
    },
  },
  {
    name: 'Definition: typing in the editor',
    async run(page, { formId }) {
      await visit(page, `/forms/${formId}/definition`);
      const editor = page.locator('.cm-content');
      await editor.click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('  ', { delay: 30 });
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Backspace');
    },
  },
  {
    name: 'Data list: find an item',
    async run(page, { lists }) {
      await visit(page, `/data-lists/${lists[0]!.id}`);
      await page.getByRole('grid').locator('[aria-rowindex="2"]').waitFor();
      await page.getByRole('searchbox').fill('haf');
      await page.keyboard.press('Enter');
      await settled(page);
      await page.getByRole('grid').getByText(/Hafen/).first().waitFor();
    },
  },
  {
    name: 'Try the search: typing',
    async run(page, { lists }) {
      await visit(page, `/data-lists/${lists[0]!.id}/search`);
      await page.getByLabel('What a respondent types').click();
      await page.keyboard.type('port', { delay: 80 });
      await page.locator('mark').first().waitFor();
      await settled(page);
    },
  },
];

/** What a journey cost, in milliseconds. */
export interface Cost {
  /** The slowest interaction; 0 if none took 16 ms. */
  interaction: number;
  /** The longest task; 0 if none took 50 ms. */
  task: number;
  /** Cumulative layout shift. */
  shift: number;
}

/** Runs a journey and reads what the browser reports about it. */
export async function costOf(page: Page, journey: Journey, data: Data): Promise<Cost> {
  const from = await page.evaluate<number>(
    '(Object.assign(found, { tasks: [], interactions: {}, shifts: [] }), performance.now())',
  );
  await journey.run(page, data).catch((error: unknown) => {
    throw new Error(`${journey.name}: ${(error as Error).message}`, { cause: error });
  });
  // The browser reports an interaction after the frame that shows its effect.
  await page.waitForTimeout(400);
  const { tasks, interactions, shifts } = await page.evaluate<Found>('found');
  return {
    interaction: Math.max(0, ...Object.values(interactions)),
    task: Math.max(0, ...tasks.filter(([start]) => start >= from).map(([, ms]) => ms)),
    shift: layoutShift(shifts.filter(([start]) => start >= from)),
  };
}
