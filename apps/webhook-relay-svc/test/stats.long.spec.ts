import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger, type Bucket } from '@canvass/service-kit';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { openDatabase } from '../src/open-database';
import { createRecorder, outcomes, type LoggedAttempt } from '../src/pipeline';
import type { Claimed } from '../src/pipeline/leases';
import { noAnswer, type SendResult } from '../src/pipeline/sender';
import { createDays, deleteExpired } from '../src/retention/delete-expired';
import { phaseNames, type Phase } from '../src/statistics/cells.sql';
import { keptPeriodOf } from '../src/statistics/kept-period';
import { readStats, type Stats } from '../src/statistics/read-stats';
import { runRollUp } from '../src/statistics/roll-up';
import { ControlledClock } from './clock';

let database: TestDatabase;
let clock: ControlledClock;
let db: Database;
let others: Database[];
beforeEach(async () => {
  clock = new ControlledClock();
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  const Url = await clock.install(database.url);
  db = createDatabase({ Url, PoolMax: 4 });
  others = [0, 1].map(() => openDatabase({ Url, PoolMax: 2 }));
}, 180_000);
afterEach(async () => {
  await Promise.all([db, ...others].map((each) => each.close()));
  await database.drop();
});

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const dayMs = 86_400_000;
const minuteDays = 3;
const tenants = ['1', '2'];
const endpoints = ['11', '12', '13'];
const events = ['submission_completed', 'form_created'];
const forms = [null, '21', '22'];

/** An attempt as the rows of the log have it. */
interface Logged {
  tenantId: string;
  endpointId: string;
  eventName: string;
  formId: string | null;
  attempt: LoggedAttempt;
  /** The end of the delivery, if this attempt was its last. */
  end: 'delivered' | 'dead' | null;
  endToEndMs: number | null;
}

/** Every attempt in the log. */
async function readLog(): Promise<Logged[]> {
  const rows = await db.query<
    Omit<Logged, 'attempt' | 'end' | 'endToEndMs'> & {
      attempts: LoggedAttempt[];
      status: string;
      lastOutcome: string;
      ms: number;
    }
  >(
    `select tenant_id as "tenantId", endpoint_id as "endpointId", event_name as "eventName", form_id as "formId",
       attempts, status, extract(epoch from finished_at - occurred_at)::float8 * 1000 as ms
     from deliveries`,
  );
  return rows.flatMap(({ attempts, status, ms, ...row }) => {
    // The attempt that ended it is the last one with that number: late attempts end nothing.
    const ending = attempts.findLast(({ number }) => number < late);
    const isEnd = (attempt: LoggedAttempt) => attempt === ending && ['delivered', 'dead'].includes(status);
    return attempts.map((attempt) => ({
      ...row,
      attempt,
      end: isEnd(attempt) ? (status as 'delivered' | 'dead') : null,
      endToEndMs: isEnd(attempt) && status === 'delivered' ? ms : null,
    }));
  });
}

/** Number of a late attempt in these histories. */
const late = 1_000;

/** The statistics by counting the rows, with exact percentiles. */
function count(log: readonly Logged[]): Stats {
  const byOutcome: Record<string, number> = {};
  for (const { attempt } of log) byOutcome[attempt.outcome] = (byOutcome[attempt.outcome] ?? 0) + 1;
  const durations = (phase: Phase) =>
    log
      .map(({ attempt, endToEndMs }) => (phase === 'endToEnd' ? endToEndMs : attempt.milliseconds[phase]))
      .filter((ms) => ms !== null)
      .sort((a, b) => a - b);
  const percentiles = (sorted: number[]) => {
    const at = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1]!;
    return sorted.length === 0 ? null : { p50: at(50), p95: at(95), p99: at(99) };
  };
  return {
    attempts: log.length,
    outcomes: byOutcome,
    delivered: log.filter(({ end }) => end === 'delivered').length,
    dead: log.filter(({ end }) => end === 'dead').length,
    milliseconds: Object.fromEntries(
      phaseNames.map((phase) => [phase, percentiles(durations(phase))]),
    ) as Stats['milliseconds'],
  };
}

/** Half the width of a slot (4.89 %), the four digits of a percentile, and the log's third digit. */
const near = (ms: number): number => ms * 0.05 + 0.0006;

function expectStats(found: Stats, log: readonly Logged[]): void {
  const { milliseconds, ...counts } = count(log);
  expect(found).toMatchObject(counts);
  expect(Object.keys(found.outcomes)).toHaveLength(Object.keys(counts.outcomes).length);
  for (const phase of phaseNames) {
    const [got, exact] = [found.milliseconds[phase], milliseconds[phase]];
    expect([phase, got === null]).toEqual([phase, exact === null]);
    if (got === null || exact === null) continue;
    for (const p of ['p50', 'p95', 'p99'] as const)
      expect([phase, p, got[p], Math.abs(got[p] - exact[p]) <= near(exact[p])]).toEqual([
        phase,
        p,
        got[p],
        true,
      ]);
  }
}

