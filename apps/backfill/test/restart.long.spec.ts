import { eventually } from '@canvass/testing';
import { startBackfill } from './backfill-process';
import { backfill, verificationSql } from './command-call';
import { legacyDatabase, LegacyTenant, type LegacyDatabase } from './legacy-table';

let legacy: LegacyDatabase;
let form: string;
beforeEach(async () => {
  legacy = await legacyDatabase();
  const t = new LegacyTenant(legacy.db);
  form = await t.form();
});
afterEach(() => legacy.drop());

/**
 * A third of the rows is for each of A, B and C; each row is of a respondent of its own and holds a legacy
 * key.
 */
async function fill(rows: number): Promise<void> {
  await legacy.db.query(
    `insert into submitters (tenant_id, auth_provider, external_subject_id, app_user_id, display_id)
     select f.tenant_id, case when p % 3 = 2 then 'Keycloak' else 'Service' end,
       case when p % 3 = 2 then 'subject ' || p else p::text end, case when p % 3 < 2 then p end, 'Respondent'
     from forms f, generate_series(1, $1::int) p`,
    [rows],
  );
  await legacy.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, submitted_by, restriction_key)
     select s.tenant_id, $1::bigint, false, false, 0, '{}', '{}', 'in_progress', v.text, 'SingleSubmission:Form:' || $1::bigint || ':User:' || v.text
     from submitters s, lateral (select case when s.app_user_id % 3 = 0 then s.id::text else s.external_subject_id end as text) v`,
    [form],
  );
}

const unfinished = () =>
  legacy.db.query<{ step: string; examined: string }>(
    'select step, examined from backfill_progress where finished_at is null and examined > 0',
  );

/**
 * The result of one run, however often it was interrupted: each row changed exactly as often as it had to be.
 */
async function expectComplete(rows: number): Promise<void> {
  expect(await legacy.db.query(verificationSql)).toEqual([{ unlinked: 0, legacyKeys: 0 }]);
  const [counts] = await legacy.db.query(
    `select count(*)::int as rows,
       count(*) filter (where submitted_by = submitter_id::text)::int as mirrored,
       count(*) filter (where restriction_key = 'SingleSubmission:Form:' || form_id || ':Submitter:' || submitter_id)::int as keyed,
       count(*) filter (where s.revision = case when r.app_user_id % 3 = 0 then 2 else 3 end)::int as once
     from submissions s join submitters r on r.tenant_id = s.tenant_id and r.id = s.submitter_id`,
  );
  expect(counts).toEqual({ rows, mirrored: rows, keyed: rows, once: rows });
  expect(
    await legacy.db.query(
      'select step, changed::int, examined::int, cardinality(locked_ids) as locked from backfill_progress order by step',
    ),
  ).toEqual([
    { step: 'A', changed: rows / 3, examined: rows, locked: 0 },
    { step: 'B', changed: rows / 3, examined: rows, locked: 0 },
    { step: 'C', changed: rows / 3, examined: rows, locked: 0 },
    { step: 'D', changed: (rows * 2) / 3, examined: rows, locked: 0 },
    { step: 'E', changed: rows, examined: rows, locked: 0 },
  ]);
}

/** Rows looked at by all steps together; it only grows, so that no moment can be missed. */
async function examined(): Promise<number> {
  const [sum] = await legacy.db.query<{ rows: number }>(
    'select coalesce(sum(examined), 0)::int as rows from backfill_progress',
  );
  return sum!.rows;
}

/** Waits until the server has noticed that a killed run has ended. */
const refused = ({ status, screen }: { status: number | null; screen: string }) =>
  status === 2 && screen.includes('Another backfill is running');

/**
 * Runs until that many rows were looked at, then kills; says whether the run was still at work. A slow
 * machine makes small batches, many of them.
 */
async function killAt(target: number): Promise<boolean> {
  for (;;) {
    const run = startBackfill(legacy.url, ['--pause-ms', '150']);
    let over = false;
    void run.ended.then(() => (over = true));
    await eventually(async () => over || expect(await examined()).toBeGreaterThanOrEqual(target), {
      timeoutMs: 120_000,
    });
    run.kill('SIGKILL');
    const { status, screen } = await run.ended;
    if (!refused({ status, screen })) return status === null;
  }
}

it('continues after kill -9 at any point, and processes every row once', async () => {
  const rows = 1_200;
  await fill(rows);
  let kills = 0;
  for (const steps of [0.3, 1.3, 3.2, 4.3]) kills += (await killAt(steps * rows)) ? 1 : 0;
  expect(kills).toBeGreaterThan(2);
  const last = await eventually(async () => {
    const run = await startBackfill(legacy.url).ended;
    expect(refused(run)).toBe(false);
    return run;
  });
  expect(last).toMatchObject({ status: 0, output: '{"kind":"verification","unlinked":0,"legacyKeys":0}\n' });
  expect(last.screen).toMatch(/Continuing in step [DE] after \d+ of 1200 rows/);
  await expectComplete(rows);
}, 300_000);

it('stops after the batch at hand on SIGTERM and says so', async () => {
  await fill(3_000);
  const run = startBackfill(legacy.url, ['--pause-ms', '500']);
  await eventually(async () => expect(await unfinished()).not.toEqual([]));
  run.kill('SIGTERM');
  const { status, screen } = await run.ended;
  expect(status).toBe(130);
  expect(screen).toContain('Run it again');
  expect(await examined()).toBeLessThan(5 * 3_000);
  expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
  await expectComplete(3_000);
});

it('continues when the server ends its connection', async () => {
  await fill(900);
  const run = backfill(legacy.url, ['--pause-ms', '200']);
  await eventually(async () => expect(await unfinished()).not.toEqual([]));
  await legacy.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'backfill' and datname = current_database()`,
  );
  const { status, screen } = await run;
  expect(screen).toContain('The connection to the database was lost');
  expect(status).toBe(0);
  await expectComplete(900);
});

it('refuses a second run beside the first', async () => {
  await fill(3_000);
  const stop = new AbortController();
  const first = backfill(legacy.url, ['--pause-ms', '500'], stop.signal);
  await eventually(async () => expect(await unfinished()).not.toEqual([]));
  expect(await backfill(legacy.url)).toMatchObject({
    status: 2,
    screen: expect.stringContaining('Another backfill is running'),
  });
  stop.abort();
  expect((await first).status).toBe(130);
});

it('changes nothing when it is run again', async () => {
  await fill(600);
  expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
  const state = () => legacy.db.query('select s.*, xmin::text from submissions s order by id');
  const before = await state();
  expect(await backfill(legacy.url)).toMatchObject({ status: 0, summary: { unlinked: 0, legacyKeys: 0 } });
  expect(await state()).toEqual(before);
});

it('links in a further run what was written, or who became known, after the first', async () => {
  const t = new LegacyTenant(legacy.db);
  const row = await t.submission({ submittedBy: 'ada' });
  expect(await backfill(legacy.url)).toMatchObject({ status: 1, reasons: { [row]: 'unknown_subject' } });
  const ada = await t.submitter('Keycloak', 'ada');
  const young = await t.submission({ submittedBy: 'ada' });
  expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
  for (const id of [row, young]) expect((await t.row(id)).submitter_id).toBe(ada);
});
