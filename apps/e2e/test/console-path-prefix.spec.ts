import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { enter, heading, prove, sessionCookies, startStage, type Stage } from '../src/console';
import { proveMailbox } from '../src/prove-mailbox';
import { startPrefixedGateway, type PrefixedGateway } from '../src/prefixed-gateway';
import { stackFile } from '../src/stack';
import { startTlsProxy, type TlsProxy } from '../src/tls-proxy';

/** The console behind a proxy that ends TLS and serves the gateway at a path. */

// It begins as a path of the API does.
const prefix = '/forms/canvass';
let stage: Stage;
let gateway: PrefixedGateway;
let proxy: TlsProxy;
beforeAll(async () => {
  stage = await startStage();
  gateway = await startPrefixedGateway(prefix, (await stackFile()).services);
  proxy = await startTlsProxy(gateway.url, prefix);
});
afterAll(() => Promise.all([stage.close(), proxy.close(), gateway.stop()]));

it('works at a path of a host: sign-in, lists, records, preview, import, documents, sign-out', async () => {
  const { name, formId } = await stage.newForm(1);
  const list = { name: `Places of ${name}` };
  const { id: listId } = await stage.callers.admin.post<{ id: string }>('/api/data-lists', list);
  const user = await stage.newUser(['Admin']);
  await stage.journey(
    async (window) => {
      const { page, context } = window;
      await page.goto(`${proxy.url}/`);
      expect(page.url()).toBe(`${proxy.url}/console`);
      await window.signIn(user.email, user.password);
      await heading(page, 'Overview').waitFor();
      const [cookie, ...others] = await context.cookies(`${proxy.url}/api/auth/session`);
      expect(others).toEqual([]);
      expect(cookie).toMatchObject({ secure: true, path: `${prefix}/api/auth/session` });

      // The sign-in lasts over a reload: the browser sends the cookie.
      await page.reload();
      await heading(page, 'Overview').waitFor();
      await page
        .getByRole('navigation', { name: 'Main navigation' })
        .getByRole('link', { name: 'Forms' })
        .click();
      await page.getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      await page.getByRole('grid').getByRole('link', { name: /^Ada/ }).click();
      await heading(page, / · \d/).waitFor();
      expect(page.url()).toContain(`${proxy.url}/console/forms/${formId}/submissions/`);
      await page.getByText('The same through the API').click();
      await page.getByText(`'${proxy.url}/api/forms/${formId}/submissions/`).waitFor();

      await window.open(`/forms/${formId}/edit`);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.frameLocator('iframe').getByText('Where do you live?').waitFor();

      await window.open(`/data-lists/${listId}/import`);
      const input = page.getByLabel('Choose a file', { exact: true }).and(page.locator('input'));
      const buffer = Buffer.from('value,default\ng,Graz\n');
      await input.setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('heading', { name: 'What the import changes' }).waitFor();

      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in to Canvass').waitFor();
      await page.goto(`${proxy.url}/api/docs`);
      await page.locator('option', { hasText: `${prefix} - The gateway` }).waitFor({ state: 'attached' });
      await eventually(async () => expect(await sessionCookies(context, proxy.url)).toEqual([]));
    },
    { gateway: proxy.url },
  );
  expect(proxy.missed).toEqual([]);
});

it('makes links to set a password, which work at the path', async () => {
  const admin = await stage.newUser(['Admin']);
  const user = await stage.newUser(['Viewer']);
  const password = randomUUID();
  let link = '';
  await stage.journey(
    async (window) => {
      await enter(window, admin, `/users/${user.id}`);
      const { page } = window;
      await page.getByRole('button', { name: 'Create a link' }).click();
      await prove(page, admin);
      const shown = page.getByRole('group', { name: 'Link to set a password' }).locator('code');
      link = (await shown.textContent())!;
    },
    { gateway: proxy.url },
  );
  expect(link).toContain(`${proxy.url}/console/set-password#token=`);
  await stage.journey(
    async (window) => {
      const { page } = window;
      await page.goto(link);
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('The password is set.').waitFor();
      await proveMailbox(user.id);
      await page.getByRole('link', { name: 'Go to the sign-in' }).click();
      await page.getByRole('link', { name: 'Forgotten your password?' }).click();
      await heading(page, 'Get a link to set a password').waitFor();
      expect(page.url()).toBe(`${proxy.url}/console/set-password`);
      await page.getByRole('link', { name: 'Go to the sign-in' }).click();
      await window.signIn(user.email, password);
      await heading(page, 'Overview').waitFor();
    },
    { gateway: proxy.url },
  );
  expect(proxy.missed).toEqual([]);
});

it('signs in behind a proxy that ends TLS at a host of its own, with a cookie for TLS only', async () => {
  const user = await stage.newUser(['Viewer']);
  const plain = await startTlsProxy();
  try {
    await stage.journey(
      async (window) => {
        await enter(window, user);
        const { page, context } = window;
        await heading(page, 'Overview').waitFor();
        const kept = { secure: true, httpOnly: true, sameSite: 'Strict', path: '/api/auth/session' };
        expect(await context.cookies(`${plain.url}/api/auth/session`)).toMatchObject([kept]);
        await page.reload();
        await heading(page, 'Overview').waitFor();
        await page.getByRole('button', { name: /Account/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await heading(page, 'Sign in to Canvass').waitFor();
        await eventually(async () => expect(await sessionCookies(context, plain.url)).toEqual([]));
      },
      { gateway: plain.url },
    );
  } finally {
    await plain.close();
  }
});
