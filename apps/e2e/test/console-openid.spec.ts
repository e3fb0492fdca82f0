import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import type { ConsoleWindow } from '../src/browser';
import { heading, startStage, type Stage } from '../src/console';
import { otherStack, type OtherStack } from '../src/other-stack';
import { startPrefixedGateway } from '../src/prefixed-gateway';
import { startTlsProxy } from '../src/tls-proxy';

/** The console of an installation without identity-svc: two providers of OpenID Connect, a real browser. */
let stage: Stage;
let other: OtherStack;
beforeAll(async () => {
  stage = await startStage();
  other = await otherStack();
});
afterAll(async () => {
  await stage.close();
  await other.stop();
});

const journey = (run: (window: ConsoleWindow) => Promise<void>) =>
  stage.journey(run, { gateway: other.gatewayUrl });

/** The pages of the provider: the login, and the consent that it asks for once. */
async function passProvider(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const enterWith = async (page: Page, provider: string, login: string) => {
  await page.getByRole('button', { name: `Sign in with ${provider}` }).click();
  await passProvider(page, login);
};

/** Reads what a script of the page could read: the storages, the cookies and the address. */
const readable = (page: Page) =>
  page.evaluate<string>(
    'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])',
  );

it('signs in at a provider and returns to the page that was asked for, which keeps no token', async () => {
  await journey(async ({ page, open, context }) => {
    await open('/forms');
    await page.getByRole('button', { name: 'Sign in with Partner' }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/me')) asked.push(request.method());
    });
    await enterWith(page, 'Company', 'grace');
    await heading(page, 'Forms').waitFor();
    expect(asked).toEqual(['GET']);
    expect(new URL(page.url()).pathname).toBe('/console/forms');
    expect(await readable(page)).toBe(
      JSON.stringify(['', { 'canvass-provider': 'Company' }, {}, `${other.gatewayUrl}/console/forms`]),
    );

    // Nothing of identity-svc is offered.
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    await navigation.getByRole('link', { name: 'Submitters' }).waitFor();
    for (const name of ['Users', 'Service accounts', 'Audit trail'])
      expect(await navigation.getByRole('link', { name, exact: true }).count()).toBe(0);

    // The provider still knows the person: no page of it is shown, in this tab or in a new one.
    await page.reload();
    await heading(page, 'Forms').waitFor();
    const second = await context.newPage();
    await second.goto('/console/settings');
    await heading(second, 'Your settings').waitFor();
    await second.getByRole('main').getByText('Grace Hopper').waitFor();
  });
});

