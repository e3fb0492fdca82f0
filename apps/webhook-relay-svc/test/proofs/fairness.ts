import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase } from '@canvass/postgres';
import { eventually, prove, type Claim } from '@canvass/testing';
import { startHarness, type Harness } from '../harness';
import { startRelay } from './relays';

const perEndpoint = 1_000;
const endpointsOfTenant = 10;
/** Deliveries of an endpoint on average in the window. */
const measured = 20;
const minIndex = 0.95;

/** Jain's fairness index: 1 if all values are equal, 1/n if one has everything. */
const jain = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) ** 2 /
  (values.length * values.reduce((sum, value) => sum + value * value, 0));

/** Due deliveries of endpoints with unequal backlogs, of tenants with unequal backlogs, 70 to 1 at most. */
async function addBacklog(world: Harness, endpoints: number, deliveries: number, url: string): Promise<void> {
  const db = createDatabase({ Url: world.database.url, PoolMax: 1, StatementTimeoutMs: 600_000 });
  const tenants = endpoints / endpointsOfTenant;
  await db.query(
    `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
     select t, 1, 'submission_completed', 'submission', 'updated', '{}', now() from generate_series(1, $1::integer) t`,
    [tenants],
  );
  for (const table of ['settings_versions', 'settings_current'])
    await db.query(
      `insert into ${table} (tenant_id, scope, scope_id, version)
       select t, 'tenant', t, 1 from generate_series(1, $1::integer) t`,
      [tenants],
    );
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url)
     select 1 + n % $1::integer, n, 'tenant', 1 + n % $1::integer, $2 || '/' || n from generate_series(1, $3::integer) n`,
    [tenants, url, endpoints],
  );
  await db.query(
    `insert into settings_targets (tenant_id, scope, scope_id, version, event_name, endpoint_id, is_enabled, url)
     select tenant_id, 'tenant', tenant_id, 1, 'submission_completed', id, true, url from endpoints`,
  );
  await db.query(
    `with share as (
       select tenant_id, id, (1 + tenant_id % 10) * (1 + id % 7) as weight from endpoints
     )
     insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, occurred_at, due_at)
     select tenant_id, id, 1, 'submission_completed', 1, now(), now() - interval '1 minute'
     from share, generate_series(1, greatest($1, $2::bigint * weight / (select sum(weight) from share)))`,
    [3 * measured, deliveries],
  );
  await db.query('analyze');
  await db.query(`update endpoints set first_due = now() - interval '1 hour'`);
  await db.close();
}

/** One relay works on a backlog; counted is who gets the first deliveries, while everyone has more. */
async function proveFairness(deliveries: number): Promise<Claim[]> {
  const endpoints = Math.round(deliveries / perEndpoint / endpointsOfTenant) * endpointsOfTenant;
  const received = new Array<number>(endpoints).fill(0);
  let total = 0;
  const receiver = createServer((request, response) => {
    if (total < measured * endpoints) received[Number(request.url!.slice(1)) - 1]! += 1;
    total += 1;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  receiver.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

  const world = await startHarness();
  await addBacklog(world, endpoints, deliveries, url);
  const relay = await startRelay(world, { webHooks: { SweepIntervalMs: 250 } });
  await eventually(() => total >= measured * endpoints, { timeoutMs: 300_000 });
  const [idle] = await world.db.query<{ endpoints: number; waiting: string }>(
    `select count(*) filter (where not exists (
              select from waiting w where w.tenant_id = e.tenant_id and w.endpoint_id = e.id))::integer as endpoints,
            (select count(*) from waiting) as waiting
     from endpoints e`,
  );
  await relay.stop();
  receiver.close();
  receiver.closeAllConnections();
  await world.close();

  const tenants = endpoints / endpointsOfTenant;
  const ofTenants = Array.from({ length: tenants }, (_, tenant) =>
    received.filter((_count, n) => (n + 1) % tenants === tenant).reduce((sum, count) => sum + count, 0),
  );
  const claim = (whose: string, counts: readonly number[]): Claim => ({
    what: `fairness over ${counts.length} ${whose} (Jain's index)`,
    found: `${jain(counts).toFixed(3)}, from ${Math.min(...counts)} to ${Math.max(...counts)} deliveries`,
    wanted: `at least ${minIndex}`,
    holds: jain(counts) >= minIndex,
  });
  return [
    claim('endpoints', received),
    claim('tenants', ofTenants),
    {
      what: 'endpoints without a waiting delivery at the end of the window',
      found: `${idle!.endpoints}; ${idle!.waiting} deliveries wait`,
      wanted: '0',
      holds: idle!.endpoints === 0,
    },
  ];
}

prove(() => proveFairness(Number(process.argv[2] ?? 1_000_000)));
