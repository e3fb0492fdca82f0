import { eventually, expectMalformedEvents, webhookSink } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
}, 180_000);
afterAll(() => world.close());

/** A text that neither `text` of Postgres nor UTF-8 can hold, and JSON can. */
const odd = 'before \u0000 \ud800 \udc00\ud800 after 😀';

it.each([false, true])(
  'sends text with a lone surrogate or U+0000 as it is in the event, the same on a retry (jobs: %s)',
  async (deliverToJobQueue) => {
    expectMalformedEvents();
    const service = await world.relay({ deliverToJobQueue });
    const sink = await webhookSink();
    sink.respond(() => ({
      status: sink.requests.length === 1 ? 503 : 200,
      body: Buffer.from([0x6e, 0x6f, 0x00, 0xff, 0xed, 0xa0, 0x80]),
    }));
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url, newId())]);
    const event = tenant.event();
    const data = { ...event.data, jsonData: JSON.stringify({ odd }), metadata: odd, [odd]: odd };
    await world.publish({ ...event, data });

    await eventually(() => expect(sink.requests).toHaveLength(2));
    const [first, second] = sink.requests;
    expect(second!.body.equals(first!.body)).toBe(true);
    const { Payload: payload } = JSON.parse(first!.body.toString('utf8')) as {
      Payload: Record<string, string>;
    };
    expect(payload).toMatchObject({ metadata: odd, [odd]: odd });
    expect(JSON.parse(payload['jsonData']!)).toEqual({ odd });

    // What the receiver said is no better, and is logged.
    const log = api(world, service.url, tenant);
    const delivery = await eventually(async () => {
      const { items } = await log.get('/api/webhooks/deliveries?status=delivered');
      expect(items).toHaveLength(1);
      return log.get(`/api/webhooks/deliveries/${items[0].id}`);
    });
    expect(
      delivery.attempts.map(({ responseBody }: { responseBody: string }) => responseBody.slice(0, 3)),
    ).toEqual(['no\u0000', 'no\u0000']);
    await sink.close();
    await service.stop('test over');
  },
);
