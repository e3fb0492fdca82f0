import { createDatabase, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { createRandom, eventually, type Random } from '@canvass/testing';
import { createQuarterCounts, type QuarterCounts } from '../src/counts';
import { recordUntil } from '../src/counts/quarters.sql';
import { countSubmissionsByDay } from '../src/submissions/count-submissions';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
let db: Database;
let quarters: QuarterCounts;
beforeAll(async () => {
  test = await startHarness();
  db = createDatabase({ Url: test.databaseUrl, PoolMax: 3 });
  quarters = createQuarterCounts(db, silentLogger);
});
afterAll(async () => {
  await db.close();
  await test.close();
});

const { begin, anonymous } = submissionCalls(() => test);
const firstDay = Date.parse('2026-10-20T00:00:00Z');
const dayMs = 86_400_000;
const days = 12;

/** A submission as the list of its form has it. */
interface Listed {
  id: string;
  createdAt: string;
  completedAt: string | null;
  collectionStatus: string;
}

/** All submissions of a form that are not deleted, read page by page. */
async function listed(tenant: Tenant, formId: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let after = ''; ;) {
    const { body } = await tenant
      .as('Viewer')
      .get<{ items: Listed[]; next: string | null }>(`${pathOf(formId)}?limit=20${after}`);
    all.push(...body.items);
    if (body.next === null) return all;
    after = `&after=${body.next}`;
  }
}

const timeWithin = (random: Random) =>
  new Date(firstDay + Math.floor(random.next() * days * dayMs)).toISOString();

/**
 * Creates, completes, screens out, moves in time, deletes and restores submissions of some forms at
 * random.
 */
async function live(tenant: Tenant, forms: readonly string[], random: Random, steps: number): Promise<void> {
  const known: { formId: string; id: string; token: string }[] = [];
  for (let step = 0; step < steps; step += 1) {
    // On the way forms are counted by quarters of an hour, or changes of quarters that are counted later
    // are recorded.
    if (random.chance(0.12)) {
      const form = { tenantId: tenant.id, formId: random.pick(forms) };
      const age = random.pick([0, dayMs, 40 * dayMs]);
      if (random.chance(0.5)) await quarters.countForm(form, undefined, { size: 3, age });
      else await db.query(recordUntil({ ...form, youngestMs: age }));
    }
    if (known.length < 5 || random.chance(0.5)) {
      const formId = random.pick(forms);
      const body = random.pick([{}, { isComplete: true }, { collectionOutcome: 'screen_out' }]);
      const made: Submission = await begin(formId, body);
      known.push({ formId, id: made['id']!, token: made['token']! });
      await test.db.query('update submissions set created_at = $2::timestamptz where id = $1', [
        made['id'],
        timeWithin(random),
      ]);
      continue;
    }
    const { formId, id, token } = random.pick(known);
    const one = `${pathOf(formId)}/${id}`;
    const acts = [
      () => anonymous().patch(byToken(formId, token), { isComplete: true }),
      () => anonymous().patch(byToken(formId, token), { collectionOutcome: 'screen_out' }),
      () => tenant.admin.delete(one),
      () => tenant.admin.post(`${one}/restore`, {}),
      () =>
        test.db.query(
          'update submissions set completed_at = $2::timestamptz where id = $1 and completed_at is not null',
          [id, timeWithin(random)],
        ),
    ];
    await random.pick(acts)(); // what is not possible now is refused
  }
}

/** The date of a time in a zone. */
const dateIn = (zone: string, time: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(time));