it('signs out here, in all tabs, and at the provider', async () => {
  await journey(async ({ page, open, context }) => {
    await open('');
    await enterWith(page, 'Company', 'grace');
    await heading(page, 'Overview').waitFor();
    const second = await context.newPage();
    await second.goto('/console/forms');
    await heading(second, 'Forms').waitFor();

    await page.getByRole('button', { name: /Account: / }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(second, 'Sign in to Canvass').waitFor();
    // The provider asks whether its session ends, too.
    expect(page.url()).not.toContain('id_token');
    await page.getByRole('button', { name: /Yes/ }).click();
    await heading(page, 'Sign in to Canvass').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in with Company' }).click();
    await page.locator('input[name=login]').waitFor();
  });
});

it('renews the token of a provider that gives refresh tokens, and the page notices nothing', async () => {
  await journey(async ({ page, open }) => {
    const grants: (string | null)[] = [];
    page.on('request', (request) => {
      const sent = new URLSearchParams(request.postData() ?? '');
      if (sent.has('grant_type')) grants.push(sent.get('grant_type'));
    });
    await open('/health');
    await enterWith(page, 'Partner', 'mary');
    await heading(page, 'Health').waitFor();
    // The health of this gateway has a path of its own.
    await page.getByRole('main').getByText('routing', { exact: true }).waitFor();
    await eventually(async () => {
      await page.getByRole('link', { name: 'Forms' }).click();
      await page.getByRole('link', { name: 'Overview' }).click();
      expect(grants.slice(0, 2)).toEqual(['authorization_code', 'refresh_token']);
    });
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });
});

it('signs in again in a window beside the page, which continues', async () => {
  await journey(async ({ page, open, context }) => {
    await open('/forms');
    await enterWith(page, 'Company', 'grace');
    const filter = page.getByRole('searchbox', { name: 'Filter by name' });
    await filter.waitFor();
    // As when the token has ended: the API refuses it, and there is no refresh token.
    let refused = 0;
    await page.route('**/api/forms?**', async (route) => {
      refused += 1;
      if (refused === 1) await route.fulfill({ status: 401, body: '{}' });
      else await route.continue();
    });
    await filter.fill('no form has this name');
    await filter.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    const opened = context.waitForEvent('page');
    await dialog.getByRole('button', { name: 'Sign in with Company' }).click();
    await opened; // the provider knows the person: the window goes through without a page
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/forms');
  });
});

it.each(['?code=stolen&state=page.forged', '?error=access_denied', ''])(
  'an answer to no question signs no user in: "%s"',
  async (answer) => {
    await journey(async ({ page, open }) => {
      await open(`/callback${answer}`);
      await page.getByRole('alert').getByText('The sign-in with the provider failed.').waitFor();
      expect(new URL(page.url()).search).toBe('');
    });
  },
);

it.each([
  ['state', 0], // before the code is exchanged
  ['nonce', 1],
] as const)('refuses an answer with another %s', async (name, exchanges) => {
  await journey(async ({ page, open }) => {
    let exchanged = 0;
    page.on('request', (request) => (exchanged += request.postData()?.includes('code_verifier') ? 1 : 0));
    // The provider is asked with another value than the page keeps.
    await page.route('**/auth?client_id=*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set(name, `page.forged-${url.searchParams.get(name)}`);
      await route.fulfill({ status: 302, headers: { location: url.href } });
    });
    await open('');
    await enterWith(page, 'Company', 'grace');
    await page.getByRole('alert').getByText('The sign-in with the provider failed.').waitFor();
    expect(exchanged).toBe(exchanges);
    expect(await readable(page)).toBe(JSON.stringify(['', {}, {}, `${other.gatewayUrl}/console`]));
  });
});

it('says why the API refuses a person of the provider', async () => {
  await journey(async ({ page, open }) => {
    await open('');
    // A user without a tenant.
    await enterWith(page, 'Company', 'stranger');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/The sign-in with the provider failed\. .*tenant/i);
  });
});

it('signs in and out at a provider behind a proxy that ends TLS and serves the gateway at a path', async () => {
  const prefix = '/forms/canvass';
  const gateway = await startPrefixedGateway(prefix, other.file.services, other.gatewayEnvironment);
  const proxy = await startTlsProxy(gateway.url, prefix);
  try {
    await other.admit(proxy.url);
    await stage.journey(
      async ({ page, open }) => {
        await open('/forms');
        await enterWith(page, 'Company', 'grace');
        await heading(page, 'Forms').waitFor();
        const kept = { [`canvass-provider ${prefix}`]: 'Company' };
        expect(await readable(page)).toBe(JSON.stringify(['', kept, {}, `${proxy.url}/console/forms`]));
        await page.reload();
        await heading(page, 'Forms').waitFor();
        expect(page.url()).toBe(`${proxy.url}/console/forms`);

        await page.getByRole('button', { name: /Account: / }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByRole('button', { name: /Yes/ }).click();
        await heading(page, 'Sign in to Canvass').waitFor();
        expect(page.url()).toContain(`${proxy.url}/console/`);
      },
      { gateway: proxy.url },
    );
    expect(proxy.missed).toEqual([]);
  } finally {
    await Promise.all([proxy.close(), gateway.stop()]);
  }
});
