import { idAt, type Queryable } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import fc from 'fast-check';
import { storeSettings } from '../src/endpoints/store-settings';
import { createDeliveryCounts } from '../src/log';
import { readDeliveries } from '../src/log/read-deliveries';
import { resend } from '../src/log/log.sql';
import { createDay, dropDay } from '../src/retention/partitions.sql';
import { api } from './api';
import { endpointAt, newId, newTenant, startHarness, type Harness } from './harness';
import { box } from './lost-relay';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

const dayMs = 86_400_000;
const midnight = Math.floor(Date.now() / dayMs) * dayMs;
/** An id of some days ago. */
const idOf = (daysAgo: number, n: number) =>
  String(BigInt(idAt(new Date(midnight - daysAgo * dayMs))) + BigInt(n));

const counts = () => createDeliveryCounts(world.db, silentLogger);
const ranges = (tenantId: string) =>
  counts().countRanges({ tenantId }, undefined, { size: 3, age: 3_600_000 });
const rangesOf = async (tenantId: string) =>
  (
    await world.db.query<{ deliveries: string }>(
      'select deliveries from delivery_counts where tenant_id = $1 order by from_id',
      [tenantId],
    )
  ).map(({ deliveries }) => Number(deliveries));

const columns = 'tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at';
const values = `$1::bigint, id.id, 1, 1, 'form_updated', 1, now(), now()`;

const addWaiting = (db: Queryable, tenantId: string, ids: readonly string[]) =>
  db.query(
    `insert into waiting (${columns}, due_at) select ${values}, now() + interval '1 day' from unnest($2::bigint[]) as id (id)
     where not exists (select from deliveries d where d.tenant_id = $1 and d.id = id.id) on conflict do nothing`,
    [tenantId, ids],
  );
const addLogged = (db: Queryable, tenantId: string, ids: readonly string[]) =>
  db.query(
    `insert into deliveries (${columns}, status, attempt_count, attempts) select ${values}, 'dead', 1, '{}'
     from unnest($2::bigint[]) as id (id)
     where not exists (select from waiting w where w.tenant_id = $1 and w.id = id.id) on conflict do nothing`,
    [tenantId, ids],
  );

/** Changes the delivery at a place of a table. */
const changes = {
  /** The first attempt of a waiting delivery succeeds. */
  succeed: `with ended as (delete from waiting where tenant_id = $1 and id = $2 returning *)
    insert into deliveries (${columns}, status, attempt_count, attempts)
    select ${columns}, 'delivered', attempts + 1, '{}' from ended
    on conflict (tenant_id, id) do update set status = 'delivered', attempt_count = excluded.attempt_count`,
  /** An attempt fails, and the delivery waits for the next one. */
  fail: `with failed as (update waiting set attempts = attempts + 1 where tenant_id = $1 and id = $2 returning *)
    insert into deliveries (${columns}, status, attempt_count, attempts)
    select ${columns}, 'failed', attempts, '{}' from failed
    on conflict (tenant_id, id) do update set attempt_count = excluded.attempt_count`,
  /** What waits for a disabled endpoint expires. */
  expire: 'delete from waiting where tenant_id = $1 and id = $2',
  /** A row of the log expires. */
  remove: `delete from deliveries d where tenant_id = $1 and id = $2
    and not exists (select from waiting w where w.tenant_id = d.tenant_id and w.id = d.id)`,
};

/** The ids of all deliveries, newest first. */
const idsOf = async (db: Queryable, tenantId: string) =>
  (
    await db.query<{ id: string }>(
      `select id from deliveries where tenant_id = $1
       union select id from waiting where tenant_id = $1 and attempts = 0 order by id desc`,
      [tenantId],
    )
  ).map(({ id }) => id);

/** Compares the total and the starts of all pages with the rows, in one snapshot. */
async function expectCounted(tenantId: string): Promise<number> {
  return world.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    const ids = await idsOf(tx, tenantId);
    expect(await counts().total(tx, { tenantId })).toBe(ids.length);
    for (let offset = 0; offset <= ids.length; offset += 1) {
      const start = await counts().page(tx, { tenantId }, { offset, sortDir: 'desc' });
      expect(start.total).toBe(ids.length);
      const following = ids.filter((id) => start.startId === null || BigInt(id) < BigInt(start.startId));
      expect(following[start.offset]).toBe(ids[offset]);
    }
    return ids.length;
  });
}

