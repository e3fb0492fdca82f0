import type { EventEnvelope, SubmissionView } from '@canvass/contracts';
import { queues } from '@canvass/contracts';
import { eventually, testVhost, type TestVhost } from '@canvass/testing';
import amqp, { type ChannelModel } from 'amqplib';
import { client, startHarness, tenantOf, type Harness } from './harness';

let vhost: TestVhost;
let test: Harness;
let broker: ChannelModel;
beforeAll(async () => {
  vhost = await testVhost();
  test = await startHarness({ brokerUrl: vhost.url });
  broker = await amqp.connect(vhost.url);
});
afterAll(async () => {
  await broker.close();
  await test.close();
  await vhost.drop();
});

/** Removes and returns the messages in the relay's queue, in order. */
async function received(): Promise<EventEnvelope[]> {
  const channel = await broker.createChannel();
  const events: EventEnvelope[] = [];
  for (;;) {
    const message = await channel.get(queues.webhookEvents, { noAck: true });
    if (message === false) break;
    events.push(JSON.parse(message.content.toString()) as EventEnvelope);
  }
  await channel.close();
  return events;
}

describe('a committed change', () => {
  it("reaches the relay's queue through the outbox, and leaves the outbox empty", async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ webHookSettingsJson: '{}' });
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { body } = await client(test.service.url).post<Record<string, string>>(
      `/api/forms/${formId}/submissions`,
      { isComplete: true },
      { traceparent: trace },
    );
    const got: EventEnvelope[] = [];
    await eventually(async () => {
      got.push(...(await received()));
      return got.length >= 3;
    });
    const of = (type: string) => got.find((event) => event.type === type);
    expect(got.map(({ type }) => type).sort()).toEqual([
      'form.created',
      'form.webhook_settings_changed',
      'submission.completed',
    ]);
    expect(of('submission.completed')).toMatchObject({
      tenantId: tenant.id,
      entity: 'submission',
      entityId: body['id'],
      formId,
      revision: '1',
      schemaVersion: 1,
      settings: of('form.webhook_settings_changed')?.data,
      traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/),
      data: { id: body['id'], isComplete: true },
    });
    await eventually(async () => (await test.events({ tenantId: tenant.id })).length === 0);
  });

  it('reaches it with answers of the largest size that can be configured, escaped', async () => {
    const MiB = 1024 * 1024;
    const largest = await startHarness({
      brokerUrl: vhost.url,
      submissions: { MaxJsonDataBytes: 6 * MiB, MaxMetadataBytes: MiB },
    });
    try {
      const tenant = tenantOf(largest);
      const formId = await tenant.form({ webHookSettingsJson: '{}' });
      const quotes = (bytes: number) => `"${'\\"'.repeat(bytes / 2 - 1)}"`;
      const answers = { jsonData: quotes(6 * MiB), metadata: quotes(MiB) };
      const { status, body } = await client(largest.service.url).post<Record<string, string>>(
        `/api/forms/${formId}/submissions`,
        { ...answers, isComplete: true },
      );
      expect(status).toBe(201);
      let event: EventEnvelope | undefined;
      await eventually(async () => {
        event ??= (await received()).find(({ entityId }) => entityId === body['id']);
        return event !== undefined;
      });
      const { jsonData, metadata } = event!.data as SubmissionView;
      expect([jsonData === answers.jsonData, metadata === answers.metadata]).toEqual([true, true]);
    } finally {
      await largest.close();
    }
  });
});
