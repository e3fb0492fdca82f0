import { eventually } from '@canvass/testing';
import { client, startHarness, tenantOf, type Harness } from './harness';
import { approve, bulkCalls, bulkOf as bulk, endedJob, fillForm, jobsPath, type Job } from './job-calls';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['dept'] } });
});
afterAll(() => test.close());

const { begin, eventsOf } = submissionCalls(() => test);
const { started, auditOf } = bulkCalls(() => test);
describe('a bulk change of a few submissions', () => {
  it('has ended when it answers, with the events and audit rows of single changes', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const [first, second] = [await begin(formId), await begin(formId)];
    await tenant.admin.post(`${pathOf(formId)}/${first['id']}/status`, { status: 'approved' });
    const job = await started(tenant, formId, { ...approve, filter: {}, reason: 'checked' });
    expect(job).toMatchObject({
      kind: 'submission_bulk_change',
      state: 'done',
      total: 1,
      done: 1,
      counts: { changed: 1, skipped: 0 },
      reason: 'checked',
      startedBy: { subject: '11' },
    });
    const [single, many] = await auditOf(tenant);
    const { object_id: _, request_id: requestId, ...recorded } = single!;
    expect(many).toEqual({ ...recorded, object_id: second['id'], request_id: expect.any(String) as string });
    expect(many!.request_id).not.toBe(requestId);
    const [of, ofMany] = await Promise.all([first, second].map(({ id }) => test.events({ entityId: id! })));
    expect(ofMany!.map(({ type, revision, settings }) => [type, revision, settings])).toEqual(
      of!.map(({ type, revision, settings }) => [type, revision, settings]),
    );
    expect(ofMany!.at(-1)!.data).toEqual({ ...of!.at(-1)!.data, ...changing(ofMany!.at(-1)!.data) });
    expect(await auditOf(tenant, 'job')).toMatchObject([
      { action: 'submission_bulk_change.started', object_id: job.id, after: { action: 'status', total: 1 } },
    ]);
  });

  /** Members that differ between two submissions. */
  const changing = ({ id, startedAt, createdAt, modifiedAt }: Record<string, unknown>) => ({
    id,
    startedAt,
    createdAt,
    modifiedAt,
  });

  it('takes named submissions of the form only, and those that the change fits', async () => {
    const tenant = tenantOf(test);
    const [formId, other] = [await tenant.form(), await tenant.form()];
    const mine = await begin(formId);
    const foreign = await begin(other);
    const body = { action: 'delete', submissionIds: [mine['id'], foreign['id'], '1'] };
    expect((await started(tenant, formId, body)).counts).toEqual({ changed: 1, skipped: 0 });
    expect(await eventsOf(mine['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
    ]);
    expect(await eventsOf(foreign['id'])).toEqual([['created', 1]]);
    expect((await started(tenant, formId, body)).counts).toEqual({ changed: 0, skipped: 0 });
  });

  it('takes the filter of the list: fields, answers, search and times', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const yes = await begin(formId, { jsonData: '{"a":"yes"}' });
    await begin(formId, { jsonData: '{"a":"no"}' });
    const changed = async (filter: object) =>
      (await started(tenant, formId, { action: 'status', status: 'read', filter })).counts['changed'];
    const past = new Date(Date.now() - 3_600_000).toISOString();
    expect(await changed({ filter: ['answers.a:maybe'] })).toBe(0);
    expect(await changed({ to: past })).toBe(0);
    expect(await changed({ search: 'no such person' })).toBe(0);
    expect(await changed({ filter: ['answers.a:yes'], from: past })).toBe(1);
    const { body } = await tenant.admin.get<{ items: Submission[] }>(`${pathOf(formId)}?filter=status:read`);
    expect(body.items.map(({ id }) => id)).toEqual([yes['id']]);
  });

  it('repeats nothing with the same Idempotency-Key', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await begin(formId);
    const key = { 'idempotency-key': formId };
    const send = () => tenant.admin.post<Job>(bulk(formId), { ...approve, filter: {} }, key);
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body]).toEqual([202, first.body]);
    expect(await eventsOf(id)).toHaveLength(2);
  });
});

describe('a dry run', () => {
  it('counts, shows the newest and changes nothing', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 12);
    const { status, body } = await tenant.admin.post<{ count: number; sample: object[]; oldest: string }>(
      `${bulk(formId)}?dryRun=true`,
      { action: 'delete', filter: { filter: ['answers.n>:2'] } },
    );
    expect([status, body]).toMatchObject([200, { count: 11, oldest: expect.any(String) as string }]);
    expect(body.sample).toHaveLength(10);
    const { body: page } = await tenant.admin.get<{ total: number }>(`${pathOf(formId)}?total=exact`);
    expect(page.total).toBe(12);
    expect(await tenant.admin.get(jobsPath)).toMatchObject({ body: { items: [] } });
  });
});

