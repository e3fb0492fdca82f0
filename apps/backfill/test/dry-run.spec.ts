import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { backfill } from './command-call';
import { legacyDatabase, LegacyTenant, type LegacyDatabase } from './legacy-table';

let legacy: LegacyDatabase;
beforeEach(async () => void (legacy = await legacyDatabase()));
afterEach(() => legacy.drop());

/** Rows of every step, orphans, and three rows that want one key. */
async function mixedTable(): Promise<void> {
  const t = new LegacyTenant(legacy.db);
  const form = await t.form();
  const user = await t.submitter('Service', '42', { appUserId: '42' });
  const ada = await t.submitter('Keycloak', 'ada');
  await t.submission({ form, submittedBy: user, restrictionKey: 'one' });
  await t.submission({ form, submittedBy: '42', restrictionKey: 'two' });
  await t.submission({ form, submitterId: user, submittedBy: user, restrictionKey: 'three' });
  await t.submission({ form, submittedBy: 'ada', restrictionKey: 'four' });
  await t.submission({ form, submittedBy: 'ada', restrictionKey: 'five', deleted: true });
  await t.submission({ form, submittedBy: 'ada', restrictionKey: 'six', isTest: true });
  const held = `SingleSubmission:Form:${await t.form()}:Submitter:${ada}`;
  await t.submission({ form: held.split(':')[2]!, submitterId: ada, submittedBy: ada, restrictionKey: held });
  await t.submission({ form: held.split(':')[2]!, submittedBy: 'ada', restrictionKey: 'seven' });
  await t.submission({ submittedBy: 'gone' });
  await t.submission({ submittedBy: '9'.repeat(30) });
  await t.submission({});
}

it('writes nothing and predicts the result of the run', async () => {
  await mixedTable();
  const state = () =>
    legacy.db.query(
      `select (select json_agg(s) from (select *, xmin::text from submissions order by id) s) as submissions,
         (select count(*) from backfill_progress) as progress, (select count(*) from outbox) as events,
         (select count(*) from audit) as recorded`,
    );
  const before = await state();
  const forecast = await backfill(legacy.url, ['--dry-run']);
  expect(await state()).toEqual(before);
  expect(forecast.screen).toContain('Dry run, nothing was written.');
  expect(forecast).toMatchObject({
    status: 1,
    summary: { kind: 'dry_run', unlinked: 2, legacyKeys: 3, changes: { A: 1, B: 1, C: 4, D: 5, E: 3 } },
  });

  const run = await backfill(legacy.url);
  expect(run).toMatchObject({ status: 1, summary: { unlinked: 2, legacyKeys: 3 } });
  expect(await legacy.db.query('select action, actor_kind as actor, after from audit')).toEqual([
    { action: 'ops.backfill', actor: 'operator', after: { externalProviders: ['Keycloak'] } },
  ]);
  const rows = ({ lines }: typeof run) =>
    lines.slice(0, -1).sort((a, b) => (a.submissionId! < b.submissionId! ? -1 : 1));
  expect(rows(forecast)).toEqual(rows(run));
  expect(await legacy.db.query('select step, changed::int from backfill_progress order by step')).toEqual(
    Object.entries(forecast.summary.changes!).map(([step, changed]) => ({ step, changed })),
  );
});

it('has exit status 0 when a run would leave nothing', async () => {
  const t = new LegacyTenant(legacy.db);
  await t.submitter('Keycloak', 'ada');
  await t.submission({ submittedBy: 'ada' });
  expect(await backfill(legacy.url, ['--dry-run'])).toMatchObject({ status: 0 });
});

it('writes the rows that remain to the file that is named', async () => {
  const t = new LegacyTenant(legacy.db);
  const row = await t.submission({ submittedBy: 'gone' });
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'backfill-')), 'report.ndjson');
  const { lines } = await backfill(legacy.url, ['--report', file]);
  expect(lines).toEqual([]);
  expect(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    expect.objectContaining({
      kind: 'unlinked',
      submissionId: row,
      tenantId: t.id,
      reason: 'unknown_subject',
    }),
    { kind: 'verification', unlinked: 1, legacyKeys: 0 },
  ]);
});

it.each([
  [['--dry'], /Unknown option '--dry'/],
  [['now'], /Unexpected argument 'now'/],
  [['--pause-ms', '-1'], /ambiguous/],
  [['--pause-ms', 'x'], /--pause-ms must be 0 to 60000, not "x"/],
  [['--patience-s', '0'], /--patience-s must be 1 to 3600/],
  [['--report', '/nowhere/report.ndjson'], /ENOENT/],
])('says what is wrong with %j and writes nothing', async (argv, sentence) => {
  const t = new LegacyTenant(legacy.db);
  await t.submitter('Keycloak', 'ada');
  const row = await t.submission({ submittedBy: 'ada' });
  expect(await backfill(legacy.url, argv)).toMatchObject({
    status: 2,
    screen: expect.stringMatching(sentence),
  });
  expect((await t.row(row)).submitter_id).toBeNull();
});

it('says so when the schema is of an older version', async () => {
  await legacy.db.query('drop table backfill_progress');
  expect(await backfill(legacy.url)).toMatchObject({
    status: 2,
    screen: expect.stringContaining('The schema is not migrated'),
  });
});
