import { queues, submissionExample, type ErasedAnswers, type EventEnvelope } from '@canvass/contracts';
import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { endpointAt, newId, newTenant, startHarness, type Harness, type Tenant } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600] } });
  sink = await webhookSink();
}, 180_000);
afterAll(async () => {
  await sink.close();
  await world.close();
});
beforeEach(() => {
  sink.requests.splice(0);
  sink.respond(({ body }) => ({ status: 200, body: body.toString() }));
});

const canary = 'canary-of-the-answers';
const person = 'canary-of-the-person';

function configured(): Tenant {
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionCompleted', [endpointAt(`${sink.url}/hook`)]);
  return tenant;
}

function completed(tenant: Tenant): EventEnvelope {
  const event = tenant.event();
  const answers = { jsonData: `{"a":"${canary}"}`, metadata: `{"b":"${canary}"}` };
  const respondent = { submitterDisplayId: person, submitterProfileSnapshot: { name: person } };
  return {
    ...event,
    data: { ...submissionExample, id: event.entityId, formId: tenant.formId, ...answers, ...respondent },
  };
}

const erased = (event: EventEnvelope, answers: ErasedAnswers): EventEnvelope => {
  const { entityId, formId, tenantId, traceparent, occurredAt, schemaVersion } = event;
  const head = { entityId, formId, tenantId, traceparent, occurredAt, schemaVersion };
  const data = { id: entityId, formId: formId!, revision: '3', answers };
  return {
    ...head,
    id: newId(),
    type: 'submission.erased',
    entity: 'submission',
    revision: '3',
    settings: null,
    data,
  };
};

/** All rows of the tenant in all tables, as text. */
async function stored(tenantId: string): Promise<string> {
  const tables = ['messages', 'deliveries', 'waiting', 'outbox', 'erasures'];
  const rows = await Promise.all(
    tables.map((table) => world.db.query(`select * from ${table} where tenant_id = $1`, [tenantId])),
  );
  return JSON.stringify(rows, (_name, value: unknown) =>
    (value as { type?: string } | null)?.type === 'Buffer'
      ? Buffer.from((value as { data: number[] }).data).toString()
      : value,
  );
}

const deliveriesOf = (event: EventEnvelope) =>
  world.db.query<{ id: string; status: string }>(
    'select id, status from delivery_log where tenant_id = $1 and entity_id = $2',
    [event.tenantId, event.entityId],
  );

it('erases message and echoed response of what was delivered; ids and status stay', async () => {
  const tenant = configured();
  const event = completed(tenant);
  await world.publish(event);
  const [delivery] = await eventually(async () => {
    const rows = await deliveriesOf(event);
    expect(rows).toMatchObject([{ status: 'delivered' }]);
    return rows;
  });
  expect(await stored(tenant.tenantId)).toContain(canary);
  await world.publish(erased(event, 'deleted'));
  await eventually(async () => expect(await stored(tenant.tenantId)).not.toContain('canary'));
  const path = `/api/webhooks/deliveries/${delivery!.id}`;
  const admin = api(world, relay.url, tenant);
  const shown = (await admin.get(path)) as Record<string, unknown>;
  expect(JSON.stringify(shown)).not.toContain('canary');
  expect(shown).toMatchObject({ status: 'delivered', lastStatusCode: 200, entityId: event.entityId });
  expect(JSON.parse(shown['messageBody'] as string)).toMatchObject({
    Id: event.id,
    Payload: { submissionId: event.entityId, jsonData: '{}', metadata: '{}', submitterDisplayId: null },
  });
  expect(await admin.post(`${path}/resend`, 409)).toMatchObject({
    detail: expect.stringContaining('erased'),
  });
});

it.each([
  ['submission.saved', 'SubmissionUpdated'],
  ['submission.status_changed', 'SubmissionStatusChanged'],
] as const)('erases answers and respondent from stored messages of %s', async (type, name) => {
  const tenant = newTenant(world.owner);
  tenant.configure(name, [endpointAt(`${sink.url}/hook`)]);
  const saved = { ...completed(tenant), type };
  const data = {
    ...(saved.data as object),
    ...(name === 'SubmissionStatusChanged' && { previousStatus: 'new' }),
  };
  await world.publish({ ...saved, data } as EventEnvelope);
  await eventually(async () => expect(await deliveriesOf(saved)).toMatchObject([{ status: 'delivered' }]));
  expect(await stored(tenant.tenantId)).toContain(canary);
  await world.publish(erased(saved, 'deleted'));
  await eventually(async () => expect(await stored(tenant.tenantId)).not.toContain('canary'));
  expect(await deliveriesOf(saved)).toMatchObject([{ status: 'delivered' }]);
});

