import { signIn, type Callers } from '../src/client';
import { startReceiver } from '../src/receiver';
import { stackFile } from '../src/stack';

describe('two tenants', () => {
  let callers: Callers;
  beforeAll(async () => {
    callers = await signIn();
  });

  it('cannot see or change data of each other', async () => {
    const { admin, stranger, anonymous } = callers;
    const form = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Ours',
      isEnabled: true,
    });
    const list = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name: 'Ours' });
    const path = `/api/forms/${form.id}/submissions`;
    const submission = await anonymous.expect<{ id: string }>(201, 'POST', path, { jsonData: '{}' });

    const attempts: [string, string, unknown?][] = [
      ['GET', `/api/forms/${form.id}`],
      ['PATCH', `/api/forms/${form.id}`, { name: 'Theirs' }],
      ['DELETE', `/api/forms/${form.id}`],
      ['POST', path, { jsonData: '{}' }],
      ['GET', `${path}/${submission.id}`],
      ['PATCH', `${path}/${submission.id}`, { isComplete: true }],
      ['POST', `/forms/${form.id}/submissions/onbehalf`, { jsonData: '{}' }],
      ['GET', `/api/data-lists/${list.id}`],
      ['PUT', `/api/data-lists/${list.id}/import`, { items: [] }],
      ['POST', `/api/data-lists/${list.id}/export`, {}],
    ];
    for (const [method, url, body] of attempts) {
      const { status } = await stranger.call(method, url, body);
      expect({ method, url, status }).toEqual({ method, url, status: 404 });
    }
    const lists = await stranger.expect<{ items: { id: string }[] }>(
      200,
      'GET',
      '/api/data-lists?pageSize=200',
    );
    expect(lists.items.map(({ id }) => id)).not.toContain(list.id);
    const forms = await stranger.expect<{ items: { id: string }[] }>(200, 'GET', '/api/forms?pageSize=200');
    expect(forms.items.map(({ id }) => id)).not.toContain(form.id);
    expect((await admin.call('GET', `/api/forms/${form.id}`)).body).toMatchObject({ name: 'Ours' });
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
