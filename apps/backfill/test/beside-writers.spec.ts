import { eventually } from '@canvass/testing';
import { backfill, verificationSql } from './command-call';
import { legacyDatabase, LegacyTenant, type LegacyDatabase } from './legacy-table';

let legacy: LegacyDatabase;
let t: LegacyTenant;
beforeEach(async () => {
  legacy = await legacyDatabase();
  t = new LegacyTenant(legacy.db);
});
afterEach(() => legacy.drop());

it('loses no write of others, and they lose none of its', async () => {
  const ada = await t.submitter('Keycloak', 'ada');
  const form = await t.form();
  await legacy.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, submitted_by)
     select $1, $2, false, false, 0, '{}', '{}', 'in_progress', 'ada' from generate_series(1, 2000)`,
    [t.id, form],
  );
  let running = true;
  let saves = 0;
  const writer = async (): Promise<void> => {
    while (running) {
      const saved = await legacy.db.query(
        `update submissions set current_page = current_page + 1, revision = revision + 1
         where id in (select id from submissions order by random() limit 20) returning id`,
      );
      saves += saved.length;
    }
  };
  const writers = Promise.all([writer(), writer()]);
  const result = await backfill(legacy.url, ['--pause-ms', '20']).finally(() => (running = false));
  await writers;
  expect(result).toMatchObject({ status: 0, summary: { unlinked: 0, legacyKeys: 0 } });
  const [sums] = await legacy.db.query(
    `select sum(current_page)::int as saves, sum(revision - 1)::int as changes, count(*) filter (where submitter_id = $1
       and submitted_by = $1::text)::int as linked from submissions`,
    [ada],
  );
  expect(sums).toEqual({ saves, changes: saves + 4_000, linked: 2_000 });
});

it('skips a locked row, and processes it before the next step', async () => {
  const byId = await t.submitter('Integration', 'crm-1', { id: '4711' });
  await t.submitter('Service', '4711', { appUserId: '4711' });
  const held = await t.submission({ submittedBy: '4711' });
  const free = await t.submission({ submittedBy: '4711' });
  const run = await legacy.db.transaction(async (tx) => {
    await tx.query('select from submissions where id = $1 for update', [held]);
    const result = backfill(legacy.url);
    await eventually(async () => expect((await t.row(free)).submitter_id).toBe(byId));
    const progress = await legacy.db.query(
      'select step, locked_ids::text[] as ids from backfill_progress where examined > 0',
    );
    expect(progress).toEqual([{ step: 'A', ids: [held] }]);
    return { result };
  });
  expect(await run.result).toMatchObject({ status: 0 });
  // Had B been done first, it would be the other one.
  expect((await t.row(held)).submitter_id).toBe(byId);
});

it('gives up on a row that stays locked, and continues when it is free', async () => {
  const ada = await t.submitter('Keycloak', 'ada');
  const held = await t.submission({ submittedBy: 'ada' });
  await legacy.db.transaction(async (tx) => {
    await tx.query('select from submissions where id = $1 for update', [held]);
    expect(await backfill(legacy.url, ['--patience-s', '1'])).toMatchObject({
      status: 2,
      screen: expect.stringContaining(`1 submissions are locked by other sessions, the first is ${held}`),
    });
  });
  expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
  expect((await t.row(held)).submitter_id).toBe(ada);
});

it('does not wait for a create that is about to take the key, and then reports the row', async () => {
  const ada = await t.submitter('Keycloak', 'ada');
  const form = await t.form();
  const key = `SingleSubmission:Form:${form}:Submitter:${ada}`;
  const old = await t.submission({ form, submitterId: ada, submittedBy: ada, restrictionKey: 'old' });
  const run = await legacy.db.transaction(async (tx) => {
    await new LegacyTenant(tx, t.id).submission({ form, restrictionKey: key });
    const result = backfill(legacy.url);
    await eventually(async () =>
      expect(
        await legacy.db.query(`select from backfill_progress where step = 'D' and finished_at is not null`),
      ).toHaveLength(1),
    );
    // The old row stays free for its respondent while the backfill tries.
    await legacy.db.query('update submissions set current_page = 7 where id = $1', [old]);
    return { result };
  });
  expect(await run.result).toMatchObject({ status: 1, reasons: { [old]: 'restriction_key_taken' } });
  expect(await legacy.db.query(verificationSql)).toEqual([{ unlinked: 0, legacyKeys: 1 }]);
});
