import { eventually } from '@canvass/testing';
import { barriers } from '../src/browser';
import { enter, heading, startStage, type Stage } from '../src/console';
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

const path = '/api/webhooks/alerts';
const none = { addresses: [], language: 'en', url: null };

describe('the alerts of a tenant', () => {
  it('name addresses and a URL, try them, and lead to the secret of the URL', async () => {
    const { admin } = stage.callers;
    await admin.expect(200, 'PUT', path, none);
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, '/endpoints');
      const { page } = window;
      await page.getByRole('link', { name: 'Alerts' }).click();
      await heading(page, 'Alerts').waitFor();
      await page.getByText('This installation has no mail server').waitFor();
      expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true);

      await page.getByLabel('E-mail addresses').fill('ops@example.org x');
      await page.getByLabel('Alert URL').first().fill(`${receiver.sink.url}/alerts`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('must be an e-mail address', { exact: true }).waitFor();
      await page.getByLabel('E-mail addresses').fill('ops@example.org, team@example.org');
      await page.getByRole('button', { name: 'Save' }).click();
      const saved = {
        addresses: ['ops@example.org', 'team@example.org'],
        url: `${receiver.sink.url}/alerts`,
      };
      await eventually(async () => expect(await admin.get(path)).toMatchObject(saved));
      expect(await barriers(page)).toEqual([]);

      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('link', { name: 'delivered 200' }).waitFor();
      expect(await page.getByText('no mail server is configured').count()).toBe(2);
      expect(await barriers(page)).toEqual([]);

      await page.getByRole('link', { name: 'Status, deliveries and secret of the alert URL' }).click();
      await heading(page, 'Endpoint').waitFor();
      await page.getByRole('link', { name: 'Alerts' }).waitFor();
      await page.getByRole('button', { name: 'Show the secret' }).waitFor();
    });
    await admin.expect(200, 'PUT', path, none);
  });
});
