import { createSecretBox } from '@canvass/auth';
import { webhookEventOf } from '@canvass/contracts';
import { createDatabase, type Database } from '@canvass/postgres';
import { createClaims, createRecorder, createTurns, type Claimed, type Deliverer } from '../src/delivery';
import { unreadable } from '../src/delivery/attempt';
import { storeSettings } from '../src/endpoints/store-settings';
import { createFanOut } from '../src/fan-out';
import { pagesOf } from './pages';
import { createWorld, endpointAt, newTenant, type Tenant, type World } from './world';

const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);
const endpoints = Array.from({ length: 10 }, (_, n) => endpointAt(`http://127.0.0.1:9/${n}`));
const former = 30_000;
/**
 * Maximum pages of leases and their indexes for a statement on ten endpoints; with deleted rows it would be
 * tens of thousands.
 */
const fewPages = 3_000;

/**
 * Any old transaction of the server keeps the entries of all leases there ever were since. Counted are pages,
 * by a session of its own; a wrong plan is not seen in the time on an idle machine.
 */
describe('beside a long-running transaction', () => {
  let world: World;
  let old: Database;
  let db: Database;
  let tenant: Tenant;
  let release: () => void;
  let held: Promise<unknown>;

  beforeAll(async () => {
    world = await createWorld();
    tenant = newTenant(world.owner);
    const ref = tenant.configure('SubmissionCompleted', endpoints);
    const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
    await storeSettings(world.db, box, { tenantId: tenant.tenantId, ...ref, events });
    await world.db.query(`alter table leases set (autovacuum_enabled = false)`);
    old = createDatabase({ Url: world.database.url, PoolMax: 1, IdleInTransactionTimeoutMs: 0 });
    const until = new Promise<void>((resolve) => (release = resolve));
    await new Promise<void>((begun) => {
      held = old.transaction(async (tx) => {
        await tx.query('set transaction isolation level repeatable read');
        await tx.query('select 1 from leases limit 1');
        begun();
        await until;
      });
    });
    // As twenty minutes of deliveries leave them.
    await world.db.query(
      `insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until, leased_second)
       select e.tenant_id, e.id, 1 + n % 5, e.id + n, gen_random_uuid(), now() - n * interval '2 seconds' - interval '1 minute',
              extract(epoch from now()) - n * 2 - 90
       from endpoints e, generate_series(1, $2::integer / 10) n where e.tenant_id = $1`,
      [tenant.tenantId, former],
    );
    await world.db.query('delete from leases');
    await world.db.query('analyze leases, deliveries, endpoints');
    db = createDatabase({ Url: world.database.url, PoolMax: 1 });
  });
  afterAll(async () => {
    release();
    await held;
    await Promise.all([old.close(), db.close()]);
    await world.close();
  });

  const pagesFor = (work: () => Promise<unknown>) => pagesOf(db, '^leases$', work);

  it('events, claims and results read the current leases, not the deleted ones', async () => {
    const claimed: Claimed[] = [];
    const claims = createClaims(db, box, 45, createTurns(250));
    const deliverer = {
      deliverNew: async (claim: (room: number) => Promise<Claimed[]>) =>
        void claimed.push(...(await claim(4))),
    } as Deliverer;
    const take = createFanOut({ db, claims, deliverer, sendHere: true, sweepAfterSeconds: 0 });
    const recorder = createRecorder(db, [60]);
    const send = () => {
      const event = tenant.event();
      return take({ envelope: event, kind: webhookEventOf(event.type)!, settings: event.settings! });
    };
    // More than five times: from then on a session keeps one plan for all values.
    for (let round = 1; round <= 8; round += 1) {
      claimed.length = 0;
      expect(await pagesFor(send)).toBeLessThan(fewPages);
      expect(claimed).toHaveLength(4);
      let due: Claimed[] = [];
      expect(await pagesFor(async () => (due = await claims.due(100)))).toBeLessThan(fewPages);
      expect(due).toHaveLength(6);
      const all = [...claimed, ...due];
      const record = () => Promise.all(all.map((delivery) => recorder.attempt(delivery, unreadable)));
      expect(await pagesFor(record)).toBeLessThan(fewPages);
      expect(await db.query('select from leases')).toEqual([]);
      if (round === 4) await world.db.query('analyze leases, deliveries');
    }
  });
});
