import { eventually } from '@canvass/testing';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { endedJob, fillForm, jobsPath } from './job-calls';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({
    submitter: { ProfileSnapshotFields: ['dept'] },
    quotas: { ExportBytes: 1_000_000 },
  });
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);
const exportsOf = (formId: string) => `${pathOf(formId)}/exports`;

interface Export {
  id: string;
  formId: string;
  state: string;
  total: number;
  done: number;
  bytes: number | null;
  expiresAt: string | null;
  error: string | null;
}

async function exported(tenant: Tenant, formId: string, body: object = {}): Promise<Export> {
  const reply = await tenant.admin.post<Export>(exportsOf(formId), body);
  expect([reply.status, reply.headers.get('location')]).toEqual([202, `/api/exports/${reply.body.id}`]);
  await endedJob(tenant.admin, reply.body.id);
  return (await tenant.admin.get<Export>(`/api/exports/${reply.body.id}`)).body;
}

const request = (tenant: Tenant, path: string, body?: object) =>
  fetch(test.service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const fileOf = (tenant: Tenant, id: string) => request(tenant, `/api/exports/${id}/file`);

/** With its byte order mark, which `text()` drops. */
const textOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer()).toString();

const storedParts = async (id: string) =>
  (await test.db.query<{ part: number }>('select part from export_parts where job_id = $1', [id])).length;

const definition = {
  elements: [{ type: 'dropdown', name: 'n', choices: [{ value: 1, text: 'One' }] }],
};

describe('an export as a job', () => {
  it.each([
    {},
    { raw: true },
    { bom: true, separator: ';', idsAsText: true },
    { bom: true, separator: '\t', answers: 'columns' },
    { format: 'ndjson' },
    { format: 'json' },
    { answers: 'columns' },
    { answers: 'columns', labels: true },
    { filter: ['answers.n>:600'] },
    { format: 'json', filter: ['answers.n:none'] },
    { filter: ['answers.n:none'] },
  ])('%j has the same bytes as a stream', async (body) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ name: 'Survey ä', definition });
    await begin(formId, { jsonData: '{"n":"=1+1, \\"q\\"\\n"}' });
    await fillForm(test, tenant, formId, 620);
    const { id, state, bytes, expiresAt } = await exported(tenant, formId, body);
    expect([state, Date.parse(expiresAt!) > Date.now()]).toEqual(['done', true]);
    const file = await fileOf(tenant, id);
    const stream = await request(tenant, `${pathOf(formId)}/export`, body);
    const text = await textOf(file);
    expect(text).toBe(await textOf(stream));
    expect([file.status, Number(file.headers.get('content-length'))]).toEqual([200, bytes]);
    expect(Buffer.byteLength(text)).toBe(bytes);
    for (const header of ['content-type', 'content-disposition'])
      expect(file.headers.get(header)).toBe(stream.headers.get(header));
  });

  it('leaves out what is created after the request or deleted before its step', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const kept = await begin(formId);
    const { id } = await exported(tenant, formId, { format: 'json' });
    await begin(formId);
    const views = (await (await fileOf(tenant, id)).json()) as Submission[];
    expect(views.map((view) => view['id'])).toEqual([kept['id']]);
  });

  it('has an event for its start and its end, with ids and states', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await exported(tenant, formId);
    const events = await test.events({ entityId: id });
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['export.running', { id, formId, revision: '1', state: 'running' }],
      ['export.done', { id, formId, revision: '2', state: 'done' }],
    ]);
  });

  it('records the start and each download', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await exported(tenant, formId, { reason: 'yearly report' });
    await (await fileOf(tenant, id)).text();
    const rows = await test.db.query(
      `select action, object_id, after->>'exportId' as export from audit
       where tenant_id = $1 and action like 'submission%' order by id`,
      [tenant.id],
    );
    expect(rows).toEqual([
      { action: 'submission_export.started', object_id: id, export: null },
      { action: 'submission.exported', object_id: formId, export: id },
    ]);
  });
});

