import { signIn, type Callers } from '../src/client';
import { startReceiver } from '../src/receiver';
import { stackFile } from '../src/stack';

describe('two tenants', () => {
  let callers: Callers;
  beforeAll(async () => {
    callers = await signIn();
  });

  it('do not receive events of each other by tenant webhooks', async () => {
    const receiver = await startReceiver();
    const path = '/api/tenant/webhook-settings';
    await callers.admin.expect(200, 'PUT', path, { webHookSettingsJson: receiver.settings(['FormCreated']) });
    await receiver.trust(callers.admin);
    await callers.stranger.expect(201, 'POST', '/api/forms', { name: 'Not to be heard of', isEnabled: true });
    await callers.admin.expect(201, 'POST', '/api/forms', { name: 'To be heard of', isEnabled: true });

    const { message } = await receiver.message(({ Payload }) => Payload['name'] === 'To be heard of');
    expect(message.Payload['tenantId']).toBe((await stackFile()).demo.tenantId);
    expect(receiver.verified().map(({ message }) => message.Payload['name'])).not.toContain(
      'Not to be heard of',
    );

    const endpoints = await callers.stranger.expect<{ items: unknown[] }>(
      200,
      'GET',
      '/api/webhooks/endpoints',
    );
    expect(JSON.stringify(endpoints)).not.toContain(receiver.sink.url);
    await callers.admin.expect(200, 'PUT', path, { webHookSettingsJson: null });
    await receiver.sink.close();
  });
});
