import { submissionExample, type EventCondition, type ResolvedWebhookEndpoint } from '@canvass/contracts';
import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { api } from './api';
import { endpointAt, newId, newTenant, startHarness, type Harness, type Tenant } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay();
  sink = await webhookSink();
});
afterAll(async () => {
  await sink.close();
  await world.close();
});
beforeEach(() => {
  sink.requests.splice(0);
  sink.respond(() => ({ status: 200 }));
  world.owner.setAvailable(true);
  world.owner.setTexts(() => ({ answers: texts, hasListLabels: true }));
});

const texts = [{ name: 'country', title: 'Your country', type: 'dropdown', text: 'Nigeria' }];

type Options = Omit<ResolvedWebhookEndpoint, 'endpointId' | 'url' | 'authentication'>;

/** A tenant with an endpoint for each of the options, whose paths are their names. */
function tenantWith(options: Record<string, Options>) {
  const tenant = newTenant(world.owner);
  const ids = new Map(Object.keys(options).map((name) => [name, newId()]));
  const endpoints = Object.entries(options).map(([name, option]) => ({
    ...endpointAt(`${sink.url}/${name}`, ids.get(name)),
    ...option,
  }));
  tenant.configure('SubmissionCompleted', endpoints);
  const secretOf = async (name: string) =>
    (await api(world, relay.url, tenant).get(`/api/webhooks/endpoints/${ids.get(name)}/secret`)) as {
      secret: string;
    };
  return { tenant, secretOf, viewOf: (name: string) => viewOf(tenant, ids.get(name)!) };
}

const viewOf = (tenant: Tenant, id: string) =>
  api(world, relay.url, tenant).get(`/api/webhooks/endpoints/${id}`) as Promise<Record<string, unknown>>;

const receivedAt = (name: string) => sink.requests.filter(({ path }) => path === `/${name}`);
const bodyAt = (name: string): unknown => JSON.parse(receivedAt(name)[0]!.body.toString());

it('sends each endpoint the payload and the format that it wants, signed as it is', async () => {
  const options: Record<string, Options> = {
    plain: {},
    ids: { payload: 'ids' },
    texts: { payload: 'answersText' },
    standard: { format: 'standard' },
    'standard-ids': { payload: 'ids', format: 'standard' },
    'standard-texts': { payload: 'answersText', format: 'standard' },
  };
  const { tenant, secretOf } = tenantWith(options);
  const event = tenant.event();
  await world.publish(event);
  await eventually(() => expect(sink.requests).toHaveLength(6));

  const ids = {
    submissionId: event.entityId,
    formId: tenant.formId,
    tenantId: tenant.tenantId,
    revision: event.revision,
    submitterId: submissionExample.submitterId,
  };
  const whole = { ...event.data, ...ids };
  const message = { Id: event.id, EventName: 'submission_completed', Action: 'updated' };
  const standard = { type: 'submission.completed', timestamp: event.occurredAt };
  expect(bodyAt('plain')).toEqual({ ...message, Payload: whole });
  expect(bodyAt('ids')).toEqual({ ...message, Payload: ids });
  expect(bodyAt('texts')).toEqual({ ...message, Payload: { ...whole, answersText: texts } });
  expect(bodyAt('standard')).toEqual({ ...standard, data: whole });
  expect(bodyAt('standard-ids')).toEqual({ ...standard, data: ids });
  expect(bodyAt('standard-texts')).toEqual({ ...standard, data: { ...whole, answersText: texts } });

  for (const name of Object.keys(options)) {
    const { secret } = await secretOf(name);
    const [{ body, headers } = { body: Buffer.alloc(0), headers: {} }] = receivedAt(name);
    for (const Verifier of [StandardWebhook, SvixWebhook])
      expect(() => new Verifier(secret).verify(body.toString(), headers)).not.toThrow();
    expect(headers).toMatchObject({
      'x-service-hook-id': event.id,
      'x-service-event': 'submission_completed',
    });
  }
});

it('repeats a message with the same bytes, whatever its payload', async () => {
  const { tenant } = tenantWith({ again: { payload: 'ids', format: 'standard' } });
  sink.respond(() => ({ status: sink.requests.length < 3 ? 500 : 200 }));
  await world.publish(tenant.event());
  await eventually(async () => {
    await world.makeDue(tenant.tenantId);
    expect(receivedAt('again')).toHaveLength(3);
  });
  const bodies = receivedAt('again').map(({ body }) => body.toString());
  expect(new Set(bodies).size).toBe(1);

  // The log shows what was sent, so that its signature can be verified.
  const own = api(world, relay.url, tenant);
  const { items } = (await own.get('/api/webhooks/deliveries')) as { items: { id: string }[] };
  const { messageBody } = (await own.get(`/api/webhooks/deliveries/${items[0]!.id}`)) as {
    messageBody: string;
  };
  expect(messageBody).toBe(bodies[0]);
});

