import { startHarness, tenantOf, type Harness } from './harness';
import { bulkCalls, endedJob, type Job } from './job-calls';
import { pathOf, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { auditOf } = bulkCalls(() => test);

describe('a respondent with many submissions', () => {
  it('is erased by a job in steps, the respondent at the end, with all events', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { body: made } = await tenant
      .external({ sub: 'ada', name: 'Ada' })
      .post<Submission>(pathOf(formId), {});
    await test.db.query(
      `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
         collection_status, submitter_id, submitter_display_id)
       select $1, $2, false, false, 0, '{"a":1}', '{}', 'in_progress', $3, 'Ada' from generate_series(1, 1200)`,
      [tenant.id, formId, made['submitterId']],
    );
    const person = `/api/submitters/${made['submitterId']}`;
    const reply = await tenant.admin.call<Job>('DELETE', `${person}?submissions=delete`);
    expect([reply.status, reply.body.kind]).toEqual([202, 'submitter_erasure']);
    expect(await endedJob(tenant.admin, reply.body.id)).toMatchObject({
      state: 'done',
      total: 1_201,
      counts: { erased: 1_201 },
    });
    expect((await tenant.admin.get(person)).status).toBe(404);
    const [left] = await test.db.query(
      `select count(*)::integer as rows from submissions
       where tenant_id = $1 and (submitter_id is not null or submitter_display_id is not null or json_data <> '{}')`,
      [tenant.id],
    );
    expect(left).toEqual({ rows: 0 });
    const events = await test.events({ tenantId: tenant.id });
    const counted = (type: string) => events.filter((event) => event.type === type).length;
    expect([
      counted('submission.erased'),
      counted('submission.deleted'),
      counted('submitter.erased'),
    ]).toEqual([1_201, 1_201, 1]);
    expect(await auditOf(tenant, 'submitter')).toMatchObject([
      { action: 'submitter.erased', actor_subject: '11', after: { submissions: 'delete' } },
    ]);
  }, 120_000);
});
