import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { addSecondFactor } from '../src/authenticator';
import { enter, heading, sessionCookies, startStage, type Stage } from '../src/console';
import { continueService, freezeService, stackFile } from '../src/stack';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** The title follows the heading a moment later. */
const hasTitle = (page: Page, title: string) =>
  eventually(async () => expect(await page.title()).toBe(title));

describe('the sign-in', () => {
  it('is where / leads, refuses a wrong pair, and opens the overview', async () => {
    const { demo } = await stackFile();
    await stage.journey(async ({ page, signIn: enterAs }) => {
      await page.goto('/');
      expect(new URL(page.url()).pathname).toBe('/console');
      await heading(page, 'Sign in to Canvass').waitFor();
      await hasTitle(page, 'Sign in · Canvass');
      await enterAs(demo.adminEmail, 'not the password');
      await page.getByRole('alert').getByText('The sign-in failed.').waitFor();

      await enterAs(demo.adminEmail, demo.adminPassword);
      await heading(page, 'Overview').waitFor();
      await hasTitle(page, 'Overview · Canvass');
      await page.getByRole('banner').getByText('Demo').waitFor();
    });
  });

  it('lasts over a reload, and no script of the page can read a token', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user);
      const { page, context } = window;
      await page.reload();
      await heading(page, 'Overview').waitFor();
      const stored = await page.evaluate<string>(
        'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
      );
      expect(stored).toBe('["",{},{}]');
      const [cookie, ...others] = await context.cookies(`${new URL(page.url()).origin}/api/auth/session`);
      expect(others).toEqual([]);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/auth/session' });
    });
  });

  it('asks for the user before the code of the first page is there', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user);
      const { page } = window;
      const html = await (await fetch(`${stage.callers.gatewayUrl}/console`)).text();
      const held: string[] = [];
      const asked = page.waitForRequest('**/api/auth/me');
      // The scripts that the document names come at once, all others after that request.
      await page.route('**/console/assets/*.js', async (route) => {
        const script = new URL(route.request().url()).pathname;
        if (!html.includes(script)) {
          await asked;
          held.push(script);
        }
        await route.continue();
      });
      await page.reload();
      await heading(page, 'Overview').waitFor();
      expect(held).not.toEqual([]);
      await page.unrouteAll();
    });
  });

  it('asks for the code of a second factor', async () => {
    const user = await stage.newUser(['Viewer']);
    const [recoveryCode] = await addSecondFactor(stage.callers, user);
    await stage.journey(async ({ page, open, signIn: enterAs }) => {
      await open('');
      await enterAs(user.email, user.password);
      const code = page.getByLabel('Code of your second factor');
      await code.fill('000000');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Check the password and the code.').waitFor();
      await code.fill(recoveryCode!);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Overview').waitFor();
      expect(await code.count()).toBe(0);
    });
  });

  it('holds for all tabs of the browser, and so does the sign-out', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user);
      const { page, context } = window;
      const second = await context.newPage();
      await Promise.all([second.goto('/console/health'), page.reload()]);
      await heading(second, 'Health').waitFor();
      await heading(page, 'Overview').waitFor();

      await second.getByRole('button', { name: `Account: ${user.email}` }).click();
      await second.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(second, 'Sign in to Canvass').waitFor();
      await heading(page, 'Sign in to Canvass').waitFor();
      await page.reload();
      await heading(page, 'Sign in to Canvass').waitFor();
      await eventually(async () =>
        expect(await sessionCookies(context, new URL(page.url()).origin)).toEqual([]),
      );
    });
  });

  it('is asked for over the page when the session has ended, and the page continues', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/forms');
      const { page } = window;
      const filter = page.getByRole('searchbox', { name: 'Filter by name' });
      await filter.waitFor();
      await stage.callers.admin.expect(204, 'DELETE', `/api/users/${user.id}/sessions`);
      const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
      // The services learn of it a moment later: each filter is another request.
      await eventually(async () => {
        if (await dialog.isVisible()) return true;
        await filter.fill(randomUUID(), { timeout: 1_000 });
        await filter.press('Enter', { timeout: 1_000 });
        return false;
      });
      await dialog.getByLabel('Password').fill(user.password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'hidden' });
      // The request that waited has its response.
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    });
  });
});

