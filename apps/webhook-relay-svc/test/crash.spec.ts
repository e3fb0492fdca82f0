import { createSecretBox } from '@canvass/auth';
import { webhookEventOf, type EventEnvelope } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import {
  createClaims,
  createRecorder,
  createSender,
  createTurns,
  type Claimed,
  type Deliverer,
} from '../src/delivery';
import { attempt, unreadable } from '../src/delivery/attempt';
import type { Attempt, Recorder } from '../src/delivery/record';
import { storeSettings } from '../src/endpoints/store-settings';
import { createFanOut } from '../src/fan-out';
import { createWorld, endpointAt, newTenant, type Tenant, type World } from './world';

const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);
let world: World;
let sink: WebhookSink;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
});
afterEach(() => sink.close());

/** A sending process up to the moment it dies: it commits what it claims and does nothing with it. */
function dying({ db = world.db, leaseSeconds = 1, room = 100 } = {}) {
  const claimed: Claimed[] = [];
  const claims = createClaims(db, box, leaseSeconds, createTurns(250));
  const deliverer = {
    async deliverNew(claim: (room: number) => Promise<Claimed[]>) {
      claimed.push(...(await claim(room)));
    },
  } as Deliverer;
  const fanOut = createFanOut({ db, claims, deliverer, sendHere: true, sweepAfterSeconds: 0 });
  const take = (envelope: EventEnvelope) =>
    fanOut({ envelope, kind: webhookEventOf(envelope.type)!, settings: envelope.settings! });
  return { claims, claimed, take };
}

/** A tenant with one endpoint, whose settings are in the tables already. */
async function settledTenant(url = sink.url): Promise<Tenant> {
  const tenant = newTenant(world.owner);
  const endpoints = [endpointAt(url)];
  const ref = tenant.configure('SubmissionCompleted', endpoints);
  const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
  await storeSettings(world.db, box, { tenantId: tenant.tenantId, ...ref, events });
  return tenant;
}

const statusesOf = async ({ tenantId }: Tenant) =>
  (
    await world.db.query<{ status: string }>(`select status from deliveries where tenant_id = $1`, [tenantId])
  ).map(({ status }) => status);
const leasesOf = ({ tenantId }: Tenant) =>
  world.db.query('select from leases where tenant_id = $1', [tenantId]);
const hookIds = () => sink.requests.map(({ headers }) => headers['webhook-id']).sort();

