import { eventually } from '@canvass/testing';
import { signIn } from '../src/client';
import { startReceiver, type WebhookMessage } from '../src/receiver';

const revisionOf = ({ Payload }: WebhookMessage) => BigInt(Payload['revision'] as string);

it('a receiver restores the order of messages by revision, and within a revision by Id', async () => {
  const { admin } = await signIn();
  const receiver = await startReceiver();
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Switched',
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['FormUpdated', 'FormEnabledStateChanged']),
  });
  await receiver.trust(admin);
  const accepted: WebhookMessage[] = [];
  // The first message of each change is rejected until the second one has been accepted.
  receiver.sink.respond(({ body }) => {
    const message = JSON.parse(body.toString('utf8')) as WebhookMessage;
    const isSecond = message.EventName === 'form_updated';
    if (!isSecond && !accepted.some((other) => revisionOf(other) === revisionOf(message)))
      return { status: 500 };
    accepted.push(message);
    return { status: 200 };
  });
  for (const isEnabled of [false, true, false]) {
    await admin.expect(200, 'PATCH', `/api/forms/${id}`, { isEnabled });
  }
  await eventually(() => expect(accepted).toHaveLength(6));
  expect(receiver.verified().length).toBeGreaterThanOrEqual(6);

  const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
  const ordered = [...accepted].sort(
    (a, b) => compare(revisionOf(a), revisionOf(b)) || compare(BigInt(a.Id), BigInt(b.Id)),
  );
  expect(
    ordered.map(({ EventName, Payload }) => [EventName, Payload['revision'], Payload['isEnabled']]),
  ).toEqual(
    [
      ['2', false],
      ['3', true],
      ['4', false],
    ].flatMap((state) => [
      ['form_enabled_state_changed', ...state],
      ['form_updated', ...state],
    ]),
  );
  // Messages of one revision show the same entity, so their order does not matter.
  for (const at of [0, 2, 4]) expect(ordered[at]!.Payload).toEqual(ordered[at + 1]!.Payload);
  await receiver.sink.close();
});
