import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, prove, type Claim } from '@canvass/testing';
import { migrations } from '../../migrations';
import { openDatabase } from '../../src/open-database';
import { cancelRemoved, type LeasedRow } from '../../src/pipeline/claim.sql';
import { recordResults, type ResultColumns } from '../../src/pipeline/record.sql';
import { dueClaim } from '../claims';

const tenants = 100;
const room = 256;
const warmUps = 6;
const rounds = 12;
const maxRatio = 1.5;
const removed = 1_000_000;
/** CPU time of a local backend in milliseconds. Ticks of 10 ms, as in `/proc/<pid>/stat`, are too coarse. */
function cpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Endpoints with five deliveries each, of 100 tenants. */
async function addEndpoints(db: Database, first: number, count: number, due: string): Promise<void> {
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, first_due)
     select 1 + n % ${tenants}, n, 'tenant', 1 + n % ${tenants}, 'http://127.0.0.1/', ${due}
     from generate_series($1::bigint, $1::bigint + $2::bigint - 1) n`,
    [first, count],
  );
  await db.query(
    `insert into settings_targets (tenant_id, scope, scope_id, version, event_name, endpoint_id, is_enabled, url)
     select tenant_id, 'tenant', tenant_id, 1, 'submission_completed', id, true, url from endpoints where id >= $1`,
    [first],
  );
  await db.query(
    `insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, occurred_at, due_at)
     select tenant_id, id, 1, 'submission_completed', 1, now(), ${due}
     from endpoints, generate_series(1, 5) where id >= $1`,
    [first],
  );
}

/**
 * Backend CPU of one claim and of recording its results, in milliseconds, over claims that each lease as
 * many as they may.
 */
async function costsOf(url: string): Promise<{ claim: number; record: number }> {
  const db = openDatabase({ Url: url, PoolMax: 1 });
  const [{ pid }] = (await db.query<{ pid: number }>('select pg_backend_pid() as pid')) as [{ pid: number }];
  const cost = { claim: 0, record: 0 };
  for (let round = -warmUps; round < rounds; round += 1) {
    const lease = randomUUID();
    const started = cpuOf(pid);
    const rows = await db.query(dueClaim({ lease, seconds: 600, room, share: room }));
    if (rows.length !== room) throw new Error(`a claim leased ${rows.length}`);
    const claimed = cpuOf(pid);
    const recorded = await db.query(recordResults(delivered(rows, lease)));
    if (recorded.length !== room) throw new Error(`${recorded.length} results were recorded`);
    if (round < 0) continue;
    cost.claim += (claimed - started) / rounds;
    cost.record += (cpuOf(pid) - claimed) / rounds;
  }
  await db.close();
  return cost;
}

const delivered = (rows: readonly LeasedRow[], lease: string): ResultColumns => ({
  tenants: rows.map((row) => row.tenantId),
  deliveries: rows.map((row) => row.id),
  leases: rows.map(() => lease),
  endpoints: rows.map((row) => row.endpointId),
  statuses: rows.map(() => 'delivered'),
  outcomes: rows.map(() => 'success'),
  statusCodes: rows.map(() => 200),
  retriesInMs: rows.map(() => null),
  scheduleSteps: rows.map(() => 1),
  traceparents: rows.map(() => null),
  dnsMs: rows.map(() => null),
  connectMs: rows.map(() => null),
  tlsMs: rows.map(() => null),
  firstByteMs: rows.map(() => 1),
  totalMs: rows.map(() => 1),
  waitedMs: rows.map(() => 0),
  attempts: rows.map(() => '{"number":1}'),
});

/**
 * Makes deliveries of endpoint 101 due, claims them and records their results until the returned function is
 * called. That resolves with their number and the longest time from due to recorded, in milliseconds.
 */
function deliverMeanwhile(url: string) {
  const db = openDatabase({ Url: url, PoolMax: 1 });
  const found = { deliveries: 0, longest: 0 };
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const started = performance.now();
      await db.query(
        `with endpoint as (
           update endpoints set first_due = least(first_due, now()) where id = 101 returning tenant_id, id
         )
         insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, occurred_at, due_at)
         select tenant_id, id, 1, 'submission_completed', 1, now(), now() from endpoint`,
      );
      const lease = randomUUID();
      const rows = await db.query(dueClaim({ lease, seconds: 600, room, share: room }));
      await db.query(recordResults(delivered(rows, lease)));
      found.deliveries += rows.length;
      found.longest = Math.max(found.longest, performance.now() - started);
      await sleep(20);
    }
    await db.close();
  })();
  return async () => {
    isStopped = true;
    await running;
    return found;
  };
}

async function proveReadyQueue(): Promise<Claim[]> {
  const database = await testDatabase({
    template: `webhook-relay-svc ${migrations.map(({ name }) => name).join()}`,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  const db = createDatabase({ Url: database.url, PoolMax: 1, StatementTimeoutMs: 600_000 });
  const reset = async () => {
    await db.query('truncate endpoints, waiting, messages, settings_versions, deliveries cascade');
    await db.query(
      `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
       select t, 1, 'submission_completed', 'submission', 'updated', '{}', now() from generate_series(1, ${tenants}) t`,
    );
    for (const table of ['settings_versions', 'settings_current'])
      await db.query(
        `insert into ${table} (tenant_id, scope, scope_id, version)
         select t, 'tenant', t, 1 from generate_series(1, ${tenants}) t`,
      );
  };
  const costs = new Map<string, { claim: number; record: number }>();
  for (const due of [1_000, 20_000, 100_000]) {
    await reset();
    await addEndpoints(db, 1, due, `now() - interval '1 minute'`);
    costs.set(`${due} endpoints due`, await costsOf(database.url));
  }
  await reset();
  await addEndpoints(db, 1, 1_000, `now() - interval '1 minute'`);
  await addEndpoints(db, 1_000_000, 200_000, `now() + interval '1 day'`);
  costs.set('1000 endpoints due, 1,000,000 deliveries in the future', await costsOf(database.url));

  await reset();
  await addEndpoints(db, 1, 1, `now() - interval '1 minute'`);
  await db.query(
    `insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, occurred_at, due_at)
     select tenant_id, id, 1, 'submission_completed', 1, now(), now() - interval '1 minute' + n * interval '1 microsecond'
     from endpoints, generate_series(1, $1::integer - 5) n`,
    [removed],
  );
  await addEndpoints(db, 101, 1, `now() - interval '1 minute'`);
  const stopOthers = deliverMeanwhile(database.url);
  const started = performance.now();
  await db.query('update endpoints set removed_at = now() where id = 1');
  const marked = performance.now() - started;
  let longest = 0;
  for (let cancelled: number | null = 0; cancelled !== null;) {
    const before = performance.now();
    const [row]: { cancelled: number | null }[] = await db.query(cancelRemoved({ rows: 1_000 }));
    longest = Math.max(longest, performance.now() - before);
    cancelled = row!.cancelled;
  }
  const others = await stopOthers();
  const [counts] = await db.query<{ cancelled: number; waiting: number }>(
    `select (select count(*)::integer from deliveries where status = 'cancelled') as cancelled,
            (select count(*)::integer from waiting where endpoint_id = 1) as waiting`,
  );
  await db.close();
  await database.drop();

  const compared = (name: 'claim' | 'record', words: string): Claim[] => {
    const least = Math.min(...[...costs.values()].map((cost) => cost[name]));
    return [...costs].map(([what, cost]) => ({
      what: `backend CPU of ${words} ${room}, ${what}`,
      found: `${cost[name].toFixed(1)} ms, ${(cost[name] / least).toFixed(2)} times the least`,
      wanted: `at most ${maxRatio} times`,
      holds: cost[name] <= maxRatio * least,
    }));
  };
  return [
    ...compared('claim', 'a claim of'),
    ...compared('record', 'the results of'),
    {
      what: `an endpoint with ${removed} waiting deliveries is removed`,
      found: `marked in ${marked.toFixed(0)} ms, ${counts!.cancelled} cancelled, longest step ${longest.toFixed(0)} ms`,
      wanted: 'all cancelled, none waits, marked within 100 ms',
      holds: counts!.cancelled === removed && counts!.waiting === 0 && marked < 100,
    },
    {
      what: 'deliveries of another endpoint of the tenant meanwhile',
      found: `${others.deliveries}, the longest ${others.longest.toFixed(0)} ms from due to recorded`,
      wanted: 'some, within a second',
      holds: others.deliveries > 0 && others.longest < 1_000,
    },
  ];
}

prove(proveReadyQueue);
