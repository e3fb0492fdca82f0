import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Tenant, type Harness } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let endpointIds: string[];
let entityIds: string[];

beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600] } });
  sink = await webhookSink();
  sink.respond(({ path }) => ({ status: path === '/bad' ? 500 : 200 }));
  tenant = newTenant(world.owner);
  const endpoints = [endpointAt(`${sink.url}/good`), endpointAt(`${sink.url}/bad`)];
  endpointIds = endpoints.map(({ endpointId }) => endpointId);
  tenant.configure('SubmissionCompleted', endpoints);
  const events = [tenant.event(), tenant.event(), tenant.event()];
  entityIds = events.map(({ entityId }) => entityId);
  for (const event of events) await world.publish(event);
  await eventually(async () => {
    const log = api(world, relay.url, tenant);
    expect((await log.get('/api/webhooks/deliveries?status=delivered&total=exact')).total).toBe(3);
    expect((await log.get('/api/webhooks/deliveries?status=failed&total=exact')).total).toBe(3);
  });
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);

describe('filters of the desk', () => {
  const ids = async (query: string) => {
    const { items } = await own().get(`/api/webhooks/deliveries?limit=200&${query}`);
    return (items as { id: string }[]).map(({ id }) => id);
  };
  const idsOf = async (status: string) => ids(`status=${status}`);

  it('take several statuses, outcomes, a range of HTTP statuses and a number of attempts', async () => {
    const [all, failed, delivered] = [await ids(''), await idsOf('failed'), await idsOf('delivered')];
    expect(await ids('status=failed&status=delivered')).toEqual(all);
    expect(await ids('status=failed&status=dead')).toEqual(failed);
    expect(await ids('outcome=http_5xx')).toEqual(failed);
    expect(await ids('outcome=success&outcome=timeout')).toEqual(delivered);
    expect(await ids('statusCode=500-599')).toEqual(failed);
    expect(await ids('statusCode=200')).toEqual(delivered);
    expect(await ids('minAttempts=1')).toEqual(all);
    expect(await ids('minAttempts=2')).toEqual([]);
    expect(await ids('isTest=false')).toEqual(all);
    expect(await ids('isTest=true')).toEqual([]);
  });

  it('find the deliveries of a message, and those whose message has a text', async () => {
    const { items } = await own().get(`/api/webhooks/deliveries?entityId=${entityIds[1]}`);
    const ofMessage = items.map(({ id }: { id: string }) => id);
    expect(ofMessage).toHaveLength(2);
    expect(await ids(`messageId=${items[0].messageId}`)).toEqual(ofMessage);
    expect(await ids(`messageId=${newId()}`)).toEqual([]);
    expect(await ids(`from=2026-01-01&text=${entityIds[1]}`)).toEqual(ofMessage);
    expect(await ids('from=2026-01-01&text=not in any answer')).toEqual([]);
    const other = api(world, relay.url, newTenant(world.owner));
    const hidden = await other.get(`/api/webhooks/deliveries?messageId=${items[0].messageId}`);
    expect(hidden.items).toEqual([]);
  });

  it('find a quoted text in an answer', async () => {
    const event = tenant.event();
    const jsonData = JSON.stringify({ motto: 'So "Łódź"\\' });
    await world.publish({ ...event, data: { ...event.data, jsonData } });
    const found = (text: string) => ids(`entityId=${event.entityId}&text=${encodeURIComponent(text)}`);
    await eventually(async () => expect(await found('So "Łódź"\\')).toHaveLength(2));
    expect(await found('motto')).toHaveLength(2);
    expect(await found('so "Łódź"')).toHaveLength(0);
    expect(await found('"motto":"So')).toHaveLength(2);
  });

  it.each([
    'text=abc',
    'from=2026-01-01&text=a',
    'from=2026-01-01&text=a%00b',
    'statusCode=5',
    'statusCode=599-500',
    'outcome=unknown',
    'status=failed&status=failed',
    'minAttempts=-1',
    'isTest=perhaps',
    'messageId=0',
  ])('refuse %s', async (query) => void (await own().get(`/api/webhooks/deliveries?${query}`, 400)));
});

describe('GET /api/webhooks/messages/{messageId}', () => {
  it('shows the message with its deliveries to all endpoints', async () => {
    const { items } = await own().get(`/api/webhooks/deliveries?entityId=${entityIds[0]}`);
    const message = await own().get(`/api/webhooks/messages/${items[0].messageId}`);
    expect(message).toEqual({
      id: items[0].messageId,
      eventName: 'submission_completed',
      entity: 'submission',
      action: 'updated',
      entityId: entityIds[0],
      formId: tenant.formId,
      isTest: false,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      messageBody: expect.stringContaining(entityIds[0]!),
      occurredAt: items[0].occurredAt,
      createdAt: expect.any(String),
      deliveries: [...items].reverse(),
    });
  });

  it('shows a test', async () => {
    const calls = own();
    const { deliveryId } = await calls.post(`/api/webhooks/endpoints/${endpointIds[0]}/test`, 202);
    const { messageId } = await calls.get(`/api/webhooks/deliveries/${deliveryId}`);
    const message = await calls.get(`/api/webhooks/messages/${messageId}`);
    expect(message).toMatchObject({ isTest: true, entityId: '0', deliveries: [{ id: deliveryId }] });
    const { items } = await calls.get('/api/webhooks/deliveries?isTest=true');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([deliveryId]);
  });

  it('hides a message from another tenant', async () => {
    const { items } = await own().get('/api/webhooks/deliveries?limit=1');
    const other = api(world, relay.url, newTenant(world.owner));
    await other.get(`/api/webhooks/messages/${items[0].messageId}`, 404);
    await own([]).get(`/api/webhooks/messages/${items[0].messageId}`, 403);
    await own().get(`/api/webhooks/messages/${newId()}`, 404);
  });
});

it('shows headers and bytes of a response, with credentials masked', async () => {
  const secret = 'a-very-secret-api-key';
  const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
  const receiver = await webhookSink();
  receiver.respond(({ path }) => ({
    status: 200,
    headers: {
      'content-type': path === '/text' ? 'text/plain' : 'image/png',
      'set-cookie': 'session=abc',
      'x-echo': `key ${secret}`,
      'x-long': 'x'.repeat(5_000),
    },
    body: path === '/text' ? Buffer.from('gut so: ä') : binary,
  }));
  const mine = newTenant(world.owner);
  const key = { header: 'X-Key', apiKey: secret };
  const endpoints = ['/text', '/png'].map((path) => endpointAt(receiver.url + path, newId(), key));
  mine.configure('SubmissionCompleted', endpoints);
  await world.publish(mine.event());
  const log = api(world, relay.url, mine);
  const attemptAt = (index: number) =>
    eventually(async () => {
      const query = `status=delivered&endpointId=${endpoints[index]!.endpointId}`;
      const { items } = await log.get(`/api/webhooks/deliveries?${query}`);
      expect(items).toHaveLength(1);
      return (await log.get(`/api/webhooks/deliveries/${items[0].id}`)).attempts[0];
    });
  const text = await attemptAt(0);
  expect(text).toMatchObject({ responseBody: 'gut so: ä', responseBodyBase64: null });
  expect(text.responseHeaders).toMatchObject({
    'content-type': 'text/plain',
    'set-cookie': '********',
    'x-echo': 'key ********',
  });
  expect(JSON.stringify(text)).not.toMatch(/x{5000}|session=abc/);
  expect(await attemptAt(1)).toMatchObject({ responseBodyBase64: binary.toString('base64') });
  await receiver.close();
});
