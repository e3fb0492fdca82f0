import { eventExample, exchanges } from '@canvass/contracts';
import amqp, { type ChannelModel } from 'amqplib';
import { Client } from 'pg';
import { testDatabase, testVhost, type TestVhost } from '.';
import { assertNoEventFaults, expectMalformedEvents, takeEventFaults } from './event-check';

const event = eventExample('submission.completed');
let vhost: TestVhost;
let connection: ChannelModel;

beforeAll(async () => {
  vhost = await testVhost();
  connection = await amqp.connect(vhost.url);
});
afterAll(async () => {
  await connection.close();
  await vhost.drop();
});

async function publish(body: unknown, routingKey: string = event.type, messageId = event.id): Promise<void> {
  const channel = await connection.createConfirmChannel();
  await channel.assertExchange(exchanges.events, 'topic');
  channel.publish(exchanges.events, routingKey, Buffer.from(JSON.stringify(body)), { messageId });
  await channel.waitForConfirms();
  await channel.close();
}

describe('the check of published events', () => {
  it('accepts an event that fulfils the contract', async () => {
    await publish(event);
    expect(() => assertNoEventFaults()).not.toThrow();
  });

  it.each([
    [
      'an unknown member',
      { ...event, data: { ...event.data, token: 'secret' } },
      '"data.token" is not allowed',
    ],
    [
      'a missing member',
      { ...event, data: { ...event.data, status: undefined } },
      '"data.status" is required',
    ],
    [
      'an id that is a number',
      { ...event, data: { ...event.data, formId: 5 } },
      '"data.formId" must be a string',
    ],
    ['an envelope without its tenant', { ...event, tenantId: undefined }, '"tenantId" is required'],
  ])('makes the test fail for %s', async (_what, wrong, message) => {
    await publish(wrong);
    expect(() => assertNoEventFaults()).toThrow(message);
  });

  it('makes the test fail for a wrong routing key and a wrong messageId', async () => {
    await publish(event, 'submission.renamed');
    await publish(event, event.type, '1');
    expect(takeEventFaults()).toEqual([
      'submission.renamed: "submission.renamed" is not an event',
      "submission.completed: messageId is not the event's id",
    ]);
  });

  it('is off for a test that calls expectMalformedEvents', async () => {
    expectMalformedEvents();
    await publish({ not: 'an event' });
    expect(takeEventFaults()).toEqual([]);
  });

  it('also checks unpublished rows that a test leaves in an outbox', async () => {
    const database = await testDatabase({
      template: 'event-check 1',
      schema: 'event_check',
      async prepare(url) {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.query(`create table outbox (event_id bigint, event_type text, tenant_id bigint, entity text,
          entity_id bigint, form_id bigint, revision bigint, settings json, traceparent text, data json,
          created_at timestamptz default now())`);
        await client.query(
          `insert into outbox values (1, 'form.created', 1, 'form', 2, 2, 1, null, null, '{"id":"2"}')`,
        );
        await client.end();
      },
    });
    await expect(database.drop()).rejects.toThrow('form.created: "data.name" is required');
  });
});
