import { webhookEventNames } from '@canvass/contracts';
import { eventually } from '@canvass/testing';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { signIn, type Callers } from '../src/client';
import { startReceiver, type Receiver } from '../src/receiver';

/** The events of a submission that is begun, saved, completed, reviewed and deleted. */
const changes = [
  'submission_updated',
  'submission_updated',
  'submission_completed',
  'submission_status_changed',
  'submission_deleted',
];

let callers: Callers;
let receiver: Receiver;
beforeAll(async () => {
  callers = await signIn();
  receiver = await startReceiver();
});
afterAll(() => receiver.sink.close());

it('a test of each event is valid for the published schema, and so is the real event', async () => {
  const { admin, gatewayUrl } = callers;
  const document = (await (await fetch(`${gatewayUrl}/api/openapi-webhooks.json`)).json()) as {
    webhooks: Record<string, unknown>;
  };
  // An alert goes to the alert URL of a tenant only.
  const eventNames = Object.keys(document.webhooks).filter((name) => name !== 'webhook_alert');
  const ajv = addFormats(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema(document, 'document');
  const faultOf = (message: { EventName: string }) => {
    const media = `post/requestBody/content/application~1json/schema`;
    return ajv.validate({ $ref: `document#/webhooks/${message.EventName}/${media}` }, message)
      ? null
      : ajv.errorsText();
  };
  const form = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Tests of an endpoint',
    webHookSettingsJson: receiver.settings([...webhookEventNames]),
  });
  await receiver.trust(admin);
  const { items } = await admin.expect<{ items: { id: string; url: string }[] }>(
    200,
    'GET',
    '/api/webhooks/endpoints?limit=200',
  );
  const { id } = items.find(({ url }) => url.startsWith(receiver.sink.url))!;
  for (const eventName of eventNames)
    await admin.expect(202, 'POST', `/api/webhooks/endpoints/${id}/test`, { eventName });
  const submissions = `/api/forms/${form.id}/submissions`;
  const { id: submissionId } = await admin.expect<{ id: string }>(201, 'POST', submissions, { isTest: true });
  await admin.expect(200, 'PATCH', `${submissions}/${submissionId}`, { jsonData: '{"a":1}' });
  await admin.expect(200, 'PATCH', `${submissions}/${submissionId}`, { isComplete: true });
  await admin.expect(200, 'POST', `${submissions}/${submissionId}/status`, { status: 'approved' });
  await admin.expect(204, 'DELETE', `${submissions}/${submissionId}`);
  const sent = eventNames.length + 1 + changes.length;

  await eventually(() => expect(receiver.sink.requests.length).toBeGreaterThanOrEqual(sent), {
    timeoutMs: 60_000,
  });
  const messages = receiver.verified().map(({ message }) => message);
  expect(messages.map((message) => [message.EventName, faultOf(message)])).toEqual(
    messages.map(({ EventName }) => [EventName, null]),
  );
  const tests = messages.filter(({ Payload }) => Payload['isTestEvent'] === true);
  expect(tests.map(({ EventName }) => EventName).sort()).toEqual(eventNames.sort());
  const ofSubmission = messages
    .filter(({ Payload }) => Payload['submissionId'] === submissionId)
    .sort((a, b) => Number(a.Payload['revision']) - Number(b.Payload['revision']));
  expect(ofSubmission.map(({ EventName, Payload }) => [EventName, Number(Payload['revision'])])).toEqual(
    changes.map((name, n) => [name, n + 1]),
  );
  const { tenantId, formId } = tests.find(({ EventName }) => EventName === 'submission_completed')!.Payload;
  expect([typeof tenantId, formId]).toEqual(['string', form.id]);
});