describe('a bulk change of many submissions', () => {
  it('leaves out what is created after the request', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 150);
    const { id, state } = await started(tenant, formId, { ...approve, filter: {} });
    expect(state).toBe('running');
    const later = await begin(formId);
    expect(await endedJob(tenant.admin, id)).toMatchObject({
      total: 150,
      done: 150,
      counts: { changed: 150 },
    });
    expect((await tenant.admin.get(`${pathOf(formId)}/${later['id']}`)).body).toMatchObject({
      status: 'new',
    });
  });

  it('is cancelled between two steps, and keeps what is done', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 20_000);
    const { id } = await started(tenant, formId, { ...approve, filter: {} });
    await eventually(async () =>
      expect((await tenant.admin.get<Job>(`${jobsPath}/${id}`)).body.done).toBeGreaterThan(0),
    );
    expect((await tenant.as('Viewer').post(`${jobsPath}/${id}/cancel`)).status).toBe(403);
    const { body } = await tenant.admin.post<Job>(`${jobsPath}/${id}/cancel`);
    expect(body.state).toBe('cancelled');
    const [row] = await test.db.query<{ changed: number; audited: number; events: number }>(
      `select (select count(*)::integer from submissions where tenant_id = $1 and status = 'approved') as changed,
         (select count(*)::integer from audit where tenant_id = $1 and action = 'submission.reviewed') as audited,
         (select count(*)::integer from outbox where tenant_id = $1 and entity = 'submission') as events`,
      [tenant.id],
    );
    const { done } = body;
    expect(done).toBeLessThan(20_000);
    expect(row).toEqual({ changed: done, audited: done, events: done });
    expect((await tenant.admin.post<Job>(`${jobsPath}/${id}/cancel`)).body).toEqual(body);
  }, 120_000);

  it('leaves room for saves of respondents while it runs', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 5_000);
    const { id } = await started(tenant, formId, { action: 'delete', filter: {} });
    const made = await begin(formId, { jsonData: '{"a":1}' });
    expect(made['id']).toBeDefined();
    expect((await endedJob(tenant.admin, id)).counts).toEqual({ changed: 5_000, skipped: 0 });
  }, 120_000);
});

describe('bad requests and rights', () => {
  it.each([
    [{}, 'action'],
    [{ action: 'status', filter: {} }, 'status'],
    [{ action: 'delete', status: 'new', filter: {} }, 'status'],
    [{ ...approve, status: 'odd', filter: {} }, 'status'],
    [{ ...approve, filter: { filter: ['nothing:1'] } }, 'filter[0]'],
    [{ ...approve, filter: { other: 1 } }, 'filter.other'],
    [{ ...approve, submissionIds: [] }, 'submissionIds'],
    [{ ...approve, submissionIds: ['x'] }, 'submissionIds[0]'],
    [{ ...approve, filter: {}, reason: ' ' }, 'reason'],
  ])('%j is a 400 that names %s', async (body, field) => {
    const tenant = tenantOf(test);
    const reply = await tenant.admin.post<{ errors: object }>(bulk(await tenant.form()), body);
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([400, expect.arrayContaining([field])]);
  });

  it('needs either a filter or ids, a form, and the permission of the action', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    expect((await tenant.admin.post(bulk(formId), approve)).status).toBe(400);
    expect(
      (await tenant.admin.post(bulk(formId), { ...approve, filter: {}, submissionIds: ['1'] })).status,
    ).toBe(400);
    expect((await tenant.admin.post(bulk('1'), { ...approve, filter: {} })).status).toBe(404);
    expect((await tenant.as('Viewer').post(bulk(formId), { ...approve, filter: {} })).status).toBe(403);
    expect((await tenant.as('Viewer').get(`${pathOf(formId)}?deleted=true`)).status).toBe(403);
    expect((await tenant.user().post(bulk(formId), { ...approve, filter: {} })).status).toBe(403);
  });

  it('shows and cancels jobs on the internal port, in the name of the caller', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 5_000);
    const { id } = await started(tenant, formId, { ...approve, filter: {} });
    const internal = client(test.service.internalUrl, test.internalToken());
    const kinds = 'kinds=submission_bulk_change&kinds=submission_export';
    const page = await internal.get(`/internal/jobs?tenantId=${tenant.id}&${kinds}&limit=2`);
    expect(page.body).toMatchObject({ items: [{ id, kind: 'submission_bulk_change' }] });
    const other = await internal.get(`/internal/jobs?tenantId=${tenant.id}&kinds=webhook_recovery&limit=2`);
    expect(other.body).toMatchObject({ items: [] });
    expect((await internal.get(`/internal/jobs/${id}?tenantId=1`)).status).toBe(404);
    const caller = { provider: 'Service', kind: 'user', subject: '77' };
    const { status, body } = await internal.post(`/internal/jobs/${id}/cancel`, {
      tenantId: tenant.id,
      actor: caller,
      address: '192.0.2.17',
      requestId: 'r-1',
    });
    expect([status, body['state']]).toEqual([200, 'cancelled']);
    expect((await auditOf(tenant, 'job')).at(-1)).toMatchObject({
      action: 'job.cancelled',
      object_id: id,
      actor_subject: '77',
      address: '192.0.2.17',
      request_id: 'r-1',
    });
    expect((await tenant.admin.get(`/internal/jobs/${id}?tenantId=${tenant.id}`)).status).toBe(404);
  });

  it('keeps jobs from other tenants and from accounts with some forms', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await begin(formId);
    const { id } = await started(tenant, formId, { ...approve, filter: {} });
    const stranger = tenantOf(test).admin;
    expect((await stranger.get(`${jobsPath}/${id}`)).status).toBe(404);
    expect((await stranger.post(`${jobsPath}/${id}/cancel`)).status).toBe(404);
    expect((await stranger.get(jobsPath)).body).toMatchObject({ items: [] });
    expect((await stranger.post(bulk(formId), { ...approve, filter: {} })).status).toBe(404);
    const { body } = await tenant.admin.get<{ items: Job[] }>(
      `${jobsPath}?limit=5&kind=submission_bulk_change`,
    );
    expect(body.items.map((job) => job.id)).toEqual([id]);
    expect(JSON.stringify(body)).not.toContain('request');
  });
});
