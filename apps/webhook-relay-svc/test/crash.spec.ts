import type { Database } from '@canvass/postgres';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import { createRecorder, createSender } from '../src/pipeline';
import { releaseLease } from '../src/pipeline/claim.sql';
import { attempt, unreadable } from '../src/pipeline/attempt';
import type { Attempt, Recorder } from '../src/pipeline/record';
import type { Claimed } from '../src/pipeline/leases';
import { lostRelay, settledTenant } from './lost-relay';
import { startHarness, type Tenant, type Harness } from './harness';

let world: Harness;
let sink: WebhookSink;

beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
});
afterEach(() => sink.close());

const statusesOf = async ({ tenantId }: Tenant) =>
  (
    await world.db.query<{ status: string }>(`select status from delivery_log where tenant_id = $1`, [
      tenantId,
    ])
  ).map(({ status }) => status);
const leasesOf = ({ tenantId }: Tenant) => world.leased(tenantId);
/** Returns where it goes, with its body. */
function sendable({ target, body }: Claimed) {
  if (typeof target === 'string' || body === null) throw new Error('it cannot be sent');
  return { target, stored: body };
}

const hookIds = () => sink.requests.map(({ headers }) => headers['webhook-id']).sort();

describe('a relay that is killed', () => {
  it('after the commit and before the send: the lease expires, and another replica sends once', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db, { seconds: 1 });
    const events = [tenant.event(), tenant.event(), tenant.event()];
    await Promise.all(events.map((event) => take(event)));
    expect(claimed).toHaveLength(3);
    expect(await leasesOf(tenant)).toBe(3);
    // Not acked, so RabbitMQ hands them to the next one too.
    const relay = await world.relay();
    await Promise.all(events.map((event) => world.publish(event)));
    await eventually(async () => expect(await statusesOf(tenant)).toEqual(Array(3).fill('delivered')));
    expect(hookIds()).toEqual(events.map(({ id }) => id).sort());
    await relay.stop();
  });

  it('after the send and before the result is written: the delivery is sent again, with the same bytes and id', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db, { seconds: 1 });
    await take(tenant.event());
    const sender = createSender({
      policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
      totalTimeoutMs: 5_000,
    });
    const [delivery] = claimed;
    const made = await attempt(sender, delivery!, sendable(delivery!), new AbortController().signal);
    expect(made.result.outcome).toBe('success');
    sender.close();

    const relay = await world.relay();
    await eventually(async () => expect(await statusesOf(tenant)).toEqual(['delivered']));
    expect(sink.requests).toHaveLength(2);
    expect(sink.requests[1]!.body).toEqual(sink.requests[0]!.body);
    expect(new Set(hookIds()).size).toBe(1);
    // It was only frozen: its result comes after all, and counts for nothing.
    const late = await createRecorder(world.db, [60]).attempt(delivery!, made);
    expect(late.endToEndSeconds).toBeNull();
    await relay.stop();
  });
});

it('leases are released at once if their statement was committed but its result was lost', async () => {
  const tenant = await settledTenant(world, sink.url);
  let answerLost = true;
  const query: Database['query'] = async (sql, values) => {
    const rows = await world.db.query(sql, values);
    if (answerLost) throw new Error('Connection terminated unexpectedly');
    return rows;
  };
  const { take, leases, claimed } = lostRelay({ ...world.db, query });
  const event = tenant.event();
  await expect(take(event)).rejects.toThrow('Connection terminated');
  expect(await leasesOf(tenant)).toBe(1);

  answerLost = false;
  expect(await take(event)).toEqual([]); // handed over again: it is there already
  expect(await leases.releaseLost()).toBe(1);
  expect(await leases.releaseLost()).toBe(0);
  expect(claimed).toEqual([]);
  expect(await leases.due()).toEqual([expect.objectContaining({ tenantId: tenant.tenantId })]);
});

