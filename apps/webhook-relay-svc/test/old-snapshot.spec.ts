import { createDatabase, type Database } from '@canvass/postgres';
import { createRecorder } from '../src/pipeline';
import { unreadable } from '../src/pipeline/attempt';
import type { Claimed } from '../src/pipeline/leases';
import { storeSettings } from '../src/endpoints/store-settings';
import { openDatabase } from '../src/open-database';
import { box, lostRelay } from './lost-relay';
import { pagesOf } from './pages';
import { startHarness, endpointAt, newTenant, type Tenant, type Harness } from './harness';

const endpoints = Array.from({ length: 10 }, (_, n) => endpointAt(`http://127.0.0.1:9/${n}`));
const former = 30_000;
/**
 * Pages that one statement about ten endpoints may read; walks over deleted entries read tens of thousands.
 */
const fewPages = 3_000;

/**
 * Any old transaction of the server keeps the entries of all leases and retries since. Counted are pages,
 * by a session of its own; a wrong plan does not show in the time on an idle machine.
 */
describe('beside a long-running transaction', () => {
  let world: Harness;
  let old: Database;
  let db: Database;
  let tenant: Tenant;
  let release: () => void;
  let held: Promise<unknown>;

  beforeAll(async () => {
    world = await startHarness();
    tenant = newTenant(world.owner);
    const ref = tenant.configure('SubmissionCompleted', endpoints);
    const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
    await storeSettings(world.db, box, { tenantId: tenant.tenantId, ...ref, events });
    await world.db.query(`alter table waiting set (autovacuum_enabled = false)`);
    old = createDatabase({ Url: world.database.url, PoolMax: 1, IdleInTransactionTimeoutMs: 0 });
    const until = new Promise<void>((resolve) => (release = resolve));
    await new Promise<void>((begun) => {
      held = old.transaction(async (tx) => {
        await tx.query('set transaction isolation level repeatable read');
        await tx.query('select 1 from waiting limit 1');
        begun();
        await until;
      });
    });
    // As twenty minutes of deliveries leave them: each was leased, failed, waited, and was leased again.
    const made = (lease: string) => `
      insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, occurred_at, due_at, lease, lease_until)
      select e.tenant_id, e.id, n, 'submission_completed', 1, now(), now() - n * interval '400 milliseconds' - interval '1 minute',
             ${lease}
      from endpoints e, generate_series(1, $2::integer / 10) n where e.tenant_id = $1`;
    for (const lease of [
      'null, null',
      `gen_random_uuid(), now() - n * interval '400 milliseconds' - interval '1 minute'`,
    ])
      await world.db.query(made(lease), [tenant.tenantId, former]);
    await world.db.query('delete from waiting');
    // The endpoints were ready and not ready in turn.
    await world.db.query(
      `do $$ begin for n in 1..500 loop
         update endpoints set first_due = now() - interval '1 minute'; update endpoints set first_due = null;
       end loop; end $$`,
    );
    await world.db.query('analyze waiting, deliveries, endpoints');
    db = openDatabase({ Url: world.database.url, PoolMax: 1 });
  });
  afterAll(async () => {
    release();
    await held;
    await Promise.all([old.close(), db.close()]);
    await world.close();
  });

  const pagesFor = (work: () => Promise<unknown>) => pagesOf(db, '^waiting$', work);

  it('events, claims and results read the deliveries that wait, not those that waited', async () => {
    const { leases, claimed, take } = lostRelay(db, { maxInFlight: 20 });
    const recorder = createRecorder(db, []);
    await leases.releaseLost(); // finds out where the indexes begin
    // More than five times: from then on a session keeps one plan for all values.
    for (let round = 1; round <= 8; round += 1) {
      claimed.length = 0;
      await world.db.query(`update endpoints set slots = 1 where tenant_id = $1`, [tenant.tenantId]);
      expect(await pagesFor(() => Promise.all([take(tenant.event()), take(tenant.event())]))).toBeLessThan(
        fewPages,
      );
      expect(claimed).toHaveLength(10);
      await world.db.query(`update endpoints set slots = 2 where tenant_id = $1`, [tenant.tenantId]);
      claimed.forEach(leases.end);
      let due: Claimed[] = [];
      expect(await pagesFor(async () => (due = await leases.due()))).toBeLessThan(fewPages);
      expect(due).toHaveLength(10);
      expect(await pagesFor(() => leases.releaseLost())).toBeLessThan(fewPages);
      const all = [...claimed, ...due];
      const record = () => Promise.all(all.map((delivery) => recorder.attempt(delivery, unreadable)));
      expect(await pagesFor(record)).toBeLessThan(fewPages);
      due.forEach(leases.end);
      expect(await db.query('select from waiting')).toEqual([]);
      if (round === 4) await world.db.query('analyze waiting, deliveries');
    }
  });
});