describe('the end of an export', () => {
  /** Cancelled exports, whose parts are deleted as those of an expired one. */
  const toBeDeleted: string[] = [];

  it('a cancelled one has no file', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 600);
    const [{ id }] = [(await tenant.admin.post<Export>(exportsOf(formId), {})).body];
    await tenant.admin.post(`${jobsPath}/${id}/cancel`);
    const { state } = await endedJob(tenant.admin, id);
    expect(['cancelled', 'done']).toContain(state);
    await test.db.query(`update jobs set state = 'cancelled', result = null where id = $1`, [id]);
    expect((await fileOf(tenant, id)).status).toBe(409);
    expect((await test.events({ entityId: id })).map(({ type }) => type)).toContain('export.cancelled');
    toBeDeleted.push(id);
  });

  it('an expired file is a 404 at once, and is deleted within half a minute', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await begin(formId);
    const { id } = await exported(tenant, formId);
    expect(await storedParts(id)).toBe(1);
    await test.db.query(
      `update jobs set result = (jsonb_set(result::jsonb, '{expiresAt}', '"2026-01-01T00:00:00.000Z"'))::json where id = $1`,
      [id],
    );
    expect((await fileOf(tenant, id)).status).toBe(404);
    for (const each of [...toBeDeleted, id])
      await eventually(async () => expect(await storedParts(each)).toBe(0), { timeoutMs: 90_000 });
  }, 120_000);

  it('an erasure ends the exports with the submission, and no others', async () => {
    const tenant = tenantOf(test);
    const [formId, otherForm] = [await tenant.form(), await tenant.form()];
    const { id: submissionId } = await begin(formId, { jsonData: '{"name":"canary-7"}' });
    await begin(otherForm);
    const [file, other] = [await exported(tenant, formId), await exported(tenant, otherForm)];
    await test.db.query(
      `insert into jobs (tenant_id, kind, request, total, next_step_at)
       select $1, 'submission_export', json_build_object('formId', $2::text), 1, now() + interval '1 hour'`,
      [tenant.id, formId],
    );
    await begin(formId);
    const { status } = await tenant.admin.delete(`${pathOf(formId)}/${submissionId}?erase=true`);
    expect(status).toBe(204);
    const { id: later } = await exported(tenant, formId);
    expect((await fileOf(tenant, file.id)).status).toBe(409);
    const { items } = (
      await tenant.admin.get<{ items: { id: string; state: string; error: string | null }[] }>(jobsPath)
    ).body;
    expect(items.map(({ state, error }) => [state, error?.includes('erased') ?? null])).toEqual([
      ['done', null],
      ['failed', true],
      ['done', null],
      ['failed', true],
    ]);
    expect((await test.events({ entityId: file.id })).map(({ type, revision }) => [type, revision])).toEqual([
      ['export.running', '1'],
      ['export.done', '2'],
      ['export.failed', '3'],
    ]);
    await eventually(async () => expect(await storedParts(file.id)).toBe(0), { timeoutMs: 60_000 });
    for (const id of [other.id, later]) expect((await fileOf(tenant, id)).status).toBe(200);
  }, 120_000);

  it('fails with a sentence when the files of the tenant reach the quota', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fillForm(test, tenant, formId, 4_000);
    const failed = await exported(tenant, formId, { format: 'json' });
    expect(failed).toMatchObject({
      state: 'failed',
      bytes: null,
      error: expect.stringContaining('exportBytes') as string,
    });
    expect((await fileOf(tenant, failed.id)).status).toBe(409);
    const refused = await tenant.admin.post(exportsOf(formId), {});
    expect([refused.status, refused.body['errorCode']]).toEqual([403, 'quota_exceeded']);
  });

  it('a tenant has at most five running exports', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await test.db.query(
      `insert into jobs (tenant_id, kind, request, total, next_step_at)
       select $1, 'submission_export', '{"formId":"1"}', 0, now() + interval '1 hour' from generate_series(1, 5)`,
      [tenant.id],
    );
    expect((await tenant.admin.post(exportsOf(formId), {})).status).toBe(409);
  });
});

describe('rights and bad requests', () => {
  it('belongs to the tenant, needs Submissions.Export, and the form of a restricted account', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await begin(formId);
    const { id } = await exported(tenant, formId);
    for (const path of [`/api/exports/${id}`, `/api/exports/${id}/file`]) {
      expect((await tenantOf(test).admin.get(path)).status).toBe(404);
      expect((await tenant.user().get(path)).status).toBe(403);
      expect((await tenant.as('Integration').get(path)).status).toBe(403);
    }
    expect((await tenant.as('Integration').post(exportsOf(formId), {})).status).toBe(403);
    expect((await tenantOf(test).admin.post(exportsOf(formId), {})).status).toBe(404);
    expect((await tenant.admin.get('/api/exports/1')).status).toBe(404);
  });

  it.each([
    [{ format: 'xml' }, 'format'],
    [{ format: 'json', answers: 'columns' }, 'answers'],
    [{ filter: ['odd:1'] }, 'filter[0]'],
    [{ reason: '' }, 'reason'],
    [{ other: 1 }, 'other'],
  ])('%j is a 400 that names %s', async (body, field) => {
    const tenant = tenantOf(test);
    const reply = await tenant.admin.post<{ errors: object }>(exportsOf(await tenant.form()), body);
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([400, [field]]);
  });
});
