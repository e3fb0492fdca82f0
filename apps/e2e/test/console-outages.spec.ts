// cspell:ignore antwortet Datenbank seit
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';
import { startServer, stopServer } from '../src/stack';

/** An outage of a server behind all services, as people meet it who work in the console. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** The promises of the console. Servers of a busy machine need some seconds to be back themselves. */
const named = { timeout: 15_000 };
const back = { timeout: 10_000 };

const cause = (page: Page, name: RegExp) => page.getByText(name).first();
const goTo = (page: Page, title: string) =>
  page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: title, exact: true })
    .click();

it('a database that is down is named on each page and after a reload; all continues by itself', async () => {
  const user = await stage.newUser(['Admin']);
  const { formId, name } = await stage.newForm(1);
  await stage.journey(async (window) => {
    const { page, context } = window;
    await enter(window, user, `/forms/${formId}/settings`);
    const field = page.getByLabel('Name', { exact: true });
    await field.waitFor();
    const typed = `${name} ${randomUUID()}`;
    await field.fill(typed);
    const other = await context.newPage();
    await other.goto(page.url().replace(/forms\/.*/, ''));
    await heading(other, 'Overview').waitFor();
    await stopServer('postgres');
    const database = /The database has not answered since .*\d:\d\d/;
    try {
      await cause(page, database).waitFor(named);
      await cause(other, database).waitFor(named);
      // A page that is opened meanwhile says it, too, and no page blames the network.
      for (const title of ['Deliveries', 'Data lists', 'Users', 'Health']) {
        await goTo(other, title);
        await cause(other, database).waitFor(named);
      }
      await goTo(other, 'Forms');
      const part = other.getByRole('main').getByText('This part is not available');
      await part.waitFor(named);
      expect(await other.getByText('network connection').count()).toBe(0);
      expect(await barriers(other)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The database is temporarily unavailable.').waitFor(named);
      expect(await field.inputValue()).toBe(typed);
      // So does one that begins now.
      const reloaded = await context.newPage();
      await reloaded.goto(other.url());
      await cause(reloaded, database).waitFor(named);
      expect(await barriers(reloaded)).toEqual([]);
      await reloaded.getByRole('button', { name: 'Deutsch' }).click();
      await cause(reloaded, /Die Datenbank antwortet seit .* nicht\./).waitFor();
      await reloaded.getByRole('button', { name: 'English' }).click();
      await startServer('postgres');
      await Promise.all([
        heading(reloaded, 'Forms').waitFor(back),
        part.waitFor({ state: 'hidden', ...back }),
        cause(page, database).waitFor({ state: 'hidden', ...back }),
      ]);
    } finally {
      await startServer('postgres');
    }
    // Nothing that was typed is lost.
    expect(await field.inputValue()).toBe(typed);
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor();
    await other.reload();
    await other.getByRole('link', { name: typed, exact: true }).waitFor();
  });
});

it('a message broker that is down is named, and what still works', async () => {
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    await enter(window, user, '/forms');
    const broker = cause(window.page, /The message broker \(RabbitMQ\) has not answered since/);
    await stopServer('rabbitmq');
    try {
      await broker.waitFor(named);
    } finally {
      await startServer('rabbitmq');
    }
    await broker.waitFor({ state: 'hidden', timeout: 60_000 });
    expect(await window.page.getByRole('table', { name: 'All forms' }).count()).toBe(1);
  });
});
