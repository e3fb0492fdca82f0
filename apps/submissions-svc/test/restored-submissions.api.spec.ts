import { startHarness, tenantOf, type Harness } from './harness';
import { bulkCalls, endedJob, fillForm } from './job-calls';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin, eventsOf } = submissionCalls(() => test);
const { started, auditOf } = bulkCalls(() => test);

describe('restore', () => {
  it('takes a deletion back, with the event of an update', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const made = await begin(formId, { jsonData: '{"a":1}' });
    const one = `${pathOf(formId)}/${made['id']}`;
    expect((await tenant.admin.post(`${one}/restore`)).status).toBe(200);
    await tenant.admin.delete(one);
    const { body: deleted } = await tenant.admin.get<{ items: Submission[] }>(
      `${pathOf(formId)}?deleted=true`,
    );
    expect(deleted.items.map(({ id }) => id)).toEqual([made['id']]);
    expect((await tenant.admin.post(`${one}/restore`, undefined, { 'if-match': '"1"' })).status).toBe(412);
    const { status, body, headers } = await tenant.admin.post<Submission>(`${one}/restore`);
    expect([status, body['jsonData'], headers.get('etag')]).toEqual([200, '{"a":1}', '"3"']);
    expect((await tenant.admin.get(one)).status).toBe(200);
    expect(await eventsOf(made['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
      ['updated', 3],
    ]);
    expect((await auditOf(tenant)).map(({ action }) => action)).toEqual([
      'submission.deleted',
      'submission.restored',
    ]);
  });

  it('is refused for an erased submission and where the respondent has answered again', async () => {
    const tenant = tenantOf(test);
    const open = await tenant.form();
    const erased = await begin(open, { jsonData: '{"a":1}' });
    await tenant.admin.delete(`${pathOf(open)}/${erased['id']}?erase=true`);
    const refused = await tenant.admin.post(`${pathOf(open)}/${erased['id']}/restore`);
    expect([refused.status, refused.body['errorCode']]).toEqual([409, 'conflict']);
    const gated = await tenant.form({ limitOnePerUser: true });
    const { body: first } = await tenant.user().post<Submission>(pathOf(gated), {});
    await tenant.admin.delete(`${pathOf(gated)}/${first['id']}`);
    const { body: second } = await tenant.user().post<Submission>(pathOf(gated), {});
    const taken = await tenant.admin.post(`${pathOf(gated)}/${first['id']}/restore`);
    expect([taken.status, taken.body['errorCode']]).toEqual([409, 'submission_already_exists']);
    await tenant.admin.delete(`${pathOf(gated)}/${second['id']}`);
    const job = await started(tenant, gated, { action: 'restore', filter: {} });
    expect(job.counts).toEqual({ changed: 1, skipped: 1 });
    expect((await tenant.admin.get(`${pathOf(gated)}/${second['id']}`)).status).toBe(200);
    expect((await tenant.admin.post(`${pathOf(open)}/1/restore`)).status).toBe(404);
  });

  it('brings back what a bulk deletion deleted', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 250);
    for (const action of ['delete', 'restore']) {
      const { id } = await started(tenant, formId, { action, filter: {} });
      expect(await endedJob(tenant.admin, id)).toMatchObject({
        state: 'done',
        counts: { changed: 250, skipped: 0 },
      });
    }
    const { body } = await tenant.admin.get<{ total: number }>(`${pathOf(formId)}?total=exact`);
    expect(body.total).toBe(250);
  });
});
