import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import { noTracing, silentLogger } from '@canvass/service-kit';
import {
  createDeliverer,
  createMessageBodies,
  createRecorder,
  createSender,
  createSendSlots,
} from '../src/pipeline';
import { lostRelay, settledTenant, type LostRelay } from './lost-relay';
import { startHarness, type Tenant, type Harness } from './harness';

let world: Harness;
let sink: WebhookSink;
beforeAll(async () => {
  world = await startHarness();
  sink = await webhookSink();
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

const leaseSeconds = 30;

/** Returns whether a lease counts from the end of the wait if its statement waits for the endpoint's lock. */
async function countsFromItsEnd({ tenantId }: Tenant, lease: () => Promise<unknown>): Promise<boolean> {
  let leased: Promise<unknown> | undefined;
  const freeAt = await world.db.transaction(async (tx) => {
    await tx.query('select from endpoints where tenant_id = $1 for update', [tenantId]);
    leased = lease();
    await eventually(async () => {
      const [row] = await world.db.query<{ waits: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
      );
      expect(row!.waits).toBe(true);
    });
    const [row] = await tx.query<{ at: string }>('select clock_timestamp()::text as at');
    return row!.at;
  });
  await leased;
  const [row] = await world.db.query<{ lasts: boolean }>(
    `select min(lease_until) >= $2::timestamptz + $3 * interval '1 second' as lasts from waiting where tenant_id = $1`,
    [tenantId, freeAt, leaseSeconds],
  );
  return row!.lasts;
}

describe('the time of a lease', () => {
  it('counts from the moment it is given, however long its statement waited: at fan-out', async () => {
    const tenant = await settledTenant(world, sink.url);
    const { take } = lostRelay(world.db, { seconds: leaseSeconds });
    expect(await countsFromItsEnd(tenant, () => take(tenant.event()))).toBe(true);
  });

  it('counts from the moment it is given, however long its statement waited: in a claim', async () => {
    const tenant = await settledTenant(world, sink.url);
    const full = lostRelay(world.db, { seconds: leaseSeconds, maxInFlight: 1 });
    await full.leases.close();
    const jobs = await full.take(tenant.event());
    expect(jobs).toHaveLength(1);
    const { leases } = lostRelay(world.db, { seconds: leaseSeconds });
    expect(await countsFromItsEnd(tenant, () => leases.byIds(jobs))).toBe(true);
  });
});

/** Sends what a relay has claimed, with this limit for an attempt. */
async function deliver({ leases, claimed }: LostRelay, timeoutMs: number): Promise<void> {
  const sender = createSender({
    policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
    totalTimeoutMs: timeoutMs,
  });
  const nothing = () => undefined;
  const deliverer = createDeliverer({
    db: world.db,
    leases,
    bodies: createMessageBodies(world.db),
    sender,
    slots: createSendSlots(),
    recorder: createRecorder(world.db, [60]),
    health: { note: () => Promise.resolve() },
    metrics: {
      attempted: nothing,
      finished: nothing,
      delivered: nothing,
      breakerOpened: nothing,
      throttled: nothing,
    },
    tracing: noTracing,
    logger: silentLogger,
    timeoutMs,
  });
  deliverer.start(claimed);
  await deliverer.stop(30_000);
  sender.close();
}

describe('a delivery whose lease is about to end', () => {
  const seconds = 20;

  it.each([
    [seconds * 1_000, 'is not sent, but released, if an attempt could outlast the lease', 0],
    [seconds * 500, 'is sent if an attempt ends within the lease', 1],
  ])('with a limit of %d ms for an attempt it %s', async (timeoutMs, _, sent) => {
    const tenant = await settledTenant(world, sink.url);
    const relay = lostRelay(world.db, { seconds });
    await relay.take(tenant.event());
    expect(relay.claimed).toHaveLength(1);
    const before = sink.requests.length;
    await deliver(relay, timeoutMs);
    expect(sink.requests.length - before).toBe(sent);
    expect(await world.leased(tenant.tenantId)).toBe(0);
    const [log] = await world.db.query<{ status: string; attempt_count: number }>(
      'select status, attempt_count from delivery_log where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(log).toEqual(
      sent === 0 ? { status: 'pending', attempt_count: 0 } : { status: 'delivered', attempt_count: 1 },
    );
  });
});
