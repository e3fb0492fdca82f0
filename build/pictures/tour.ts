// cspell:ignore Österreich osterr
import type { Page } from 'playwright-core';

/** One station of the tour through the console. */
export interface Station {
  /** How long a presenter stays, the way there included. */
  seconds: number;
  /** What the presenter does. */
  action: string;
  /** What there is to see. */
  sight: string;
  run(page: Page): Promise<void>;
}

export interface Login {
  adminEmail: string;
  adminPassword: string;
}

const goTo = async (page: Page, typed: string, name: string | RegExp) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('searchbox').waitFor();
  await page.keyboard.type(typed);
  await page.getByRole('dialog').getByRole('menuitem', { name }).first().click();
};

/** The stations in their order. The first one begins on the sign-in page. */
export const tourOf = ({ adminEmail, adminPassword }: Login): Station[] => [
  {
    seconds: 9,
    action: 'Sign in.',
    sight:
      'Overview: whether the services work, submissions and webhooks of the last day, and what is in trouble.',
    async run(page) {
      await page.getByLabel('E-mail address').fill(adminEmail);
      await page.getByLabel('Password').fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('All checks passed.').waitFor();
    },
  },
  {
    seconds: 7,
    action: 'Choose **30 d**.',
    sight: 'A month in both plots. The range is in the URL.',
    async run(page) {
      await page.getByRole('button', { name: '30 d' }).click();
      await page.waitForURL(/range=30d/);
    },
  },
  {
    seconds: 9,
    action: 'Below **Endpoints in most trouble**, choose the newsletter.',
    sight: 'The deliveries behind the number: those that failed at this endpoint.',
    async run(page) {
      const troubled = page.getByRole('table', { name: 'Endpoints in most trouble' });
      await troubled.getByRole('link', { name: /newsletter/ }).click();
      await page.getByRole('grid', { name: 'Deliveries' }).getByRole('link').first().waitFor();
    },
  },
  {
    seconds: 12,
    action: 'Open the first delivery.',
    sight: 'Each attempt with its phases on one scale, what was sent, and what the endpoint answered.',
    async run(page) {
      await page.getByRole('grid', { name: 'Deliveries' }).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
      await page.getByText('503').first().waitFor();
    },
  },
  {
    seconds: 9,
    action: 'Go back, and choose **Send again what the filter shows**.',
    sight: 'The plan before anything is sent: how many, and to whom.',
    async run(page) {
      await page.goBack();
      await page.getByRole('link', { name: 'Send again what the filter shows' }).click();
      await page.getByRole('button', { name: /^Send .+ again$/ }).waitFor();
    },
  },
  {
    seconds: 9,
    action: 'Press Ctrl+K, type `countries`, and choose the data list.',
    sight: 'A list in 78 languages, and how complete each of them is.',
    async run(page) {
      await goTo(page, 'countries', /^Countries/);
      await page.getByRole('grid').locator('[aria-rowindex="2"]').waitFor();
    },
  },
  {
    seconds: 10,
    action: 'Choose **Try the search**, type `osterr`, and choose German.',
    sight: 'Österreich, as a respondent gets it, with the piece that matched.',
    async run(page) {
      await page.getByRole('link', { name: 'Try the search' }).click();
      await page.getByLabel('What a respondent types').fill('osterr');
      await page.getByLabel('Language of the form').selectOption('de');
      await page.locator('mark').first().waitFor();
    },
  },
  {
    seconds: 10,
    action: 'Press Ctrl+K, type `order`, choose the form, and press Shift+Enter in the first row.',
    sight: 'Submissions with a column for each question, and one of them beside the list.',
    async run(page) {
      await goTo(page, 'order', /How was your order/);
      const grid = page.getByRole('grid', { name: 'Submissions' });
      await grid.locator('[aria-rowindex="2"] [role=gridcell]').nth(2).click();
      await page.keyboard.press('Shift+Enter');
      await page.waitForURL(/row=/);
    },
  },
  {
    seconds: 9,
    action: 'Choose **Definition**, then **Preview**.',
    sight: 'The form as respondents see it, beside its definition.',
    async run(page) {
      await page.locator('main').getByRole('link', { name: 'Definition', exact: true }).click();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.frameLocator('iframe').locator('.sd-root-modern').waitFor();
    },
  },
  {
    seconds: 6,
    action: 'Press Ctrl+K, type `dark`, and press Enter.',
    sight: 'The same in dark.',
    async run(page) {
      await goTo(page, 'dark', /Dark/);
      await page.locator('html[data-theme=dark]').waitFor();
    },
  },
];

/** The page that describes the tour. */
export function tourPage(): string {
  const stations = tourOf({ adminEmail: '', adminPassword: '' });
  let from = 0;
  const rows = stations.map(({ seconds, action, sight }) => {
    const cells = [`${from} s`, action, sight];
    from += seconds;
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `# A tour of ${from} seconds`,
    '',
    'The script of a demonstration of the [web console](../console.md), with the data of `npm start -- --demo`. `npm run',
    'pictures -- --tour` goes through it in a browser, writes this page, and fails if a station takes longer than it may.',
    '',
    '| From | Do | See |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
