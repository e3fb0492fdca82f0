import { createSecretBox } from '@canvass/auth';
import { webhookEventOf } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import {
  createClaims,
  createRecorder,
  createTurns,
  makeDue,
  type Claimed,
  type Deliverer,
} from '../src/delivery';
import { unreadable } from '../src/delivery/attempt';
import { storeSettings } from '../src/endpoints/store-settings';
import { createFanOut } from '../src/fan-out';
import { openDatabase } from '../src/open-database';
import { pagesOf } from './pages';
import { createWorld, endpointAt, newTenant, type Tenant, type World } from './world';

const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);
const endpoints = Array.from({ length: 5 }, (_, n) => endpointAt(`http://127.0.0.1:9/${n}`));
const former = 4_000;
/**
 * Pages that one statement about five endpoints may look at; reading the tables whole for each row takes a
 * hundred times as many.
 */
const fewPages = 3_000;

let world: World;
let db: Database;
let tenant: Tenant;
beforeAll(async () => {
  world = await createWorld();
  tenant = newTenant(world.owner);
  const ref = tenant.configure('SubmissionCompleted', endpoints);
  const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
  await storeSettings(world.db, box, { tenantId: tenant.tenantId, ...ref, events });
  await world.db.query(
    'alter table leases set (autovacuum_enabled = false); alter table deliveries_default set (autovacuum_enabled = false)',
  );
  await world.db.query('analyze');
  db = openDatabase({ Url: world.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await world.close();
});

/** Of leases and deliveries. */
const pagesFor = (work: () => Promise<unknown>) => pagesOf(db, '^(leases|deliveries)', work);

it('plans from the time when the tables were empty do not scan whole tables later', async () => {
  const claimed: Claimed[] = [];
  const claims = createClaims(db, box, 45, createTurns(250));
  const deliverer = {
    deliverNew: async (claim: (room: number) => Promise<Claimed[]>) => void claimed.push(...(await claim(2))),
  } as Deliverer;
  const take = createFanOut({ db, claims, deliverer, sendHere: true, sweepAfterSeconds: 60 });
  const recorder = createRecorder(db, [60]);
  const send = () => {
    const event = tenant.event();
    return take({ envelope: event, kind: webhookEventOf(event.type)!, settings: event.settings! });
  };
  const pages: Record<string, number> = {};
  async function round(): Promise<void> {
    claimed.length = 0;
    let left: string[] = [];
    pages['event'] = await pagesFor(async () => (left = await send()));
    let byId: Claimed[] = [];
    pages['job'] = await pagesFor(async () => (byId = await claims.byIds(left.slice(0, 1))));
    pages['parked'] = await pagesFor(() => db.query(makeDue, [left.slice(1)]));
    let due: Claimed[] = [];
    pages['sweep'] = await pagesFor(async () => (due = await claims.due(100)));
    const all = [...claimed, ...byId, ...due];
    expect(all).toHaveLength(endpoints.length);
    pages['results'] = await pagesFor(() =>
      Promise.all(all.map((delivery) => recorder.attempt(delivery, unreadable))),
    );
  }
  // More than five times: from then on a session keeps one plan for all values. The first sweeps find nothing
  // at all.
  for (let sweeps = 0; sweeps < 8; sweeps += 1) expect(await claims.due(100)).toEqual([]);
  for (let rounds = 0; rounds < 8; rounds += 1) await round();
  await world.db.query(
    `insert into deliveries (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, status)
     select $1, n, $2, 'submission_completed', n, now(), 'delivered' from generate_series(1, $3::integer) n`,
    [tenant.tenantId, endpoints[0]!.endpointId, former],
  );
  await world.db.query(
    `insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until, leased_second)
     select $1, $2, 1 + n % 5, n, gen_random_uuid(), now() - n * interval '2 seconds' - interval '1 minute',
            extract(epoch from now()) - n * 2 - 90
     from generate_series(1, $3::integer) n`,
    [tenant.tenantId, endpoints[0]!.endpointId, former],
  );
  await world.db.query('delete from leases');
  await round();
  for (const [what, number] of Object.entries(pages)) expect([what, number < fewPages]).toEqual([what, true]);
});