describe('events in one group commit', () => {
  it('start up to the slots of their endpoint; the others are reported', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db, { seconds: 1 });
    const made = await Promise.all(Array.from({ length: 12 }, () => take(tenant.event())));
    expect(claimed).toHaveLength(5);
    const rest = made.flat();
    expect(rest).toHaveLength(7);
    expect(claimed.map(({ id }) => id).some((id) => rest.some(({ deliveryId }) => deliveryId === id))).toBe(
      false,
    );
  });

  it('start nothing without a free slot', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db, { maxInFlight: 0 });
    expect((await Promise.all([take(tenant.event()), take(tenant.event())])).flat()).toHaveLength(2);
    expect(claimed).toEqual([]);
    expect(await leasesOf(tenant)).toBe(0);
  });

  it('create one delivery for a duplicate event', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db, { seconds: 1 });
    const event = tenant.event();
    await Promise.all([take(event), take(event), take(tenant.event())]);
    expect(claimed).toHaveLength(2);
    expect(await statusesOf(tenant)).toHaveLength(2);
  });

  it('are not affected by an event that cannot be written', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db, { seconds: 1 });
    const bad = tenant.event({ entityId: '9999999999999999999' });
    const results = await Promise.allSettled(
      [tenant.event(), bad, tenant.event()].map((event) => take(event)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(claimed).toHaveLength(2);
  });
});

const release = ({ tenantId, endpointId, id, lease }: Claimed) =>
  world.db.query(releaseLease({ tenantId, endpointId, id, lease }));

it.each([
  ['recorded', (recorder: Recorder, delivery: Claimed) => recorder.attempt(delivery, unreadable)],
  ['cancelled', (recorder: Recorder, delivery: Claimed) => recorder.cancelled(delivery)],
  ['given back', (_recorder: Recorder, delivery: Claimed) => release(delivery)],
])(
  'a delivery is %s after the claim that holds its endpoint, with what the claim left',
  async (_what, end) => {
    const tenant = await settledTenant(world, sink.url);
    const { take, claimed } = lostRelay(world.db);
    await take(tenant.event());
    const [delivery] = claimed;
    let ended: Promise<unknown> | undefined;
    await world.db.transaction(async (claim) => {
      await claim.query('select from endpoints where id = $1 for no key update', [delivery!.endpointId]);
      ended = end(createRecorder(world.db, [60]), delivery!);
      await eventually(async () => {
        const waiting = await world.db.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(waiting.length).toBeGreaterThan(0);
      });
      await claim.query(`update endpoints set in_flight = in_flight + 1 where id = $1`, [
        delivery!.endpointId,
      ]);
    });
    await ended;
    expect(await leasesOf(tenant)).toBe(0);
    expect(
      await world.db.query('select in_flight from endpoints where id = $1', [delivery!.endpointId]),
    ).toEqual([{ in_flight: 1 }]);
    await world.db.query('delete from waiting where tenant_id = $1', [tenant.tenantId]);
  },
);

it('results in one group commit leave their endpoint in the state of the last result', async () => {
  const tenant = await settledTenant(world, sink.url);
  const { take, claimed } = lostRelay(world.db);
  await Promise.all(Array.from({ length: 4 }, () => take(tenant.event())));
  const sender = createSender({
    policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
    totalTimeoutMs: 5_000,
  });
  const made = async (status: number, delivery: Claimed) => {
    sink.respond(() => ({ status }));
    return attempt(sender, delivery, sendable(delivery), new AbortController().signal);
  };
  const recorder = createRecorder(world.db, [60]);
  const statuses = [500, 200, 200, 503];
  const attempts: Attempt[] = [];
  for (const [n, delivery] of claimed.entries()) attempts.push(await made(statuses[n]!, delivery));
  const recorded = await Promise.all(claimed.map((delivery, n) => recorder.attempt(delivery, attempts[n]!)));
  expect(recorded.map(({ status }) => status)).toEqual(['failed', 'delivered', 'delivered', 'failed']);
  expect(recorded.every(({ endToEndSeconds }) => endToEndSeconds !== null)).toBe(true);
  const failing = `select failing_since is not null as failing from endpoints where tenant_id = $1`;
  expect(await world.db.query(failing, [tenant.tenantId])).toEqual([{ failing: true }]);
  expect(await leasesOf(tenant)).toBe(0);
  sender.close();
});