describe('the shell', () => {
  it('goes to a page and changes the language by Ctrl+K, with keys only', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user);
      const { page } = window;
      const go = async (text: string, item: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('searchbox').waitFor();
        await page.keyboard.type(text);
        await page.keyboard.press('ArrowDown');
        await page.locator('[role=menuitem][data-focused]', { hasText: item }).waitFor();
        await page.keyboard.press('Enter');
      };
      await go('hea', 'Health');
      await heading(page, 'Health').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/health');
      await go('Deutsch', 'Sprache: Deutsch');
      await heading(page, 'Zustand').waitFor();
      expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
      await page.reload();
      await heading(page, 'Zustand').waitFor();
    });
  });

  it('has the commands that read the same, which work and have no token', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/forms');
      const { page } = window;
      const { gatewayUrl } = await stackFile();
      await page.getByRole('searchbox', { name: 'Filter by name' }).fill('no form');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      await page.getByText('The same through the API').click();
      const [command] = (await page.locator('pre').textContent())!.split('\n');
      const [, address] = /^curl -H "Authorization: Bearer \$TOKEN" '([^']+)'$/.exec(command!)!;
      expect(address!.startsWith(`${gatewayUrl}/api/forms?`)).toBe(true);
      expect(
        await stage.callers.admin.expect<{ items: [] }>(200, 'GET', address!.slice(gatewayUrl.length)),
      ).toMatchObject({
        items: [],
      });

      // Another page has its own.
      await page.getByRole('link', { name: 'Data lists' }).click();
      await heading(page, 'Data lists').waitFor();
      await page.getByText('The same through the API').click();
      await page
        .locator('pre')
        .getByText(/\/api\/data-lists/)
        .waitFor();
      expect(await page.locator('pre').textContent()).not.toContain('/api/forms');
    });
  });

  it('says so when there is no such page', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/no-such-page');
      const { page } = window;
      await heading(page, 'Not found').waitFor();
      await page.getByRole('link', { name: 'To the overview' }).click();
      await heading(page, 'Overview').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/');
    });
  });
});

it('a service that does not answer takes only its own parts along', async () => {
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    await enter(window, user, '/health');
    const { page } = window;
    const row = page.getByRole('row').filter({ hasText: 'submissions-svc' });
    await row.getByText(/Healthy$/).waitFor();
    await freezeService('submissions-svc');
    try {
      await row.getByText('Degraded').waitFor();
      await page.getByRole('link', { name: 'Forms' }).click();
      // The gateway gives up after 30 s.
      await page.getByText('This part is not available').waitFor({ timeout: 120_000 });
      await page.getByText(/^Next attempt in/).waitFor();
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('main').getByRole('listitem').filter({ hasText: 'submissions-svc' }).waitFor();
    } finally {
      await continueService('submissions-svc');
    }
    await page.getByText('All checks passed.').waitFor();
    await page.getByRole('link', { name: 'Forms' }).click();
    await page.getByRole('searchbox', { name: 'Filter by name' }).waitFor();
    await page.getByText('This part is not available').waitFor({ state: 'hidden', timeout: 120_000 });
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('permissions', () => {
  it('decide about the navigation, and a link names the one that is missing', async () => {
    const user = await stage.newUser(['Respondent']);
    await stage.journey(async (window) => {
      await enter(window, user, '/forms');
      const { page } = window;
      await heading(page, 'You may not see this').waitFor();
      await page.getByText('You need the permission “See forms” (Forms.View).').waitFor();
      const links = await page.getByRole('navigation').getByRole('link').allTextContents();
      expect(links).toEqual(['Overview', 'Health']);
      // A group without a permitted page is not shown.
      expect(await page.getByRole('navigation').getByRole('list').count()).toBe(2);
    });
  });
});