/** Compares every bucket for several filters. */
async function expectEqual(log: readonly Logged[], buckets: readonly Bucket[], pick: () => number) {
  const times = log.map(({ attempt }) => Date.parse(attempt.startedAt));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  for (const bucket of buckets) {
    const chosen = (values: readonly (string | null)[]) =>
      pick() < 0.5 ? null : values[Math.floor(pick() * values.length)]!;
    const filters = [{ endpointId: null, eventName: null, formId: null }].concat(
      [0, 1].map(() => ({
        endpointId: chosen(endpoints),
        eventName: chosen(events),
        formId: chosen(forms),
      })) as [],
    );
    const unit = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': dayMs }[bucket];
    const from = new Date(Math.max(first, last - 700 * unit));
    const period = keptPeriodOf({ bucket, from, to: new Date(last + 1) }, 1_000);
    for (const tenantId of tenants) {
      for (const filter of filters) {
        const stats = await readStats(others[0]!, { tenantId, ...filter }, period);
        const ofFilter = log.filter(
          (row) =>
            row.tenantId === tenantId &&
            (['endpointId', 'eventName', 'formId'] as const).every(
              (name) => filter[name] === null || filter[name] === row[name],
            ),
        );
        const within = (start: number, end: number) =>
          ofFilter.filter(({ attempt: { startedAt } }) => {
            const at = Date.parse(startedAt);
            return at >= start && at < end;
          });
        for (const found of stats.buckets)
          expectStats(found, within(found.start.getTime(), found.start.getTime() + unit));
        expectStats(stats.total, within(period.from.getTime(), period.to.getTime()));
      }
    }
  }
}

it.each([1, 77])(
  'statistics equal a count over the rows of the log, also after its days were dropped (history %s)',
  async (seed) => {
    const random = randomOf(seed);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const run = { db, logger: silentLogger, signal: new AbortController().signal };
    await createDays(run);
    for (const tenant of tenants)
      for (const id of endpoints)
        await db.query(
          `insert into endpoints (tenant_id, id, scope, scope_id, url) values ($1, $2, 'tenant', $1, 'http://127.0.0.1/')`,
          [tenant, id],
        );
    const recorder = createRecorder(others[0]!, [60, 60]);

    const claim = async (row: { tenantId: string; id: string }): Promise<string> => {
      const lease = randomUUID();
      await db.query(
        `with leased as (update waiting set lease = $3, lease_until = now() + interval '1 minute'
           where tenant_id = $1 and id = $2 returning *)
         update endpoints e set in_flight = in_flight + 1 from leased l where e.tenant_id = l.tenant_id and e.id = l.endpoint_id`,
        [row.tenantId, row.id, lease],
      );
      return lease;
    };
    const duration = () => Math.exp(random() * 14 - 4);
    const optional = () => (random() < 0.5 ? duration() : null);
    const resultOf = (): SendResult => ({
      ...noAnswer(random() < 0.6 ? 'success' : pick(outcomes), ''),
      dnsMs: optional(),
      connectMs: optional(),
      tlsMs: optional(),
      firstByteMs: optional(),
      totalMs: duration(),
    });
    const waiting = () =>
      db.query<Claimed>(
        `select tenant_id as "tenantId", id, endpoint_id as "endpointId", event_name as "eventName", attempts,
           schedule_step as "scheduleStep" from waiting order by tenant_id, id`,
      );
    const attemptOf = (result: SendResult) => ({ url: '', headers: {}, traceparent: null, result });

    const live = async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        await db.query(
          `insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, due_at)
           select t, e, 1, n, 1, f, now() - o * interval '1 second', now()
           from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::float8[]) as r (t, e, n, f, o)`,
          [tenants, endpoints, events, forms, [0]].map((values) =>
            Array.from({ length: 6 }, () => (values === undefined ? 0 : pick(values as string[]))),
          ),
        );
        const rows = await waiting();
        const recorded = rows
          .filter(() => random() < 0.6)
          .map(async (row) => {
            const isLate = random() < 0.1;
            const lease = isLate ? randomUUID() : await claim(row);
            const claimed = { ...row, lease, attempts: isLate ? late : row.attempts };
            await recorder.attempt(claimed, attemptOf(resultOf()));
          });
        const rolledUp = others.filter(() => random() < 0.3).map((each) => runRollUp(each, minuteDays));
        await Promise.all([...recorded, ...rolledUp]);
        if (random() < 0.4) await clock.advance(random() < 0.8 ? random() * 300 : random() * 4_000);
      }
    };

    await live(40);
    const log = await readLog();
    expect(log.length).toBeGreaterThan(100);
    await expectEqual(log, ['1m', '5m', '1h', '1d'], random);

    while (await runRollUp(db, minuteDays));
    expect(await db.query('select from recent_attempts')).toEqual([]);
    await expectEqual(log, ['1m', '5m', '1h', '1d'], random);

    // The days of this history are dropped, and a second one follows.
    await db.query('delete from waiting');
    await clock.advance(20 * 24 * 3_600);
    await createDays(run);
    await deleteExpired(run, 10 * 24 * 3_600);
    expect(await readLog()).toEqual([]);
    await live(20);
    const later = await readLog();
    expect(later.length).toBeGreaterThan(20);
    const both = [...log, ...later];
    await expectEqual(later, ['1m', '5m'], random);
    await expectEqual(both, ['1h', '1d'], random);

    await db.query('delete from waiting');
    await clock.advance(20 * 24 * 3_600);
    await deleteExpired(run, 10 * 24 * 3_600);
    expect(await readLog()).toEqual([]);
    while (await runRollUp(db, minuteDays));
    await expectEqual(both, ['1h', '1d'], random);
    await clock.advance(80 * 24 * 3_600);
    while (await runRollUp(db, minuteDays));
    await expectEqual(both, ['1d'], random);
    expect(await db.query('select distinct grain from attempt_stats')).toEqual([{ grain: '1d' }]);
  },
  240_000,
);
