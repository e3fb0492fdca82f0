import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { openWindow, startBrowser, type ConsoleWindow, type WindowOptions } from './browser';
import { signIn, type Callers } from './client';
import { proveMailbox } from './prove-mailbox';

/** The things that the tests of the console share: a browser, callers of the API, and records to look at. */
export interface Stage {
  callers: Callers;
  /** Runs a journey in a window of its own. It fails if the console broke its policy or threw an error. */
  journey(run: (window: ConsoleWindow) => Promise<void>, options?: WindowOptions): Promise<void>;
  /** Makes a user of the demonstration tenant, who signs in without naming it. */
  newUser(roles: string[]): Promise<Account>;
  /** Makes a form with a submission of a person, and as many anonymous ones. */
  newForm(anonymous: number): Promise<{ formId: string; name: string; submissionId: string }>;
  close(): Promise<void>;
}

export interface Account {
  id: string;
  email: string;
  password: string;
}

/** Text of a stranger: markup, and a character that changes the direction. */
const strange = '<img src=x onerror="document.title=1">\u202e';

const definition = { elements: [{ type: 'text', name: 'city', title: 'Where do you live?' }] };

export async function startStage(): Promise<Stage> {
  const browser = await startBrowser();
  const callers = await signIn();
  const created = <T>(caller: keyof Omit<Callers, 'gatewayUrl'>, path: string, body: object) =>
    callers[caller].expect<T & { id: string }>(201, 'POST', path, body);
  return {
    callers,
    async journey(run, options) {
      const window = await openWindow(browser, options);
      try {
        await run(window);
      } catch (error) {
        // What the journey itself found out is more than the faults that follow from it.
        const shown = await window.shown();
        await window.context.close();
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${shown}`, {
          cause: error,
        });
      }
      await window.close();
    },
    async newUser(roles) {
      const login = { email: `${randomUUID()}@demo.example`, password: randomUUID() };
      const { id } = await created('admin', '/api/users', { ...login, roles });
      await proveMailbox(id);
      return { ...login, id };
    },
    async newForm(anonymous) {
      const name = `Cities ${randomUUID()}`;
      const { id: formId } = await created('admin', '/api/forms', { name, isEnabled: true, definition });
      for (let count = 0; count < anonymous; count += 1) {
        await created('anonymous', `/api/forms/${formId}/submissions`, {});
      }
      const { id: submissionId } = await created('integration', `/forms/${formId}/submissions/onbehalf`, {
        jsonData: JSON.stringify({ city: strange }),
        isComplete: true,
        submitter: {
          externalSubjectId: randomUUID(),
          displayId: `Ada ${strange}`,
          profile: { department: 'Sales' },
        },
      });
      return { formId, name, submissionId };
    },
    close: () => browser.close(),
  };
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Opens a path of the console and signs in. */
export async function enter(window: ConsoleWindow, user: Account, path = ''): Promise<void> {
  await window.open(path);
  await window.signIn(user.email, user.password);
  await window.page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
}

/** Answers the question for the own password, before a change of how another user signs in. */
export async function prove(page: Page, user: Account): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Current password').fill(user.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/**
 * Cookies of the session. The page shows the sign-in before the API answers the sign-out, so they may remain
 * for a moment.
 */
export const sessionCookies = (context: BrowserContext, gateway: string) =>
  context.cookies(`${gateway}/api/auth/session`);

/** Opens the menu that adds a filter of a list, and picks one. */
export async function pickFilter(page: Page, filter: string): Promise<void> {
  await page.getByRole('button', { name: '+ Filter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a filter' });
  await dialog.getByRole('button', { name: filter, exact: true }).click();
}

/** Opens the menu of a list with what is needed rarely, and chooses an item. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menu').getByText(name, { exact: true }).click();
}

/** Waits until the page of the console has its heading, and nothing in it is being loaded. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await eventually(async () =>
    expect(await page.locator('main [aria-busy="true"], main [aria-label="Loading"]').count()).toBe(0),
  );
}