it.each(['a', 'b', 'c'])('statistics equal a count over the submissions (history %s)', async (seed) => {
  const random = createRandom(seed);
  const [tenant, stranger] = [tenantOf(test), tenantOf(test)];
  const forms = [await tenant.form(), await tenant.form()];
  await live(stranger, [await stranger.form()], createRandom(`${seed} of another tenant`), 15);
  await live(tenant, forms, random, 80);
  const rows = new Map<string, Listed[]>();
  for (const formId of forms) rows.set(formId, await listed(tenant, formId));
  const all = [...rows.values()].flat();
  expect(new Set(all.map(({ collectionStatus }) => collectionStatus)).size).toBeGreaterThan(2);

  for (let n = 0; n < 12; n += 1) {
    const [from, to] = [timeWithin(random), timeWithin(random)].sort() as [string, string];
    const zone = random.pick(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata']);
    const formId = random.pick(forms);
    const query = new URLSearchParams({ from, to, timeZone: zone });
    const { body } = await tenant.as('Viewer').get<{
      total: number;
      byStatus: Record<string, number>;
      byDay: { date: string; total: number; byStatus: Record<string, number> }[];
    }>(`/api/forms/${formId}/stats?${query}`);
    const within = rows.get(formId)!.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    const countOf = (of: readonly Listed[], status: string) =>
      of.filter(({ collectionStatus }) => collectionStatus === status).length;
    expect([from, to, body.total]).toEqual([from, to, within.length]);
    for (const [status, count] of Object.entries(body.byStatus))
      expect([status, count]).toEqual([status, countOf(within, status)]);
    for (const { date, total, byStatus } of body.byDay) {
      const ofDay = within.filter(({ createdAt }) => dateIn(zone, createdAt) === date);
      expect([zone, date, total]).toEqual([zone, date, ofDay.length]);
      for (const [status, count] of Object.entries(byStatus))
        expect([date, status, count]).toEqual([date, status, countOf(ofDay, status)]);
    }
  }

  for (const [bucket, ms] of [
    ['1h', 3_600_000],
    ['1d', dayMs],
  ] as const) {
    const query = new URLSearchParams({
      bucket,
      from: new Date(firstDay).toISOString(),
      to: new Date(firstDay + days * dayMs).toISOString(),
    });
    const { body } = await tenant.as('Viewer').get<{
      buckets: { start: string; started: number; completed: number; screenedOut: number }[];
    }>(`/api/stats/overview?${query}`);
    for (const { start, ...counts } of body.buckets) {
      const isIn = (time: string | null) =>
        time !== null && Date.parse(time) >= Date.parse(start) && Date.parse(time) < Date.parse(start) + ms;
      const started = all.filter(({ createdAt }) => isIn(createdAt));
      expect([start, counts]).toEqual([
        start,
        {
          started: started.length,
          completed: all.filter(({ completedAt }) => isIn(completedAt)).length,
          screenedOut: started.filter(({ collectionStatus }) => collectionStatus === 'screen_out').length,
        },
      ]);
    }
    expect(body.buckets.length).toBe((days * dayMs) / ms);
  }
});

it('statistics stay exact while submissions change beside their count', async () => {
  const tenant = tenantOf(test);
  for (let round = 0; round < 8; round += 1) {
    const formId = await tenant.form();
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await begin(formId, {}))['id']!);
    await db.query(`update submissions set created_at = now() - interval '2 days' where form_id = $1`, [
      formId,
    ]);
    const change = (id: string) =>
      db.transaction(async (tx) => {
        await tx.query(
          `update submissions set collection_status = case collection_status when 'in_progress' then 'screen_out' else 'in_progress' end
           where tenant_id = $1 and id = $2`,
          [tenant.id, id],
        );
        await tx.query('select pg_sleep(0.01)');
      });
    let isCounting = true;
    const writing = Promise.all(
      ids.slice(0, 2).map(async (id) => {
        while (isCounting) await change(id);
      }),
    );
    await quarters.countForm({ tenantId: tenant.id, formId }, undefined, { size: 2, age: 0 });
    isCounting = false;
    await writing;
    const [counted] = await db.query<{ ofQuarters: number }>(
      'select sum(submissions)::integer as "ofQuarters" from submission_quarters where form_id = $1',
      [formId],
    );
    expect(counted!.ofQuarters).toBe(6);
    const from = new Date(Date.now() - 5 * dayMs).toISOString();
    const { body } = await tenant
      .as('Viewer')
      .get<{ byStatus: Record<string, number> }>(`/api/forms/${formId}/stats?from=${from}`);
    const rows = await listed(tenant, formId);
    for (const [status, count] of Object.entries(body.byStatus))
      expect([status, count]).toEqual([
        status,
        rows.filter(({ collectionStatus }) => collectionStatus === status).length,
      ]);
  }
});

it('a form of which statistics read many submissions is counted by quarters, a small one is not', async () => {
  const tenant = tenantOf(test);
  const [large, small] = [await tenant.form(), await tenant.form()];
  const start = Date.now() - 3 * dayMs;
  const addOld = (formId: string, count: number) =>
    db.query(
      `insert into submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
         collection_status, created_at)
       select $1, next_id(), $2, false, false, 0, '{}', '{}', 'in_progress', $3::timestamptz + n * interval '1 second'
       from generate_series(1, $4::integer) n`,
      [tenant.id, formId, new Date(start), count],
    );
  await addOld(large, 20_001);
  await addOld(small, 10);
  const made = createQuarterCounts(db, silentLogger);
  const query = { timeZone: 'UTC', from: new Date(start - dayMs), to: new Date() };
  const totalOf = async (formId: string) =>
    (await countSubmissionsByDay(db, made, tenant.id, formId, query)).total;
  expect([await totalOf(large), await totalOf(small)]).toEqual([20_001, 10]);
  const readFew = () => [large, small].map((formId) => made.readFew({ tenantId: tenant.id, formId }));
  expect(readFew()).toEqual([false, true]);
  made.start();
  made.wake();
  try {
    await eventually(async () => {
      const found = await db.query<{ formId: string; submissions: number }>(
        `select form_id as "formId", sum(submissions)::integer as submissions from submission_quarters
         where tenant_id = $1 group by form_id`,
        [tenant.id],
      );
      expect(found).toEqual([{ formId: large, submissions: 20_001 }]);
    });
    expect([await totalOf(large), await totalOf(small)]).toEqual([20_001, 10]);
    expect(readFew()).toEqual([true, true]);
    await db.query('delete from submissions where form_id = $1 and created_at < $2', [
      large,
      new Date(start + 3_600_000),
    ]);
    expect(await totalOf(large)).toBe(20_001 - 3_599);
    // The form takes its quarters and their changes along.
    await db.query('delete from submissions where form_id = $1', [large]);
    await db.query('delete from forms where id = $1', [large]);
    for (const table of ['submission_quarters', 'submission_quarter_changes', 'submission_quarter_forms'])
      expect(await db.query(`select from ${table} where tenant_id = $1`, [tenant.id])).toEqual([]);
  } finally {
    await made.stop();
  }
});
