import type { Database } from '@canvass/postgres';
import { createRecorder } from '../src/pipeline';
import { unreadable } from '../src/pipeline/attempt';
import type { Claimed } from '../src/pipeline/leases';
import { storeSettings } from '../src/endpoints/store-settings';
import { openDatabase } from '../src/open-database';
import { box, lostRelay } from './lost-relay';
import { pagesOf } from './pages';
import { startHarness, endpointAt, newTenant, type Tenant, type Harness } from './harness';

const endpoints = Array.from({ length: 5 }, (_, n) => endpointAt(`http://127.0.0.1:9/${n}`));
const former = 20_000;
/**
 * Pages that one statement about five endpoints may read; a walk of the tables for each row reads a hundred
 * times as many.
 */
const fewPages = 3_000;

let world: Harness;
let db: Database;
let tenant: Tenant;
beforeAll(async () => {
  world = await startHarness();
  tenant = newTenant(world.owner);
  const ref = tenant.configure('SubmissionCompleted', endpoints);
  const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
  await storeSettings(world.db, box, { tenantId: tenant.tenantId, ...ref, events });
  await world.db.query(
    'alter table waiting set (autovacuum_enabled = false); alter table deliveries_default set (autovacuum_enabled = false)',
  );
  await world.db.query('analyze');
  db = openDatabase({ Url: world.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await world.close();
});

const pagesFor = (work: () => Promise<unknown>) =>
  pagesOf(db, '^(waiting|deliveries|messages|endpoints)', work);

/** Returns whether the session runs statements with a plan for all values, instead of one for each call. */
const keepsPlan = async (...names: string[]) => {
  const rows = await db.query<{ keeps: boolean }>(
    'select generic_plans > 0 as keeps from pg_prepared_statements where name = any ($1)',
    [names],
  );
  return rows.map(({ keeps }) => keeps);
};

it('plans from the time when the tables were empty do not scan whole tables later', async () => {
  const { leases, claimed, take } = lostRelay(db, { maxInFlight: 4 });
  const recorder = createRecorder(db, [60]);
  const pages: Record<string, number> = {};
  async function round(): Promise<void> {
    claimed.length = 0;
    pages['event'] = await pagesFor(() => take(tenant.event()));
    expect(claimed).toHaveLength(2); // the share of its tenant
    const first = claimed.splice(0);
    pages['results'] = await pagesFor(() =>
      Promise.all(first.map((delivery) => recorder.attempt(delivery, unreadable))),
    );
    first.forEach(leases.end);
    const { rows } = { rows: await left() };
    let byId: Claimed[] = [];
    pages['job'] = await pagesFor(async () => (byId = await leases.byIds(rows.slice(0, 1))));
    expect(byId).toHaveLength(1);
    let due: Claimed[] = [];
    pages['sweep'] = await pagesFor(async () => (due = await leases.due()));
    expect(due).toHaveLength(1);
    pages['lost'] = await pagesFor(() => leases.releaseLost());
    for (const delivery of [...byId, ...due]) {
      await recorder.attempt(delivery, unreadable);
      leases.end(delivery);
    }
    await Promise.all((await leases.due()).map((delivery) => end(delivery)));
  }
  const end = async (delivery: Claimed) => {
    await recorder.attempt(delivery, unreadable);
    leases.end(delivery);
  };
  const left = () =>
    world.db.query<{ tenantId: string; endpointId: string; deliveryId: string }>(
      `select tenant_id as "tenantId", endpoint_id as "endpointId", id as "deliveryId" from waiting
       where lease is null and attempts = 0 order by id`,
    );
  // More than five times: from then on a session keeps one plan for all values. The first sweeps find
  // nothing at all.
  for (let sweeps = 0; sweeps < 8; sweeps += 1) expect(await leases.due()).toEqual([]);
  for (let rounds = 0; rounds < 8; rounds += 1) await round();
  await world.db.query(
    `insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, status,
                             attempt_count, attempts)
     select $1, n, n, $2, 'submission_completed', n, now(), now(), 'delivered', 1, '{}' from generate_series(1, $3::integer) n`,
    [tenant.tenantId, endpoints[0]!.endpointId, former],
  );
  await world.db.query(
    `insert into waiting (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at, attempts,
                          schedule_step)
     select $1, n, n, $2, 'submission_completed', n, now(), now() + interval '1 hour', 1, 1
     from generate_series(1, $3::integer) n`,
    [tenant.tenantId, endpoints[0]!.endpointId, former],
  );
  await round();
  expect(await keepsPlan('fan_out_messages', 'record_results')).toEqual([true, true]);
  for (const [what, number] of Object.entries(pages)) expect([what, number < fewPages]).toEqual([what, true]);
});
