import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { barriers } from '../src/browser';
import { codeOf } from '../src/authenticator';
import { enter, heading, pickFilter, prove, startStage, type Stage } from '../src/console';
import { stackFile } from '../src/stack';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe('users', () => {
  it('are invited by a link with which they set a password and sign in', async () => {
    const admin = await stage.newUser(['Admin']);
    const email = `${randomUUID()}@demo.example`;
    const password = randomUUID();
    let link = '';
    await stage.journey(async (window) => {
      await enter(window, admin, '/users');
      const { page } = window;
      await page.getByRole('button', { name: 'New user' }).click();
      const dialog = page.getByRole('dialog', { name: 'New user' });
      await dialog.getByLabel('E-mail address').fill(email);
      await dialog.getByRole('checkbox', { name: 'Viewer', exact: true }).check();
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await heading(page, email).waitFor();
      await page.getByRole('button', { name: 'Create a link' }).click();
      await prove(page, admin);
      const shown = page.getByRole('group', { name: 'Link to set a password' }).locator('code');
      link = (await shown.textContent())!;
    });
    expect(link).toMatch(/\/console\/set-password#token=./);
    await stage.journey(async (window) => {
      const { page } = window;
      await page.goto(link);
      await heading(page, 'Set your password').waitFor();
      expect(page.url()).not.toContain('token');
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('The password is set.').waitFor();
      await page.getByRole('link', { name: 'Go to the sign-in' }).click();
      // The administrator has seen the link, so it says nothing about the mailbox.
      await window.signIn(email, password);
      await page.getByRole('alert').waitFor();
      await page.getByText('Enter the tenant').click();
      await page.getByLabel('Tenant').fill('Demo');
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Overview').waitFor();
    });
  });

  it('that the API refuses are reported at the field, which has the focus', async () => {
    const admin = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, admin, '/users');
      const { page } = window;
      await page.getByRole('button', { name: 'New user' }).click();
      const dialog = page.getByRole('dialog', { name: 'New user' });
      const email = dialog.getByLabel('E-mail address');
      const name = dialog.getByLabel('Name');
      // A browser takes it for an address, and the API does not.
      await email.fill('ada@nowhere');
      await name.fill('a'.repeat(300));
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByRole('alert').getByText('Check these fields:').waitFor();
      const stateOf = (field: typeof email) =>
        field.evaluate((input) => [
          input === input.ownerDocument.activeElement,
          input.getAttribute('aria-invalid'),
          (input.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((id: string) => input.ownerDocument.getElementById(id)?.textContent)
            .join(),
        ]);
      expect(await stateOf(email)).toEqual([true, 'true', 'must be an e-mail address']);
      expect(await stateOf(name)).toEqual([false, 'true', 'must be at most 200 characters long']);
      await dialog.getByRole('button', { name: 'name', exact: true }).click();
      expect((await stateOf(name))[0]).toBe(true);
      expect(await barriers(page)).toEqual([]);

      // Nothing that was typed is lost.
      await name.fill('Ada');
      await email.fill(`${randomUUID()}@demo.example`);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'hidden' });
    });
  });

  it('are changed, and two changes that meet are shown beside each other', async () => {
    const admin = await stage.newUser(['Admin']);
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, admin, `/users/${user.id}`);
      const { page } = window;
      await heading(page, user.email).waitFor();
      await page.getByLabel('Name').fill('Mine');
      await page.getByRole('status').getByText('Not saved').waitFor();
      await stage.callers.admin.expect(200, 'PATCH', `/api/users/${user.id}`, { name: 'Theirs' });
      await page.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('region', { name: 'It was changed in the meantime' });
      await conflict.getByRole('cell', { name: 'Mine', exact: true }).waitFor();
      await conflict.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
      expect(await barriers(page)).toEqual([]);
      const nameNow = async () =>
        (await stage.callers.admin.get<{ name: string }>(`/api/users/${user.id}`)).name;
      expect(await nameNow()).toBe('Theirs');
      await conflict.getByRole('button', { name: 'Keep yours' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      expect(await nameNow()).toBe('Mine');
    });
  });

  it('lose their sessions when an administrator ends them', async () => {
    const admin = await stage.newUser(['Admin']);
    const user = await stage.newUser(['Viewer']);
    await stage.callers.anonymous.expect(200, 'POST', '/api/auth/login', {
      email: user.email,
      password: user.password,
    });
    await stage.journey(async (window) => {
      await enter(window, admin, `/users/${user.id}`);
      const { page } = window;
      await page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1).waitFor();
      await page.getByRole('button', { name: 'End all' }).click();
      await page.getByRole('heading', { name: 'No sessions' }).waitFor();
      const path = `/api/users/${user.id}/sessions`;
      expect(await stage.callers.admin.get(path)).toMatchObject({ items: [] });
    });
  });
});

