import { eventually } from '@canvass/testing';
import { client, startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { approve, bulkCalls, endedJob, fillForm, jobsPath, type Job } from './job-calls';
import { pathOf } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { auditOf } = bulkCalls(() => test);
const lostRights = 'The account that started this job lost its rights.';
let subjects = 7_000;

/** A person with a job, and what ends their rights. */
function starterOf(tenant: Tenant) {
  const sub = String((subjects += 1));
  return {
    sub,
    calls: tenant.as('Admin', { sub, ver: 1 }),
    fire: () => test.own.revoke({ kind: 'user', subject: sub, minVersion: 2 }),
  };
}

/** A bulk change that takes many steps. */
async function begun(tenant: Tenant, rows = 1_500) {
  const formId = await tenant.form();
  await fillForm(test, tenant, formId, rows);
  const starter = starterOf(tenant);
  const { body: job } = await starter.calls.post<Job>(`${pathOf(formId)}/bulk`, { ...approve, filter: {} });
  return { formId, job, ...starter };
}

const takeOver = (tenant: Tenant, id: string, sub: string, version = 1) =>
  client(test.service.internalUrl, test.internalToken()).post<Job>(`/internal/jobs/${id}/take-over`, {
    tenantId: tenant.id,
    actor: { provider: 'Service', kind: 'user', subject: sub },
    version,
    address: '192.0.2.17',
    requestId: 'taken-over',
  });

describe('a job of an account that loses its rights', () => {
  it('ends where it is, and another administrator continues it in their name', async () => {
    const tenant = tenantOf(test);
    const { job, formId, sub, fire } = await begun(tenant, 6_000);
    fire();
    const ended = await endedJob(tenant.admin, job.id);
    expect(ended).toMatchObject({ state: 'failed', error: lostRights, startedBy: { subject: sub } });
    expect(ended.done).toBeLessThan(6_000);
    const changed = async () =>
      (
        await tenant.admin.get<{ total: number }>(
          `${pathOf(formId)}?limit=1&total=exact&filter=status:approved`,
        )
      ).body.total;
    const before = (await auditOf(tenant)).filter((row) => row.actor_subject === sub).length;

    // Who has lost their rights, too, gets no further.
    const revoked = starterOf(tenant);
    revoked.fire();
    await eventually(async () => expect((await revoked.calls.get(jobsPath)).status).toBe(401));
    expect((await takeOver(tenant, job.id, revoked.sub)).status).toBe(200);
    expect(await endedJob(tenant.admin, job.id)).toMatchObject({ state: 'failed', error: lostRights });

    const { status, body } = await takeOver(tenant, job.id, '11');
    expect([status, body]).toMatchObject([
      200,
      { state: 'running', error: null, startedBy: { subject: '11' } },
    ]);
    expect(await endedJob(tenant.admin, job.id)).toMatchObject({ state: 'done', done: 6_000 });
    const trail = await auditOf(tenant);
    expect(trail.filter((row) => row.actor_subject === sub)).toHaveLength(before);
    expect(trail.filter((row) => row.actor_subject === '11' && row.request_id === 'taken-over')).toHaveLength(
      6_000 - before,
    );
    expect((await auditOf(tenant, 'job')).map((row) => [row.action, row.actor_subject])).toEqual([
      ['submission_bulk_change.started', sub],
      ['job.taken_over', revoked.sub],
      ['job.taken_over', '11'],
    ]);
    expect(await changed()).toBe(6_000);
  });

  it('is not taken over if it ended otherwise, or is an export, or of another tenant', async () => {
    const tenant = tenantOf(test);
    const { job } = await begun(tenant, 1);
    await endedJob(tenant.admin, job.id);
    expect((await takeOver(tenant, job.id, '11')).status).toBe(409);
    expect((await takeOver(tenantOf(test), job.id, '11')).status).toBe(404);

    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 30_000);
    const starter = starterOf(tenant);
    const { body } = await starter.calls.post<Job>(`${pathOf(formId)}/exports`, {});
    starter.fire();
    expect(await endedJob(tenant.admin, body.id)).toMatchObject({ state: 'failed', error: lostRights });
    expect((await takeOver(tenant, body.id, '11')).status).toBe(409);
    expect((await tenant.admin.get(`/api/exports/${body.id}/file`)).status).toBe(409);
  });

  it('continues for an external principal, and for a newer version of the same account', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 3_000);
    const external = tenant.external({ sub: '900', realm_access: { roles: ['administrators'] } });
    const own = tenant.as('Admin', { sub: '900', ver: 2 });
    const old = tenant.as('Admin', { sub: '900', ver: 1 });
    test.own.revoke({ kind: 'user', subject: '900', minVersion: 2 });
    await eventually(async () => expect((await old.get(jobsPath)).status).toBe(401));
    for (const caller of [external, own]) {
      const { body } = await caller.post<Job>(`${pathOf(formId)}/bulk`, {
        action: 'status',
        status: caller === own ? 'read' : 'declined',
        filter: {},
      });
      expect(await endedJob(tenant.admin, body.id)).toMatchObject({ state: 'done', done: 3_000 });
    }
  });
});

it('waits with privileged jobs while it is not known whose rights ended', async () => {
  const unaware = await startHarness({ revocationsAvailable: false });
  try {
    const tenant = tenantOf(unaware);
    const formId = await tenant.form();
    const external = tenant.external({ sub: 'ada', realm_access: { roles: ['administrators'] } });
    const { body } = await external.post<{ submitterId: string }>(pathOf(formId), {});
    await fillForm(unaware, tenant, formId, 1_100);
    await unaware.db.query(`update submissions set submitter_id = $2 where tenant_id = $1`, [
      tenant.id,
      body.submitterId,
    ]);
    const erasure = await external.call<Job>(
      'DELETE',
      `/api/submitters/${body.submitterId}?submissions=delete`,
    );
    expect(erasure.status).toBe(202);
    const { body: bulk } = await external.post<Job>(`${pathOf(formId)}/bulk`, { ...approve, filter: {} });
    expect(await endedJob(tenant.admin, bulk.id)).toMatchObject({ state: 'done' });
    expect((await tenant.admin.get(`${jobsPath}/${erasure.body.id}`)).body).toMatchObject({
      state: 'running',
      done: 0,
    });
    unaware.own.setFeedAvailable(true);
    expect(await endedJob(tenant.admin, erasure.body.id)).toMatchObject({ state: 'done' });
  } finally {
    await unaware.close();
  }
});

it('breaks off an export of a caller whose rights end', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  await test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status)
     select $1, $2, false, false, 0, '"' || repeat(md5(n::text), 256) || '"', '{}', 'in_progress'
     from generate_series(1, 20000) n`,
    [tenant.id, formId],
  );
  const sub = String((subjects += 1));
  const answer = await fetch(`${test.service.url}${pathOf(formId)}/export`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub, ver: 1 })}`,
    },
    body: JSON.stringify({ format: 'ndjson' }),
  });
  const reader = answer.body!.getReader();
  await reader.read(); // and no more: the client is slow
  test.own.revoke({ kind: 'user', subject: sub, minVersion: 2 });
  const again = tenant.as('Admin', { sub, ver: 1 });
  await eventually(async () => expect((await again.get('/api/forms')).status).toBe(401));
  const rest = async () => {
    for (;;) if ((await reader.read()).done) return;
  };
  await new Promise((resolve) => setTimeout(resolve, 2_500)); // longer than between two checks
  await expect(rest()).rejects.toThrow('terminated');
});
