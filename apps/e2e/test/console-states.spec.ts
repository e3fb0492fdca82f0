import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';
import { healthOf, statusOf } from '../src/health';
import { killService, stackFile, startServer, stopServer, type ServiceName } from '../src/stack';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** A time longer than the start of a service on a busy machine, and than the next attempt of a page. */
const patient = { timeout: 120_000 };

/** Runs something while a service is dead: the stack starts it again, and it is killed again. */
async function without(name: ServiceName, run: () => Promise<void>): Promise<void> {
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await killService(name).catch(() => undefined); // it has not started again yet
      await wait(200);
    }
  })();
  try {
    await run();
  } finally {
    isOver = true;
    await killing;
    await eventually(
      async () => {
        const { gatewayUrl } = await stackFile();
        expect(statusOf(await healthOf(gatewayUrl), name)).toBe('Healthy');
      },
      { timeoutMs: patient.timeout },
    );
  }
}

const down = (page: Page) => page.getByRole('main').getByText('This part is not available');
const goTo = (page: Page, title: string) =>
  page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: title, exact: true })
    .click();

/** The page has its data, and says nothing about a part that is not available. */
async function hasData(page: Page, title: string): Promise<void> {
  await heading(page, title).waitFor();
  await eventually(async () =>
    expect(await page.getByRole('main').getByRole('status', { name: 'Loading' }).count()).toBe(0),
  );
  expect(await down(page).count()).toBe(0);
}

const needs: [service: ServiceName, page: string, other: string][] = [
  ['datalists-svc', 'Data lists', 'Forms'],
  ['submissions-svc', 'Forms', 'Data lists'],
  ['webhook-relay-svc', 'Deliveries', 'Forms'],
  ['identity-svc', 'Users', 'Forms'],
];

describe.each(['light', 'dark'] as const)('a service that is dead, in %s', (colorScheme) => {
  const rows = colorScheme === 'light' ? needs : needs.slice(0, 1);
  it.each(rows)('%s takes the page %s along, and not %s', async (service, title, other) => {
    const user = await stage.newUser(['Admin']);
    await stage.journey(
      async (window) => {
        await enter(window, user);
        const { page } = window;
        await heading(page, 'Overview').waitFor();
        await without(service, async () => {
          await goTo(page, title);
          await down(page).first().waitFor(patient);
          // Several panels of a page may need the service.
          for (const text of [/^Next attempt in \d+ s$/, /^Request /]) {
            await page.getByText(text).first().waitFor();
          }
          await page.getByRole('button', { name: 'Try again' }).first().waitFor();
          expect(await barriers(page)).toEqual([]);
          await goTo(page, other);
          await hasData(page, other);
          await goTo(page, title);
          await down(page).first().waitFor(patient);
        });
        // It continues by itself.
        await down(page)
          .first()
          .waitFor({ state: 'hidden', ...patient });
        await hasData(page, title);
      },
      { colorScheme },
    );
  });
});

it('a failed check is shown with its copy and since when it fails', async () => {
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    await enter(window, user, '/health');
    const { page } = window;
    await page.getByText('All checks passed.').waitFor();
    await stopServer('rabbitmq');
    try {
      const row = page.getByRole('row', { name: /submissions-svc/ });
      const check = row.getByRole('listitem').filter({ hasText: 'rabbitmq' }).first();
      await check.waitFor(patient);
      expect(await check.innerText()).toMatch(/ since .*, copy /);
    } finally {
      await startServer('rabbitmq');
    }
    await page.getByText('All checks passed.').waitFor(patient);
  });
});

/** Times of the last two minutes as the page shows them in a zone. */
async function timesIn(page: Page, timeZone: string): Promise<string[]> {
  const language = await page.evaluate<string>('navigator.language');
  return Array.from({ length: 120 }, (_, second) =>
    new Date(Date.now() - second * 1_000).toLocaleTimeString(language, { timeStyle: 'medium', timeZone }),
  );
}

it('data that were read stay, with the time of their reading in the chosen zone, until there are newer ones', async () => {
  const name = `A kept list ${randomUUID()}`;
  await stage.callers.admin.expect(201, 'POST', '/api/data-lists', { name });
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    await enter(window, user, '/settings');
    const { page } = window;
    await page.getByLabel('Time zone').selectOption('Pacific/Auckland');
    await goTo(page, 'Data lists');
    const record = page.getByRole('link', { name });
    await record.waitFor();
    await without('datalists-svc', async () => {
      await goTo(page, 'Forms');
      await hasData(page, 'Forms');
      await wait(6_000); // what is younger is not read again
      await goTo(page, 'Data lists');
      const notice = page.getByText(/^This part is not available\. As of /);
      await notice.waitFor(patient);
      const [, time] = /As of (.+)\.$/.exec((await notice.textContent())!) ?? [];
      expect(await timesIn(page, 'Pacific/Auckland')).toContain(time);
      await record.waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  });
});

it('a browser without a network says so, keeps what it has read, and continues by itself', async () => {
  const user = await stage.newUser(['Viewer']);
  const { name } = await stage.newForm(0);
  await stage.journey(async (window) => {
    await enter(window, user, '/forms');
    const { page, context } = window;
    await page.getByRole('link', { name, exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('link', { name, exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'hidden' });
    await goTo(page, 'Health');
    await page.getByRole('row').nth(1).waitFor();
  });
});