describe('a relay that is killed', () => {
  it('after the commit and before the send: the lease expires, and another replica sends once', async () => {
    const tenant = await settledTenant();
    const { take, claimed } = dying();
    const events = [tenant.event(), tenant.event(), tenant.event()];
    await Promise.all(events.map(take));
    expect(claimed).toHaveLength(3);
    expect(await leasesOf(tenant)).toHaveLength(3);
    // Not acked, so RabbitMQ hands them to the next one too.
    const relay = await world.relay();
    await Promise.all(events.map((event) => world.publish(event)));
    await eventually(async () => expect(await statusesOf(tenant)).toEqual(Array(3).fill('delivered')));
    expect(hookIds()).toEqual(events.map(({ id }) => id).sort());
    await relay.stop();
  });

  it('after the send and before the result is written: the delivery is sent again, with the same bytes and id', async () => {
    const tenant = await settledTenant();
    const { take, claimed } = dying();
    await take(tenant.event());
    const sender = createSender({ policy: createAddressPolicy(['127.0.0.0/8']), totalTimeoutMs: 5_000 });
    const [delivery] = claimed;
    if (typeof delivery!.target === 'string') throw new Error('it has no target');
    const made = await attempt(sender, delivery!, delivery!.target, new AbortController().signal);
    expect(made.result.outcome).toBe('success');
    await sender.close();

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
  const tenant = await settledTenant();
  let answerLost = true;
  const query: Database['query'] = async (sql, values) => {
    const rows = await world.db.query(sql, values);
    if (answerLost) throw new Error('Connection terminated unexpectedly');
    return rows;
  };
  const { take, claims, claimed } = dying({ db: { ...world.db, query }, leaseSeconds: 45 });
  const event = tenant.event();
  await expect(take(event)).rejects.toThrow('Connection terminated');
  expect(await leasesOf(tenant)).toHaveLength(1);

  answerLost = false;
  expect(await take(event)).toEqual([]); // handed over again: it is there already
  expect(await claims.freeLost()).toBe(1);
  expect(await claims.freeLost()).toBe(0);
  expect(claimed).toEqual([]);
  expect(await claims.due(10)).toEqual([expect.objectContaining({ tenantId: tenant.tenantId })]);
  await world.db.query('delete from deliveries where tenant_id = $1', [tenant.tenantId]);
  await world.db.query('delete from leases where tenant_id = $1', [tenant.tenantId]);
});

describe('events in one group commit', () => {
  it('start up to the slots of their endpoint; the others are reported', async () => {
    const tenant = await settledTenant();
    const { take, claimed } = dying();
    const made = await Promise.all(Array.from({ length: 12 }, () => take(tenant.event())));
    expect(claimed).toHaveLength(5);
    const rest = made.flat();
    expect(rest).toHaveLength(7);
    expect(claimed.map(({ id }) => id).some((id) => rest.includes(id))).toBe(false);
  });

  it('start nothing without a free slot', async () => {
    const tenant = await settledTenant();
    const { take, claimed } = dying({ room: 0 });
    expect((await Promise.all([take(tenant.event()), take(tenant.event())])).flat()).toHaveLength(2);
    expect(claimed).toEqual([]);
    expect(await leasesOf(tenant)).toEqual([]);
  });

  it('create one delivery for a duplicate event', async () => {
    const tenant = await settledTenant();
    const { take, claimed } = dying();
    const event = tenant.event();
    await Promise.all([take(event), take(event), take(tenant.event())]);
    expect(claimed).toHaveLength(2);
    expect(await statusesOf(tenant)).toHaveLength(2);
  });

  it('are not affected by an event that cannot be written', async () => {
    const tenant = await settledTenant();
    const { take, claimed } = dying();
    const bad = tenant.event({ entityId: '9999999999999999999' });
    const results = await Promise.allSettled([tenant.event(), bad, tenant.event()].map(take));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(claimed).toHaveLength(2);
  });
});

it.each([
  ['recorded', (recorder: Recorder, delivery: Claimed) => recorder.attempt(delivery, unreadable)],
  ['cancelled', (recorder: Recorder, delivery: Claimed) => recorder.cancelled(delivery)],
  ['given back', (recorder: Recorder, delivery: Claimed) => recorder.release(delivery)],
])('a delivery is %s without a deadlock with a claim that saw it before its lease', async (_what, end) => {
  const tenant = await settledTenant();
  const { take, claimed } = dying({ leaseSeconds: 45 });
  await take(tenant.event());
  const [delivery] = claimed;
  const recorder = createRecorder(world.db, [60]);
  let ended: Promise<unknown> | undefined;
  await world.db.transaction(async (claim) => {
    await claim.query('select from deliveries where id = $1 for no key update', [delivery!.id]);
    ended = end(recorder, delivery!);
    await eventually(async () => {
      const waiting = await world.db.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    const leased = await claim.query(
      `insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until)
       values ($1, $2, 77, $3, gen_random_uuid(), now()) on conflict do nothing returning slot`,
      [tenant.tenantId, delivery!.endpointId, delivery!.id],
    );
    expect(leased).toEqual([]);
  });
  await ended;
  expect(await leasesOf(tenant)).toEqual([]);
  await world.db.query('delete from deliveries where tenant_id = $1', [tenant.tenantId]);
});

it('results in one group commit leave their endpoint in the state of the last result', async () => {
  const tenant = await settledTenant();
  const { take, claimed } = dying({ leaseSeconds: 45 });
  await Promise.all(Array.from({ length: 4 }, () => take(tenant.event())));
  const sender = createSender({ policy: createAddressPolicy(['127.0.0.0/8']), totalTimeoutMs: 5_000 });
  const made = async (status: number, delivery: Claimed) => {
    sink.respond(() => ({ status }));
    if (typeof delivery.target === 'string') throw new Error('it has no target');
    return attempt(sender, delivery, delivery.target, new AbortController().signal);
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
  expect(await leasesOf(tenant)).toEqual([]);
  await sender.close();
});
