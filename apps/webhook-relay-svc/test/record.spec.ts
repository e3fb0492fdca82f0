import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@canvass/postgres';
import { behindLock, eventually } from '@canvass/testing';
import { createRecorder } from '../src/pipeline';
import { unreadable } from '../src/pipeline/attempt';
import type { Claimed } from '../src/pipeline/leases';
import { startHarness, type Harness } from './harness';
import { lostRelay, settledTenant } from './lost-relay';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

/** Leased deliveries of one endpoint. */
async function leased(count: number): Promise<Claimed[]> {
  const tenant = await settledTenant(world, 'http://127.0.0.1:1/');
  const { take, claimed } = lostRelay(world.db);
  await Promise.all(Array.from({ length: count }, () => take(tenant.event())));
  expect(claimed).toHaveLength(count);
  return claimed;
}

/** A recorder, and the deliveries of each of its statements. */
function watchedRecorder() {
  const groups: string[][] = [];
  const query: Database['query'] = (sql, values) => {
    if (typeof sql !== 'string') groups.push(sql.values?.find(Array.isArray) as string[]);
    return world.db.query(sql, values);
  };
  return { groups, recorder: createRecorder({ ...world.db, query }, [60]) };
}

describe('results', () => {
  it('that come shortly after each other are recorded by one statement', async () => {
    const { groups, recorder } = watchedRecorder();
    const [first, second] = await leased(2);
    const one = recorder.attempt(first!, unreadable);
    await new Promise(setImmediate); // a statement would begin now
    const other = recorder.attempt(second!, unreadable);
    expect(await Promise.all([one, other])).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(groups.map(({ length }) => length)).toEqual([2]);
  });

  it('of deliveries from the queue do not wait for others', async () => {
    const { groups, recorder } = watchedRecorder();
    const [first, second] = await leased(2);
    const order: string[] = [];
    await Promise.all([
      recorder.attempt(first!, unreadable).then(() => order.push('with its event')),
      recorder.attempt({ ...second!, isFromQueue: true }, unreadable).then(() => order.push('queue')),
    ]);
    expect(order).toEqual(['queue', 'with its event']);
    expect(groups).toHaveLength(2);
  });

  it('do not report an endpoint that another transaction disabled meanwhile', async () => {
    const [delivery] = await leased(1);
    const own = [delivery!.tenantId];
    await behindLock(
      world.db,
      (tx) => tx.query('select from endpoints where tenant_id = $1 for update', own),
      [() => createRecorder(world.db, [60]).attempt(delivery!, unreadable)],
      (tx) => tx.query('update endpoints set disabled_at = now() where tenant_id = $1', own),
    );
    expect(await world.db.query('select event_type from outbox where tenant_id = $1', own)).toEqual([]);
  });

  it('have the times of their attempts, however long they wait', async () => {
    const { recorder } = watchedRecorder();
    const [first, second] = await leased(2);
    const { tenantId, endpointId } = first!;
    const { recorded, releasedAt } = await world.db.transaction(async (tx) => {
      await tx.query('select from endpoints where id = $1 for update', [endpointId]);
      const blocked = recorder.attempt(first!, unreadable);
      await eventually(async () =>
        expect(
          await world.db.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          ),
        ).toHaveLength(1),
      );
      // Behind the statement that waits.
      const behind = recorder.attempt(second!, unreadable);
      await sleep(200);
      const [clock] = await tx.query<{ now: Date }>('select clock_timestamp() as now');
      return { recorded: Promise.all([blocked, behind]), releasedAt: clock!.now.getTime() };
    });
    await recorded;
    const log = await world.db.query<{ started: Date }>(
      'select started_at as started from recent_attempts where tenant_id = $1',
      [tenantId],
    );
    expect(log).toHaveLength(2);
    for (const { started } of log) expect(started.getTime()).toBeLessThan(releasedAt - 100);
  });
});
