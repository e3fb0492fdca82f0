import { createCanvass, dataOf, itemsOf, serviceAccount, verifyWebhook } from '@canvass/client';
import { signIn, type Callers } from '../src/client';
import { startReceiver, type Receiver } from '../src/receiver';
import { stackFile } from '../src/stack';

let callers: Callers;
let receiver: Receiver;
beforeAll(async () => {
  callers = await signIn();
  receiver = await startReceiver();
});
afterAll(() => receiver.sink.close());

it('signs in as a service account, pages a list, and verifies the webhook of a submission', async () => {
  const account = await callers.admin.expect<{ clientId: string; clientSecret: string }>(
    201,
    'POST',
    '/api/service-accounts',
    { name: 'Client package', roles: ['Admin'] },
  );
  const baseUrl = callers.gatewayUrl;
  const canvass = createCanvass({ baseUrl, token: serviceAccount({ baseUrl, ...account }) });
  const form = await dataOf(
    canvass.POST('/api/forms', {
      body: { name: 'Client package', webHookSettingsJson: receiver.settings(['SubmissionCompleted']) },
      params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    }),
  );
  const path = { formId: form.id };
  const created: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const body = { isComplete: n === 4, jsonData: JSON.stringify({ n }) };
    created.push(
      (
        await dataOf(
          createCanvass({ baseUrl }).POST('/api/forms/{formId}/submissions', { params: { path }, body }),
        )
      ).id,
    );
  }

  const listed: string[] = [];
  const submissions = itemsOf((after) =>
    canvass.GET('/api/forms/{formId}/submissions', { params: { path, query: { limit: 2, ...after } } }),
  );
  for await (const { id } of submissions) listed.push(id);
  expect(listed).toEqual(created.toReversed());

  await receiver.trust(callers.admin);
  const { items } = await dataOf(
    canvass.GET('/api/webhooks/endpoints', { params: { query: { limit: 200 } } }),
  );
  const { id } = items.find(({ url }) => url.startsWith(receiver.sink.url))!;
  const { secret } = await dataOf(
    canvass.GET('/api/webhooks/endpoints/{id}/secret', { params: { path: { id } } }),
  );
  const { request } = await receiver.message(({ Payload }) => Payload['submissionId'] === created[4]);
  const message = await verifyWebhook({ headers: request.headers, body: request.body, secret });
  expect(message).toMatchObject({ EventName: 'submission_completed', Payload: { submissionId: created[4] } });
});

it('does what its README shows, with the service account that npm start makes', async () => {
  const { demo } = await stackFile();
  const baseUrl = callers.gatewayUrl;
  const canvass = createCanvass({ baseUrl, token: serviceAccount({ baseUrl, ...demo.serviceAccount }) });
  const form = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', { name: 'On behalf' });
  const path = { formId: form.id };
  const submission = await dataOf(
    canvass.POST('/api/forms/{formId}/submissions/onbehalf', {
      params: { path, header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: {
        submitter: { externalSubjectId: 'crm-4711', displayId: 'ada@example.org' },
        jsonData: JSON.stringify({ country: 'IS' }),
        isComplete: true,
      },
    }),
  );
  const submissions = itemsOf((after) =>
    canvass.GET('/api/forms/{formId}/submissions', { params: { path, query: { limit: 200, ...after } } }),
  );
  const read: [string, string][] = [];
  for await (const { id, jsonData } of submissions) read.push([id, jsonData]);
  expect(read).toEqual([[submission.id, '{"country":"IS"}']]);
});