describe('counts of deliveries by ranges', () => {
  it('property: equal a count over the rows after any history', async () => {
    const ids = fc.array(fc.record({ daysAgo: fc.integer({ min: 1, max: 3 }), n: fc.nat(30) }), {
      maxLength: 10,
    });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), table: fc.constantFrom('waiting', 'deliveries'), ids }),
      fc.record({
        kind: fc.constant('change' as const),
        change: fc.constantFrom('succeed' as const, 'fail' as const, 'expire' as const, 'remove' as const),
        place: fc.nat(12),
      }),
      fc.record({ kind: fc.constant('count' as const) }),
    );
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const tenantId = newId();
        for (const each of steps) {
          if (each.kind === 'count') await ranges(tenantId);
          else if (each.kind === 'add') {
            // A new delivery has an id above all ranges.
            const hasRanges = (await rangesOf(tenantId)).length > 0;
            const added = each.ids.map(({ daysAgo, n }) =>
              hasRanges ? idAt(new Date(), n) : idOf(daysAgo, n),
            );
            await (each.table === 'waiting' ? addWaiting : addLogged)(world.db, tenantId, added);
          } else {
            const table = each.change === 'remove' ? 'deliveries' : 'waiting';
            const found = await world.db.query<{ id: string }>(
              `select id from ${table} where tenant_id = $1 order by id`,
              [tenantId],
            );
            const chosen = found[each.place % Math.max(1, found.length)];
            if (chosen) await world.db.query(changes[each.change], [tenantId, chosen.id]);
          }
          await expectCounted(tenantId);
        }
        await ranges(tenantId);
        await expectCounted(tenantId);
        counted += (await rangesOf(tenantId)).length;
      }),
      { numRuns: 25 },
    );
    expect(counted).toBeGreaterThan(25);
  });

  it('stay exact while deliveries are removed beside the count', async () => {
    const tenantId = newId();
    const all = Array.from({ length: 60 }, (_, n) => idOf(1, n));
    await addLogged(world.db, tenantId, all);
    let [isRemoving, reads] = [true, 0];
    const removing = (async () => {
      for (const id of all.slice(0, 50))
        await world.db.transaction(async (tx) => {
          await tx.query('delete from deliveries where tenant_id = $1 and id = $2', [tenantId, id]);
          await tx.query('select pg_sleep(0.003)');
        });
    })().finally(() => (isRemoving = false));
    for (; isRemoving; reads += 1) {
      await ranges(tenantId);
      await expectCounted(tenantId);
    }
    await removing;
    expect(reads).toBeGreaterThan(3);
    await ranges(tenantId);
    expect(await expectCounted(tenantId)).toBe(10);
  });

  it('end with days, and are removed with a day that is dropped', async () => {
    const tenantId = newId();
    const day = { table: 'deliveries' as const, name: 'deliveries_dropped' };
    await world.db.query(createDay({ ...day, first: idOf(10, 0), next: idOf(9, 0) }));
    for (const daysAgo of [11, 10, 9])
      await addLogged(
        world.db,
        tenantId,
        Array.from({ length: 5 }, (_, n) => idOf(daysAgo, n * 1_000)),
      );
    await ranges(tenantId);
    expect(await rangesOf(tenantId)).toEqual([3, 2, 3, 2, 3, 2]);
    // A row that expired on its own does not count again with its day.
    await world.db.query(changes.remove, [tenantId, idOf(10, 0)]);
    expect(await expectCounted(tenantId)).toBe(14);
    await world.db.query(dropDay(day));
    expect(await rangesOf(tenantId)).toEqual([3, 2, 3, 2]);
    expect(await expectCounted(tenantId)).toBe(10);
  });

  it('give pages by number and exact totals over HTTP', async () => {
    const relay = await world.relay();
    const tenant = newTenant(world.owner);
    const { tenantId } = tenant;
    await addLogged(
      world.db,
      tenantId,
      Array.from({ length: 20 }, (_, n) => idOf(2 + (n % 3), n)), // a day is counted an hour after its end
    );
    await addWaiting(
      world.db,
      tenantId,
      Array.from({ length: 5 }, (_, n) => idOf(2, 100 + n)),
    );
    await addWaiting(world.db, tenantId, [idAt(new Date(), -1), idAt(new Date())]);
    await ranges(tenantId);
    expect((await rangesOf(tenantId)).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(25);
    const read = (query: string) => api(world, relay.url, tenant).get(`/api/webhooks/deliveries?${query}`);
    const ids = await idsOf(world.db, tenantId);
    expect(ids).toHaveLength(27);
    for (let page = 1; page <= 7; page += 1) {
      const found = await read(`page=${page}&pageSize=4`);
      expect(found.totalRecords).toBe(27);
      expect((found.items as { id: string }[]).map(({ id }) => id)).toEqual(
        ids.slice((page - 1) * 4, page * 4),
      );
    }
    expect(await read('limit=2&total=exact')).toMatchObject({ total: 27, totalIsExact: true });
    expect(await read('pageSize=3&status=dead')).toMatchObject({ totalRecords: 20 });
  });

  it('and lists have a delivery once that was cancelled without an attempt and is sent again', async () => {
    const tenant = newTenant(world.owner);
    const { tenantId } = tenant;
    const endpoints = [endpointAt('http://127.0.0.1:9/')];
    const ref = tenant.configure('SubmissionCompleted', endpoints);
    const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
    await storeSettings(world.db, box, { tenantId, ...ref, events });
    const id = idOf(2, 7);
    await world.db.query(
      `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
       values ($1, 1, 'form_updated', 'form', 'updated', '{}', now())`,
      [tenantId],
    );
    await world.db.query(
      `insert into deliveries (${columns}, status, attempt_count, attempts)
       select $1, $2, 1, id, 'form_updated', 1, now(), now(), 'cancelled', 0, '{}' from endpoints where tenant_id = $1`,
      [tenantId, id],
    );
    await addLogged(world.db, tenantId, [idOf(2, 1), idOf(2, 2)]);
    await ranges(tenantId);
    expect(await expectCounted(tenantId)).toBe(3);
    const [endpoint] = await world.db.query<{ id: string }>('select id from endpoints where tenant_id = $1', [
      tenantId,
    ]);
    expect(await world.db.query(resend({ tenantId, endpointId: endpoint!.id, id }))).toEqual([
      { isRemoved: false, isDisabled: false, isResent: true },
    ]);
    expect(await expectCounted(tenantId)).toBe(3);
    const found = await readDeliveries(
      world.db,
      counts(),
      { tenantId },
      { page: 1, pageSize: 10, byKey: null },
    );
    expect(found.items.map((each) => [each.id, each.status])).toEqual([
      [id, 'pending'],
      [idOf(2, 2), 'dead'],
      [idOf(2, 1), 'dead'],
    ]);
    await world.db.query(changes.succeed, [tenantId, id]);
    expect(await expectCounted(tenantId)).toBe(3);
  });
});
