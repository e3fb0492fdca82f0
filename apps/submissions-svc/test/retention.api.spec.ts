import { runRetention } from '../src/retention/run-retention';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, submissionCalls } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin, eventsOf } = submissionCalls(() => test);

const run = (settings: { DeletedDays?: number; PartialDays?: number } = {}) =>
  runRetention({
    db: test.db,
    settings: { DeletedDays: 30, PartialDays: 0, JobDays: 30, ...settings },
    signal: new AbortController().signal,
  });

/** Moves the times of a submission into the past. */
const age = (id: string | undefined, days: number) =>
  test.db.query(
    `update submissions set created_at = created_at - make_interval(days => $2),
       modified_at = modified_at - make_interval(days => $2), deleted_at = deleted_at - make_interval(days => $2)
     where id = $1`,
    [id, days],
  );

const stored = async (tenant: Tenant) =>
  test.db.query<{ id: string; json_data: string; deleted: boolean; versions: number }>(
    `select id, json_data, deleted_at is not null as deleted,
       (select count(*)::integer from submission_versions v where v.submission_id = s.id) as versions
     from submissions s where tenant_id = $1 order by id`,
    [tenant.id],
  );

async function submission(tenant: Tenant, formId: string, isComplete = false) {
  const body = await begin(formId, { jsonData: '{"a":1}' });
  await tenant.admin.patch(`${pathOf(formId)}/${body['id']}`, { jsonData: '{"a":2}', isComplete });
  return body['id']!;
}

it('removes deleted submissions with their former answers after their days, and no others', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const [old, young, alive] = [
    await submission(tenant, formId),
    await submission(tenant, formId),
    await submission(tenant, formId, true),
  ];
  for (const id of [old, young]) await tenant.admin.delete(`${pathOf(formId)}/${id}`);
  await age(old, 31);
  await age(young, 29);
  await age(alive, 31);
  expect(await run()).toMatchObject({ deleted: 1, expired: 0, partial: 0 });
  expect((await stored(tenant)).map(({ id }) => id)).toEqual([young, alive]);
});

it('removes deleted forms with their submissions', async () => {
  const tenant = tenantOf(test);
  const [old, young] = [await tenant.form(), await tenant.form()];
  for (const formId of [old, young]) {
    await submission(tenant, formId, true);
    await tenant.admin.delete(`/api/forms/${formId}`);
  }
  await test.db.query(`update forms set deleted_at = deleted_at - interval '31 days' where id = $1`, [old]);
  expect(await run()).toMatchObject({ deleted: 1, forms: 1 });
  const forms = await test.db.query<{ id: string }>('select id from forms where tenant_id = $1', [tenant.id]);
  expect(forms).toEqual([{ id: young }]);
  expect(await stored(tenant)).toHaveLength(1);
});

it('erases what a respondent left, if configured, with its events', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const [left, recent, complete] = [
    await submission(tenant, formId),
    await submission(tenant, formId),
    await submission(tenant, formId, true),
  ];
  await age(left, 8);
  await age(complete, 8);
  expect(await run()).toMatchObject({ partial: 0 });
  expect(await run({ PartialDays: 7 })).toMatchObject({ partial: 1 });
  expect(await stored(tenant)).toEqual([
    { id: left, json_data: '{}', deleted: true, versions: 0 },
    { id: recent, json_data: '{"a":2}', deleted: false, versions: 1 },
    { id: complete, json_data: '{"a":2}', deleted: false, versions: 1 },
  ]);
  expect((await eventsOf(left)).slice(-2)).toEqual([
    ['deleted', 3],
    ['erased', 3],
  ]);
});

it('erases submissions after the period of their form', async () => {
  const tenant = tenantOf(test);
  const [short, endless] = [await tenant.form({ retentionDays: 10 }), await tenant.form()];
  const { body: form } = await tenant.admin.get(`/api/forms/${short}`);
  expect(form['retentionDays']).toBe(10);
  const ids = [
    await submission(tenant, short, true),
    await submission(tenant, short, true),
    await submission(tenant, endless, true),
  ];
  await age(ids[0], 11);
  await age(ids[1], 9);
  await age(ids[2], 11);
  expect(await run()).toMatchObject({ expired: 1 });
  expect((await stored(tenant)).map(({ deleted }) => deleted)).toEqual([true, false, false]);
  expect((await tenant.admin.patch(`/api/forms/${endless}`, { retentionDays: 0 })).status).toBe(400);
});

it('records what it erases and removes', async () => {
  const tenant = tenantOf(test);
  const [formId, removedForm] = [await tenant.form({ retentionDays: 10 }), await tenant.form()];
  const [expired, deleted] = [await submission(tenant, formId, true), await submission(tenant, formId)];
  await tenant.admin.delete(`${pathOf(formId)}/${deleted}`);
  await tenant.admin.delete(`/api/forms/${removedForm}`);
  await age(expired, 11);
  await age(deleted, 31);
  await test.db.query(`update forms set deleted_at = deleted_at - interval '31 days' where id = $1`, [
    removedForm,
  ]);
  expect(await run()).toMatchObject({ expired: 1, deleted: 1, forms: 1 });
  const trail = await test.db.query(
    `select action, object_type, object_id, actor_provider, actor_subject from audit
     where tenant_id = $1 and actor_kind = 'job' order by action`,
    [tenant.id],
  );
  const actor = { actor_provider: 'Service', actor_subject: 'retention' };
  expect(trail).toEqual([
    { ...actor, action: 'form.removed', object_type: 'form', object_id: removedForm },
    { ...actor, action: 'submission.erased', object_type: 'submission', object_id: expired },
    { ...actor, action: 'submission.removed', object_type: 'submission', object_id: deleted },
  ]);
});

it('takes many steps', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  await submission(tenant, formId, true);
  await test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, deleted_at)
     select tenant_id, form_id, false, false, 0, '{}', '{}', 'in_progress', now() - interval '40 days'
     from submissions, generate_series(1, 450) where tenant_id = $1`,
    [tenant.id],
  );
  expect(await run()).toMatchObject({ deleted: 450 });
  expect(await stored(tenant)).toHaveLength(1);
});
