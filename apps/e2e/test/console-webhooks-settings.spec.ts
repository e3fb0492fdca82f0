import { eventually } from '@canvass/testing';
import { barriers } from '../src/browser';
import { enter, startStage, type Stage } from '../src/console';
import { startReceiver, type Receiver } from '../src/receiver';

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.sink.close();
  await stage.close();
});

interface Settings {
  Events: Record<string, { IsEnabled: boolean; WebHookEndpoints: object[] }>;
}

describe('the endpoints of webhook settings', () => {
  it('are made and changed one at a time, and keep what another edit does not name', async () => {
    const { admin } = stage.callers;
    const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Notified',
      isEnabled: true,
      webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
    });
    const stored = async () => {
      const path = `/api/forms/${formId}`;
      const { webHookSettingsJson } = await admin.get<{ webHookSettingsJson: string }>(path);
      return (JSON.parse(webHookSettingsJson) as Settings).Events;
    };
    const { url } = receiver.sink;
    const all = {
      Url: `${url}/all`,
      Authentication: {
        Type: 'OAuth2',
        TokenUrl: `${url}/token`,
        ClientId: 'canvass',
        ClientSecret: '********',
        Scope: 'hooks',
      },
      Filter: ['formId:7'],
      Headers: { 'X-Region': '********' },
      Payload: 'ids',
      Format: 'standard',
    };
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/settings/webhooks`);
      const { page } = window;
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const field = (name: string) => page.getByLabel(name, { exact: true });
      await button('+ Add an endpoint').click();
      await field('URL').fill(all.Url);
      const events = page.getByRole('group', { name: 'Events', exact: true });
      await events.getByLabel('Form created').check();
      await button('+ Add a filter').click();
      await field('Filter 1').fill('status:approved');
      await button('+ Add a header').click();
      await field('Name of header 1').fill('X-Region');
      await field('Value of header 1').fill('eu-west');
      await field('Payload').selectOption({ label: 'Ids only' });
      await field('Format').selectOption({ label: 'Standard Webhooks' });
      await field('Authentication').selectOption({ label: 'OAuth2' });
      await field('Token URL').fill(`${url}/token`);
      await field('Client id').fill('canvass');
      await field('Client secret').fill('a secret');
      await field('Scope (optional)').fill('hooks');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await barriers(page)).toEqual([]);
      }

      // Form events have no status: the API says so, and the editor at the field.
      await button('Save').click();
      const filter = field('Filter 1');
      await eventually(async () => expect(await filter.getAttribute('aria-invalid')).toBe('true'));
      expect(await filter.evaluate((own) => own.matches(':focus'))).toBe(true);
      const described = (await filter.getAttribute('aria-describedby'))!;
      expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(/^Form created: /);
      expect(await barriers(page)).toEqual([]);
      await filter.fill('formId:7');
      await button('Save').click();
      await eventually(async () => expect((await stored()).FormCreated?.WebHookEndpoints).toEqual([all]));
      expect((await stored()).SubmissionCompleted?.WebHookEndpoints[1]).toEqual(all);

      // Another endpoint moves: this one keeps its members and its secrets.
      await page.reload();
      await button(`Edit ${all.Url}`).waitFor();
      await page.getByText('formId:7').waitFor();
      const [first] = (await stored()).SubmissionCompleted!.WebHookEndpoints as { Url: string }[];
      await button(`Edit ${first!.Url}`).click();
      await field('URL').fill(`${url}/moved`);
      await button(`Done with ${url}/moved`).click();
      expect(await page.locator(':focus').textContent()).toBe('Edit');
      await page.getByRole('group', { name: 'Events that are sent' }).getByLabel('Form created').uncheck();
      await button('Save').click();
      await eventually(async () =>
        expect(await stored()).toEqual({
          SubmissionCompleted: {
            IsEnabled: true,
            WebHookEndpoints: [expect.objectContaining({ Url: `${url}/moved` }), all],
          },
          FormCreated: { IsEnabled: false, WebHookEndpoints: [all] },
        }),
      );

      await page.setViewportSize({ width: 360, height: 800 });
      await button(`Edit ${all.Url}`).click();
      await field('Client secret').waitFor();
      const wide = () => page.locator('html').evaluate((own) => own.scrollWidth > own.clientWidth);
      expect(await wide()).toBe(false);
      expect(await barriers(page)).toEqual([]);

      // An endpoint without an event would be lost.
      for (const event of ['Submission completed', 'Form created']) await events.getByLabel(event).uncheck();
      await button('Save').click();
      expect(
        await events
          .getByRole('checkbox')
          .first()
          .evaluate((own) => own.matches(':invalid')),
      ).toBe(true);
      await button(`Remove ${all.Url}`).click();
      await button('Save').click();
      await eventually(async () => expect(Object.keys(await stored())).toEqual(['SubmissionCompleted']));
    });
  });

  it('are tested before they are saved, and faults stand at the names of the fields', async () => {
    const { admin } = stage.callers;
    const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Tested',
      isEnabled: true,
    });
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/webhook-settings`);
      const { page } = window;
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const field = (name: string) => page.getByLabel(name, { exact: true });
      await page.getByLabel('Settings of this form').check();
      await button('+ Add an endpoint').click();
      expect(await button('Send a test').isDisabled()).toBe(true);
      await field('URL').fill(`${receiver.sink.url}/trial`);
      await button('Send a test').click();
      await page
        .getByRole('status')
        .getByText(/^Success · 200 · /)
        .waitFor();
      const [request] = receiver.sink.requests.filter(({ path }) => path === '/trial');
      expect(JSON.parse(request!.body.toString())).toMatchObject({ Payload: { isTestEvent: true } });

      await field('URL').fill('http://169.254.169.254/latest');
      await button('Send a test').click();
      await page
        .getByRole('alert')
        .getByRole('button', { name: /\.Url$/ })
        .click();
      expect(await field('URL').evaluate((own) => own.matches(':focus'))).toBe(true);
      expect(await barriers(page)).toEqual([]);

      await field('URL').fill(receiver.sink.url);
      await button('+ Add a header').click();
      await field('Name of header 1').fill('X-Region');
      await field('Value of header 1').fill('********');
      await page.getByText(/^Stored secrets are not shown/).waitFor();
      expect(await button('Send a test').isDisabled()).toBe(true);
    });
  });

  it('are shown to a person who may not change them, without fields and buttons', async () => {
    const { admin } = stage.callers;
    const { revision } = await admin.get<{ revision: string }>('/api/tenant/webhook-settings');
    const webHookSettingsJson = receiver.settings(['SubmissionCompleted']);
    await admin.expect(200, 'PUT', '/api/tenant/webhook-settings', { webHookSettingsJson, revision });
    const user = await stage.newUser(['Editor']);
    await stage.journey(async (window) => {
      await enter(window, user, '/webhook-settings');
      const { page } = window;
      await page.getByText(receiver.sink.url, { exact: false }).first().waitFor();
      const content = page.getByRole('main');
      for (const name of [/Edit/, /Remove/, /Add an endpoint/, /^Save$/, /Send a test/])
        expect(await content.getByRole('button', { name }).count()).toBe(0);
      expect(await content.getByLabel('Submission completed').isDisabled()).toBe(true);
      expect(await barriers(page)).toEqual([]);
    });
  });
});