it('sends the further headers, which the log does not show', async () => {
  const headers = { 'X-Team': 'a secret of the team', Authorization: 'Basic dGVhbQ==' };
  const { tenant } = tenantWith({ headers: { headers } });
  sink.respond(({ headers: sent }) => ({ status: 200, body: JSON.stringify(sent) }));
  await world.publish(tenant.event());
  await eventually(() => expect(receivedAt('headers')).toHaveLength(1));
  expect(receivedAt('headers')[0]!.headers).toMatchObject({
    'x-team': headers['X-Team'],
    authorization: headers.Authorization,
  });
  const own = api(world, relay.url, tenant);
  const shown = await eventually(async () => {
    const { items } = (await own.get('/api/webhooks/deliveries')) as { items: { id: string }[] };
    const text = JSON.stringify(await own.get(`/api/webhooks/deliveries/${items[0]!.id}`));
    expect(text).toContain('X-Team');
    return text;
  });
  for (const secret of Object.values(headers)) expect(shown).not.toContain(secret);
});

const isReviewed: EventCondition[] = [
  { of: 'member', name: 'status', kind: 'text', operator: ':', values: ['approved'] },
];

it('sends an event to those endpoints only whose filters hold, and counts the others', async () => {
  const { tenant, viewOf } = tenantWith({ all: {}, reviewed: { conditions: isReviewed } });
  const event = tenant.event();
  await world.publish(event);
  await world.publish({ ...tenant.event(), data: { ...event.data, status: 'approved' } as never });
  await eventually(() => expect(sink.requests).toHaveLength(3));
  expect(receivedAt('reviewed').map(({ body }) => JSON.parse(body.toString()).Payload.status)).toEqual([
    'approved',
  ]);
  await eventually(async () => expect((await viewOf('reviewed'))['filteredOut']).toBe(1), {
    timeoutMs: 15_000,
  });
  expect((await viewOf('all'))['filteredOut']).toBe(0);
});

it('keeps nothing of an event that every filter left out', async () => {
  const { tenant } = tenantWith({ reviewed: { conditions: isReviewed } });
  const event = tenant.event();
  await world.publish(event);
  await world.publish({ ...tenant.event(), data: { ...event.data, status: 'approved' } as never });
  await eventually(() => expect(sink.requests).toHaveLength(1));
  const kept = await world.db.query('select id from messages where tenant_id = $1', [tenant.tenantId]);
  expect(kept).toHaveLength(1);
});

it('waits with an event whose texts are wanted until submissions-svc answers', async () => {
  const { tenant } = tenantWith({ texts: { payload: 'answersText' } });
  await world.publish(tenant.settingsChanged());
  await eventually(async () => {
    const known = await world.db.query('select from settings_current where tenant_id = $1', [
      tenant.tenantId,
    ]);
    expect(known).toHaveLength(1);
  });
  world.owner.setAvailable(false);
  const asked = world.owner.asked.length;
  await world.publish(tenant.event());
  await eventually(() => expect(world.owner.asked.length).toBeGreaterThan(asked));
  expect(sink.requests).toHaveLength(0);
  world.owner.setAvailable(true);
  await eventually(() => expect(receivedAt('texts')).toHaveLength(1), { timeoutMs: 30_000 });
  expect(bodyAt('texts')).toMatchObject({ Payload: { answersText: texts } });
}, 60_000);

it('waits for the labels of data lists', async () => {
  const { tenant } = tenantWith({ labels: { payload: 'answersText' } });
  let asked = 0;
  world.owner.setTexts(() => {
    asked += 1;
    return { answers: texts, hasListLabels: asked > 1 };
  });
  await world.publish(tenant.event());
  await eventually(() => expect(receivedAt('labels')).toHaveLength(1), { timeoutMs: 30_000 });
  expect(asked).toBe(2);
}, 60_000);

it('erases texts with the answers', async () => {
  const { tenant } = tenantWith({ texts: { payload: 'answersText' } });
  const event = tenant.event();
  await world.publish(event);
  await eventually(() => expect(receivedAt('texts')).toHaveLength(1));
  await world.publish({
    ...tenant.event(),
    type: 'submission.erased',
    entityId: event.entityId,
    settings: null,
    data: { id: event.entityId, formId: tenant.formId, revision: '3', answers: 'deleted' },
  });
  await eventually(async () => {
    const [message] = await world.db.query<{ body: Buffer }>(
      'select body from messages where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(JSON.parse(message!.body.toString())).toMatchObject({
      Payload: { answersText: [], jsonData: '{}' },
    });
    expect(message!.body.toString()).not.toContain('Nigeria');
  });
});