describe('service accounts', () => {
  it('have a secret that is shown once and works, and another after a rotation', async () => {
    const admin = await stage.newUser(['Admin']);
    const name = `Importer ${randomUUID()}`;
    const secrets: string[] = [];
    let clientId = '';
    const form = await stage.newForm(0);
    await stage.journey(async (window) => {
      await enter(window, admin, '/service-accounts');
      const { page } = window;
      await page.getByRole('button', { name: 'New service account' }).click();
      const dialog = page.getByRole('dialog', { name: 'New service account' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('checkbox', { name: 'Integration' }).check();
      await dialog.getByRole('button', { name: 'Create' }).click();
      secrets.push((await dialog.locator('code').textContent())!);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('link', { name }).click();
      await heading(page, name).waitFor();
      clientId = (await page.locator('code').first().textContent())!;
      await page.getByRole('button', { name: 'Create a new secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
      await page.getByText('There is a new secret.').waitFor();
      const shown = page.getByRole('region', { name: 'Secret' }).locator('code').nth(1);
      secrets.push((await shown.textContent())!);
      await page.getByText(/^The former secret works until/).waitFor();
      expect(await barriers(page)).toEqual([]);
      // The rotation changed the record, but nothing of this form: it is saved without a question.
      await page.getByLabel('Name').fill(`${name} 2`);
      await page.getByLabel('Only certain forms: add one').fill(form.name.slice(8));
      await page.getByRole('button', { name: `+ ${form.name}` }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: form.name }).click(); // which removes it
      await page.getByText('All forms.', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Not saved').waitFor({ state: 'hidden' });
      await page.reload();
      await heading(page, `${name} 2`).waitFor();
      expect(await page.content()).not.toContain(secrets[1]);
    });
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) {
      const { gatewayUrl } = stage.callers;
      const response = await fetch(`${gatewayUrl}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: secret,
        }),
      });
      expect(response.status).toBe(200);
    }
  });
});

describe('the audit trail', () => {
  it('shows who did what and what changed, by filters in the URL, and exports what matches', async () => {
    const admin = await stage.newUser(['Admin']);
    const user = await stage.newUser(['Viewer']);
    await stage.callers.admin.expect(200, 'PATCH', `/api/users/${user.id}`, { roles: ['Editor'] });
    await stage.journey(async (window) => {
      await enter(window, admin, '/audit');
      const { page } = window;
      await page.getByRole('table', { name: 'Actions' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      const { demo } = await stackFile();
      for (const [filter, name] of [
        ['Object', user.email],
        ['Who', demo.adminEmail],
      ] as const) {
        await pickFilter(page, filter);
        await page.getByRole('searchbox', { name: filter }).fill(name);
        await page.getByRole('group', { name: filter }).getByRole('button', { name }).click();
        await page.getByRole('button', { name: `Change the filter ${filter}: ${name}` }).waitFor();
      }
      await pickFilter(page, 'Action');
      await page.getByRole('searchbox', { name: 'Find a choice' }).fill('user ch');
      await page.getByRole('button', { name: 'User changed', exact: true }).click();
      const rows = page.getByRole('table', { name: 'Actions' }).getByRole('row');
      await eventually(async () => expect(await rows.count()).toBe(2));
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('objectId')).toBe(user.id);
      await rows.getByRole('link', { name: demo.adminEmail }).waitFor();
      await rows.getByRole('button', { name: 'Show' }).click();
      await rows.getByText('["Viewer"] → ["Editor"]').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export matching actions' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('audit.ndjson');

      const { formId } = await stage.newForm(0);
      await window.open(`/forms/${formId}/settings`);
      await page.getByRole('main').getByRole('link', { name: 'Audit trail' }).click();
      await rows.getByText('Form created').waitFor();
      expect(new URL(page.url()).searchParams.get('objectId')).toBe(formId);
    });
  });
});

describe('own settings', () => {
  it('set up a second factor with recovery codes, which the next sign-in asks for', async () => {
    const user = await stage.newUser(['Viewer']);
    let recovery = '';
    await stage.journey(async (window) => {
      await enter(window, user, '/settings');
      const { page } = window;
      const panel = page.getByRole('region', { name: 'Second factor' });
      await panel.getByLabel('Current password').fill(user.password);
      await panel.getByRole('button', { name: 'Set up' }).click();
      // The code for the camera is drawn as one shape: three finder patterns, no canvas.
      const code = panel.getByRole('img', { name: 'QR code with the secret' });
      const dark = await code.locator('path').nth(1).getAttribute('d');
      const size = Number((await code.getAttribute('viewBox'))!.split(' ')[2]);
      expect((size - 8 - 17) % 4).toBe(0);
      expect(dark).toContain('M4 4h7v1H4z');
      expect(dark).toContain(`M${size - 11},4 h7v1H${size - 11}z`);
      expect(await page.locator('canvas').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      const secret = (await panel.locator('code').first().textContent())!;
      await panel.getByLabel('Code of the app').fill(codeOf(secret));
      await panel.getByRole('button', { name: 'Confirm' }).click();
      const codes = panel.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      recovery = (await codes.first().textContent())!;
      await panel.getByText(/^Enabled\./).waitFor();
      expect(await barriers(page)).toEqual([]);
    });
    await stage.journey(async ({ page, open, signIn: enterAs }) => {
      await open('');
      await enterAs(user.email, user.password);
      await page.getByLabel('Code of your second factor').fill(recovery);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Overview').waitFor();
    });
  });

  it('change the password: the sign-in appears over the page and takes the new one', async () => {
    const user = await stage.newUser(['Viewer']);
    const next = randomUUID();
    await stage.journey(async (window) => {
      await enter(window, user, '/settings');
      const { page } = window;
      const panel = page.getByRole('region', { name: 'Password' });
      await panel.getByLabel('Current password').fill(user.password);
      await panel.getByLabel('New password').fill(next);
      await panel.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('The password was changed.').waitFor();
      const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password').fill(next);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'hidden' });
      // Only the new session is left: the one that the change itself began is closed.
      await eventually(async () =>
        expect(await page.getByRole('table', { name: 'Sessions' }).getByRole('row').count()).toBe(2),
      );
    });
  });

  it('show times in the chosen zone and rows as dense as chosen, also after a reload', async () => {
    const user = await stage.newUser(['Viewer']);
    await stage.journey(async (window) => {
      await enter(window, user, '/settings');
      const { page } = window;
      await page.getByLabel('Time zone').selectOption('Pacific/Auckland');
      await page.getByLabel('Row height of tables').selectOption('compact');
      await page.reload();
      const time = page.getByRole('table', { name: 'Sessions' }).locator('time').first();
      await time.waitFor();
      const at = new Date((await time.getAttribute('datetime'))!);
      const language = await page.evaluate<string>('navigator.language');
      // What is near is said as a distance; the time itself is there for who looks closer.
      expect(await time.textContent()).toMatch(/^(now|this minute|\d+ sec\. ago|\d+ min\. ago)$/);
      const format = { dateStyle: 'full', timeStyle: 'long', timeZone: 'Pacific/Auckland' } as const;
      expect(await time.getAttribute('title')).toBe(at.toLocaleString(language, format));
      const height = '(name) => getComputedStyle(document.querySelector("td")).paddingTop';
      expect(await page.evaluate<string>(`(${height})()`)).toBe('2px');
    });
  });
});
