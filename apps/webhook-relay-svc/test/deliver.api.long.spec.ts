import { eventually, expectMalformedEvents, webhookSink, type WebhookSink } from '@canvass/testing';
import { Webhook } from 'standardwebhooks';
import { api } from './api';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
let sinks: WebhookSink[];

beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());
beforeEach(() => {
  sinks = [];
});
afterEach(() => Promise.all(sinks.map((sink) => sink.close())));

async function newSink(): Promise<WebhookSink> {
  const sink = await webhookSink();
  sinks.push(sink);
  return sink;
}

describe.each([
  ['the relay sends itself', false],
  ['jobs go through the queue', true],
])('delivery where %s', (_mode, deliverToJobQueue) => {
  let relayUrl: string;
  let stop: () => Promise<boolean>;
  beforeAll(async () => {
    const relay = await world.relay({ deliverToJobQueue });
    relayUrl = relay.url;
    stop = () => relay.stop();
  });
  afterAll(() => stop());

  it('sends the message with all headers and a signature that receivers can verify', async () => {
    const sink = await newSink();
    const tenant = newTenant(world.owner);
    const endpoint = endpointAt(`${sink.url}/hook?a=b`, undefined, {
      header: 'X-Key',
      apiKey: 'the-api-key',
    });
    tenant.configure('SubmissionCompleted', [endpoint]);
    const event = tenant.event();
    // No event has a token; should one ever, it goes no further.
    expectMalformedEvents();
    await world.publish({ ...event, data: { ...event.data, token: 'secret' } });

    const [request] = await eventually(() => {
      expect(sink.requests).toHaveLength(1);
      return sink.requests;
    });
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=b' });
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Canvass\/\d+\.\d+\.\d+$/),
      'x-service-event': 'submission_completed',
      'x-service-entity': 'submission',
      'x-service-action': 'updated',
      'x-service-hook-id': event.id,
      'webhook-id': event.id,
      'x-key': 'the-api-key',
      traceparent: expect.stringMatching(`^${event.traceparent!.slice(0, 36)}[0-9a-f]{16}-01$`),
    });
    expect(JSON.parse(request!.body.toString())).toEqual({
      Id: event.id,
      EventName: 'submission_completed',
      Action: 'updated',
      Payload: {
        ...event.data,
        submissionId: event.entityId,
        formId: tenant.formId,
        tenantId: tenant.tenantId,
        revision: '2',
      },
    });
    const { secret } = await api(world, relayUrl, tenant).get(
      `/api/webhooks/endpoints/${endpoint.endpointId}/secret`,
    );
    expect(secret).toMatch(/^whsec_/);
    expect(() => new Webhook(secret).verify(request!.body, request!.headers)).not.toThrow();
    const tampered = Buffer.from(request!.body.toString().replace('IS', 'NO'));
    expect(() => new Webhook(secret).verify(tampered, request!.headers)).toThrow();
  });

  it('retries one endpoint with identical bytes and id, and does not resend to the other', async () => {
    const [good, bad] = [await newSink(), await newSink()];
    bad.respond(() => (bad.requests.length < 3 ? { status: 500, body: 'not now' } : { status: 204 }));
    const tenant = newTenant(world.owner);
    const failing = endpointAt(bad.url);
    tenant.configure('SubmissionCompleted', [endpointAt(good.url), failing]);
    const event = tenant.event();
    await world.publish(event);

    const log = api(world, relayUrl, tenant);
    const { items } = await eventually(async () => {
      const page = await log.get(`/api/webhooks/deliveries?status=delivered&entityId=${event.entityId}`);
      expect(page.items).toHaveLength(2);
      return page;
    });
    expect(good.requests).toHaveLength(1);
    expect(bad.requests).toHaveLength(3);
    expect(new Set(bad.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(bad.requests.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id, event.id]);
    expect(bad.requests[0]!.body).toEqual(good.requests[0]!.body);

    const retried = items.find((item: { endpointId: string }) => item.endpointId === failing.endpointId);
    const detail = await log.get(`/api/webhooks/deliveries/${retried.id}`);
    expect(detail).toMatchObject({
      status: 'delivered',
      attemptCount: 3,
      nextAttemptAt: null,
      lastStatusCode: 204,
    });
    expect(detail.attempts).toEqual([
      expect.objectContaining({ number: 1, outcome: 'http_5xx', statusCode: 500, responseBody: 'not now' }),
      expect.objectContaining({ number: 2, outcome: 'http_5xx' }),
      expect.objectContaining({ number: 3, outcome: 'success', statusCode: 204 }),
    ]);
  });

  it('sends a duplicate event only once', async () => {
    const sink = await newSink();
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    const event = tenant.event();
    await Promise.all([world.publish(event), world.publish(event)]);
    await world.publish(event);
    const last = tenant.event();
    await world.publish(last);
    await eventually(() =>
      expect(sink.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual([event.id, last.id]),
    );
  });

  it('gives up when the schedule is used up, and can be resent', async () => {
    const sink = await newSink();
    sink.respond(() => ({ status: 400 }));
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    await world.publish(tenant.event());
    const log = api(world, relayUrl, tenant);
    const [dead] = await eventually(async () => {
      const { items } = await log.get('/api/webhooks/deliveries?status=dead');
      expect(items).toHaveLength(1);
      return items;
    });
    expect(dead).toMatchObject({ attemptCount: 4, lastOutcome: 'http_4xx', lastStatusCode: 400 });

    sink.respond(() => ({ status: 200 }));
    await log.post(`/api/webhooks/deliveries/${dead.id}/resend`, 202);
    await eventually(async () => {
      const detail = await log.get(`/api/webhooks/deliveries/${dead.id}`);
      expect(detail).toMatchObject({ status: 'delivered', attemptCount: 5 });
    });
  });

  it('has at most five attempts in progress per endpoint, and delivers all', async () => {
    const sink = await newSink();
    let now = 0;
    let most = 0;
    sink.respond(async () => {
      most = Math.max(most, (now += 1));
      // The first five wait for each other: with fewer at a time this would end in the deadline.
      await eventually(() => most >= 5);
      await new Promise((resolve) => setTimeout(resolve, 10));
      now -= 1;
      return { status: 200 };
    });
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    await Promise.all(Array.from({ length: 40 }, () => world.publish(tenant.event())));
    await eventually(() => expect(sink.requests).toHaveLength(40));
    expect(most).toBe(5);
  });
});