it('cancels what waits, and what failed is not sent again', async () => {
  sink.respond(() => ({ status: 500, body: canary }));
  const tenant = configured();
  const event = completed(tenant);
  await world.publish(event);
  await eventually(async () => expect(await deliveriesOf(event)).toMatchObject([{ status: 'failed' }]));
  await world.publish(erased(event, 'deleted'));
  await eventually(async () => expect(await deliveriesOf(event)).toMatchObject([{ status: 'cancelled' }]));
  expect(await world.db.query('select from waiting where tenant_id = $1', [tenant.tenantId])).toEqual([]);
  await eventually(async () => expect(await stored(tenant.tenantId)).not.toContain('canary'));
});

it('erases only the respondent where the answers are kept, and still delivers them', async () => {
  sink.respond(() => ({ status: 500 }));
  const tenant = configured();
  const event = completed(tenant);
  await world.publish(event);
  await eventually(async () => expect(await deliveriesOf(event)).toMatchObject([{ status: 'failed' }]));
  await world.publish(erased(event, 'kept'));
  await eventually(async () => expect(await stored(tenant.tenantId)).not.toContain(person));
  sink.respond(() => ({ status: 200 }));
  await world.makeDue(tenant.tenantId);
  await eventually(async () => expect(await deliveriesOf(event)).toMatchObject([{ status: 'delivered' }]));
  const sent = sink.requests.at(-1)!.body.toString();
  expect(sent).toContain(canary);
  expect(sent).not.toContain(person);
});

it('does not store an event from before the erasure that arrives after it', async () => {
  const tenant = configured();
  const event = completed(tenant);
  await world.publish(erased(event, 'deleted'));
  await eventually(async () => expect(await stored(tenant.tenantId)).toContain('deleted'));
  await world.publish(event);
  const other = completed(tenant);
  await world.publish(other);
  await eventually(async () => expect(await deliveriesOf(other)).toMatchObject([{ status: 'delivered' }]));
  await eventually(async () =>
    expect((await world.broker.depths([queues.webhookEvents])).get(queues.webhookEvents)).toBe(0),
  );
  expect(await deliveriesOf(event)).toEqual([]);
});

it('deletes dead and waiting events from RabbitMQ, and no others', async () => {
  const tenant = configured();
  const [event, other] = [completed(tenant), completed(tenant)];
  const put = (queue: string, body: string) =>
    world.broker.publish([{ exchange: '', routingKey: queue, messageId: newId(), body: Buffer.from(body) }]);
  const retry = `${queues.webhookEvents}.retry.300s`;
  for (const each of [event, other]) {
    await put(queues.dead, JSON.stringify(each));
    await put(retry, JSON.stringify(each));
  }
  await put(queues.dead, `cut off: ${JSON.stringify(event)}`.slice(0, -9));
  await world.publish(erased(event, 'deleted'));
  const depths = async () => [...(await world.broker.depths([queues.dead, retry])).values()];
  await eventually(async () => expect(await depths()).toEqual([1, 1]));
});

it('reports a deletion with ids only', async () => {
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionDeleted', [endpointAt(`${sink.url}/deleted`)]);
  const event = tenant.event({ type: 'submission.deleted', revision: '3' });
  const { id, entityId, formId } = event;
  await world.publish({ ...event, data: { id: entityId, formId: formId!, revision: '3' } });
  // The erasure of the same change does not stop its own report.
  await world.publish(erased(event, 'deleted'));
  await eventually(() => expect(sink.requests).toHaveLength(1));
  const { headers, body } = sink.requests[0]!;
  expect(headers).toMatchObject({
    'x-service-event': 'submission_deleted',
    'x-service-entity': 'submission',
    'x-service-action': 'deleted',
  });
  expect(JSON.parse(body.toString())).toEqual({
    Id: id,
    EventName: 'submission_deleted',
    Action: 'deleted',
    Payload: { submissionId: entityId, formId, tenantId: tenant.tenantId, revision: '3', id: entityId },
  });
});

it('reports an erased respondent by id only', async () => {
  const tenant = newTenant(world.owner);
  tenant.configure('SubmitterErased', [endpointAt(`${sink.url}/erased`)]);
  const submitterId = newId();
  const event = tenant.event({ type: 'submitter.erased', entity: 'submitter', entityId: submitterId });
  await world.publish({
    ...event,
    formId: null,
    revision: '1',
    data: { id: submitterId, answers: 'deleted' },
  });
  await eventually(() => expect(sink.requests).toHaveLength(1));
  expect(JSON.parse(sink.requests[0]!.body.toString())).toMatchObject({
    EventName: 'submitter_erased',
    Payload: { submitterId, tenantId: tenant.tenantId, revision: '1', answers: 'deleted' },
  });
});
