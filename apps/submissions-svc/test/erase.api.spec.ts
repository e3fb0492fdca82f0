import { behindLock } from '@canvass/testing';
import { client, startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['dept'] } });
});
afterAll(() => test.close());

const { eventsOf } = submissionCalls(() => test);
const secret = 'Ada Lovelace';

/** A respondent with an open, a complete and a deleted submission on two forms, one of them gated. */
async function respondent(tenant: Tenant) {
  const forms = [await tenant.form({ limitOnePerUser: true }), await tenant.form()] as const;
  const answer = async (formId: string, jsonData: string) => {
    const submitter = { externalSubjectId: 'ada', displayId: secret, profile: { dept: 'Secret dept' } };
    const path = `${pathOf(formId)}/onbehalf`;
    const { body } = await tenant.as('Integration').post<Submission>(path, { jsonData, submitter });
    return body;
  };
  const gated = await answer(forms[0], '{"a":1}');
  const open = await answer(forms[1], '{"b":1}');
  const deleted = await answer(forms[1], '{"c":1}');
  await tenant.admin.patch(`${pathOf(forms[0])}/${gated['id']}`, { jsonData: '{"a":2}', isComplete: true });
  await tenant.admin.delete(`${pathOf(forms[1])}/${deleted['id']}`);
  return { forms, gated, open, deleted, id: gated['submitterId']!, answer };
}

const everything = async (tenantId: string) =>
  JSON.stringify([
    await test.db.query('select * from submissions where tenant_id = $1', [tenantId]),
    await test.db.query('select * from submitters where tenant_id = $1', [tenantId]),
    await test.db.query('select * from submission_versions where tenant_id = $1', [tenantId]),
  ]);

describe('GET /api/submitters/{id}/export', () => {
  it('is all that is stored of a person, deleted and former answers too', async () => {
    const tenant = tenantOf(test);
    const { id, gated, deleted } = await respondent(tenant);
    const { status, body, headers } = await tenant.admin.get<{
      submitter: Record<string, unknown>;
      submissions: Record<string, unknown>[];
      formerAnswers: Record<string, unknown>[];
    }>(`/api/submitters/${id}/export`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body.submitter).toMatchObject({ id, displayId: secret, profile: { dept: 'Secret dept' } });
    expect(body.submissions).toHaveLength(3);
    expect(body.submissions[0]).toMatchObject({
      id: gated['id'],
      formName: 'A form',
      deletedAt: null,
      jsonData: '{"a":2}',
    });
    expect(body.submissions.find((one) => one['id'] === deleted['id'])!['deletedAt']).toMatch(/Z$/);
    expect(body.formerAnswers).toMatchObject([
      { submissionId: gated['id'], revision: '1', jsonData: '{"a":1}' },
    ]);
  });

  it('needs Submissions.Export and a respondent of the tenant', async () => {
    const tenant = tenantOf(test);
    const { id } = await respondent(tenant);
    expect((await tenant.as('Integration').get(`/api/submitters/${id}/export`)).status).toBe(403);
    expect((await tenantOf(test).admin.get(`/api/submitters/${id}/export`)).status).toBe(404);
  });
});

describe('DELETE /api/submitters/{id}', () => {
  it('erases the person everywhere and keeps anonymous answers, one event per submission without a gap', async () => {
    const tenant = tenantOf(test);
    const { id, forms, gated, open, deleted, answer } = await respondent(tenant);
    expect((await tenant.admin.delete(`/api/submitters/${id}`)).status).toBe(204);
    const stored = await everything(tenant.id);
    for (const trace of [secret, 'Secret dept', '"ada"', `"${id}"`, `:${id}`])
      expect(stored).not.toContain(trace);
    const { body } = await tenant.admin.get(`${pathOf(forms[0])}/${gated['id']}`);
    expect(body).toMatchObject({
      jsonData: '{"a":2}',
      isComplete: true,
      submitterId: null,
      submitterDisplayId: null,
      submitterProfileSnapshot: null,
      submittedBy: null,
      revision: '3',
    });
    expect(await eventsOf(gated['id'])).toEqual([
      ['created', 1],
      ['completed', 2],
      ['updated', 3],
      ['erased', 3],
    ]);
    expect(await eventsOf(open['id'])).toEqual([
      ['created', 1],
      ['updated', 2],
      ['erased', 2],
    ]);
    expect(await eventsOf(deleted['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
      ['erased', 2],
    ]);
    expect((await tenant.admin.get(`/api/submitters/${id}`)).status).toBe(404);
    expect((await tenant.admin.delete(`/api/submitters/${id}`)).status).toBe(404);
    const again = await answer(forms[0], '{}');
    expect(again['submitterId']).not.toBe(id);
  });

  it('with submissions=delete removes the answers too, former ones included', async () => {
    const tenant = tenantOf(test);
    const { id, forms, gated, open, deleted } = await respondent(tenant);
    expect((await tenant.admin.delete(`/api/submitters/${id}?submissions=delete`)).status).toBe(204);
    const stored = await everything(tenant.id);
    for (const trace of [secret, '\\"a\\"', '\\"b\\"', '\\"c\\"']) expect(stored).not.toContain(trace);
    expect((await tenant.admin.get(`${pathOf(forms[0])}/${gated['id']}`)).status).toBe(404);
    expect((await tenant.admin.get(`${pathOf(forms[1])}?total=exact`)).body['total']).toBe(0);
    expect(await eventsOf(gated['id'])).toEqual([
      ['created', 1],
      ['completed', 2],
      ['deleted', 3],
      ['erased', 3],
    ]);
    expect(await eventsOf(open['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
      ['erased', 2],
    ]);
    expect(await eventsOf(deleted['id'])).toEqual([
      ['created', 1],
      ['deleted', 2],
      ['erased', 2],
    ]);
    const last = (await test.events({ entityId: open['id']! })).at(-1)!;
    expect(JSON.stringify(last.data)).not.toContain(secret);
  });

  it('is reported with ids only', async () => {
    const tenant = tenantOf(test);
    const { id, open } = await respondent(tenant);
    await tenant.admin.delete(`/api/submitters/${id}?submissions=delete`);
    const [report] = await test.events({ entityId: id });
    expect(report).toMatchObject({ type: 'submitter.erased', data: { id, answers: 'deleted' } });
    const [, deleted, erased] = await test.events({ entityId: open['id']! });
    const ids = { id: open['id'], formId: open['formId'], revision: '2' };
    expect(deleted!.data).toEqual(ids);
    expect(erased!.data).toEqual({ ...ids, answers: 'deleted' });
  });

  it.each([
    ['keep', { jsonData: '{"b":1}' }],
    ['delete', { jsonData: '{}', metadata: '{}' }],
  ])(
    'with submissions=%s erases unpublished and unpublishable events and kept responses',
    async (mode, left) => {
      const tenant = tenantOf(test);
      const { id, forms, open } = await respondent(tenant);
      const user = tenant.external({ sub: 'ada-of-keycloak', preferred_username: secret });
      const key = { 'idempotency-key': 'a key' };
      const send = () => user.post<Submission>(pathOf(forms[1]), { jsonData: '{"k":1}' }, key);
      const { body: keyed } = await send();
      const one = `${pathOf(forms[1])}/${open['id']}`;
      expect((await tenant.admin.patch(one, { isComplete: true })).status).toBe(200);
      await test.db.query(
        `insert into outbox_poison (event_id, reason, event)
       select event_id, 'too large', row_to_json(o) from outbox o where entity_id = $1`,
        [open['id']],
      );
      for (const each of [id, keyed['submitterId']])
        expect((await tenant.admin.delete(`/api/submitters/${each}?submissions=${mode}`)).status).toBe(204);
      const ofTenant = `t::text like '%${tenant.id}%'`;
      const rows = await Promise.all(
        ['outbox', 'idempotency_keys', 'outbox_poison'].map((table) =>
          test.db.query<{ row: string }>(`select t::text as row from ${table} t where ${ofTenant}`),
        ),
      );
      const stored = JSON.stringify([rows, await everything(tenant.id)]).replaceAll('\\', '');
      for (const trace of [secret, 'Secret dept', ...(mode === 'delete' ? ['{"b":1}', '{"k":1}'] : [])])
        expect(stored).not.toContain(trace);
      const [, completed] = await test.events({ entityId: open['id']! });
      expect(completed).toMatchObject({ type: 'submission.completed', data: { ...left, submitterId: null } });
      expect((await send()).headers.get('idempotency-replayed')).toBeNull();
    },
  );

  it.each(['keep', 'delete'])('with submissions=%s erases published events that are kept', async (mode) => {
    const tenant = tenantOf(test);
    const { id, open } = await respondent(tenant);
    const columns =
      'event_id, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent, data, created_at';
    await test.db.query(
      `insert into outbox_published (id, ${columns}) select id, ${columns} from outbox where tenant_id = $1`,
      [tenant.id],
    );
    const kept = async () =>
      (
        await test.db.query<{ row: string }>(
          'select t::text as row from outbox_published t where tenant_id = $1',
          [tenant.id],
        )
      )
        .map(({ row }) => row)
        .join('\n');
    expect(await kept()).toContain(secret);
    expect((await tenant.admin.delete(`/api/submitters/${id}?submissions=${mode}`)).status).toBe(204);
    const left = await kept();
    for (const trace of [secret, 'Secret dept', ...(mode === 'delete' ? ['\\"b\\"'] : [])])
      expect(left).not.toContain(trace);
    expect(left).toContain(open['id']); // the event stays, without its data
  });

  it('with submissions=delete keeps no former answer of a save that came in between', async () => {
    const tenant = tenantOf(test);
    const { id, forms, open } = await respondent(tenant);
    const one = `${pathOf(forms[1])}/${open['id']}`;
    const replies = await behindLock(
      test.db,
      (tx) => tx.query('select from submissions where id = $1 for update', [open['id']]),
      [
        () => tenant.admin.patch(one, { jsonData: '{"d":1}' }),
        () => tenant.admin.delete(`/api/submitters/${id}?submissions=delete`),
      ],
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 204]);
    const stored = await everything(tenant.id);
    for (const trace of ['\\"b\\"', '\\"d\\"']) expect(stored).not.toContain(trace);
  });

  it('erases the person as last read: after a further resolution If-Match is a 412, and nothing is erased', async () => {
    const tenant = tenantOf(test);
    const { id, forms, answer } = await respondent(tenant);
    const path = `/api/submitters/${id}`;
    const { headers } = await tenant.admin.get(path);
    const before = headers.get('etag')!;
    expect((await tenant.admin.get(path)).headers.get('etag')).toBe(before);
    await answer(forms[1], '{}');
    for (const etag of [before, '"1"']) {
      const refused = await tenant.admin.delete(path, { 'if-match': etag });
      expect([refused.status, refused.body['errorCode']]).toEqual([412, 'revision_mismatch']);
    }
    const now = await tenant.admin.get(path);
    expect(now.status).toBe(200);
    expect((await tenant.admin.delete(path, { 'if-match': now.headers.get('etag')! })).status).toBe(204);
  });

  it('needs Submissions.Erase, a respondent of the tenant and a known word', async () => {
    const tenant = tenantOf(test);
    const { id } = await respondent(tenant);
    expect((await tenant.as('Editor').delete(`/api/submitters/${id}`)).status).toBe(403);
    expect((await tenantOf(test).admin.delete(`/api/submitters/${id}`)).status).toBe(404);
    expect((await tenant.admin.delete(`/api/submitters/${id}?submissions=all`)).status).toBe(400);
    expect((await tenant.admin.get(`/api/submitters/${id}`)).status).toBe(200);
  });

  it('during a create leaves no submission without its submitter', async () => {
    const tenant = tenantOf(test);
    const { id, forms, answer } = await respondent(tenant);
    const answers = Array.from({ length: 15 }, () => answer(forms[1], '{}'));
    const [erased, ...made] = await Promise.all([tenant.admin.delete(`/api/submitters/${id}`), ...answers]);
    expect(erased.status).toBe(204);
    expect(made.every((one) => one['id'] !== undefined)).toBe(true);
    expect(await everything(tenant.id)).not.toContain(`"${id}"`);
  });
});

describe('DELETE /api/forms/{formId}/submissions/{submissionId}?erase=true', () => {
  it.each([
    ['an open submission', false],
    ['a submission that was deleted before', true],
  ])('erases the answers of an anonymous respondent: %s', async (_, isDeleted) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = { 'idempotency-key': 'x'.repeat(22) };
    const send = () =>
      client(test.service.url).post<Submission>(pathOf(formId), { jsonData: '{"canary":1}' }, key);
    const { body } = await send();
    const one = `${pathOf(formId)}/${body['id']}`;
    await tenant.admin.patch(one, { jsonData: '{"canary":2}' });
    if (isDeleted) await tenant.admin.delete(one);
    expect((await tenant.as('Editor').delete(`${one}?erase=true`)).status).toBe(403);
    expect((await tenant.admin.delete(`${one}?erase=true`, { 'if-match': '"9"' })).status).toBe(412);
    expect((await tenantOf(test).admin.delete(`${one}?erase=true`)).status).toBe(404);
    expect((await tenant.admin.delete(`${one}?erase=true`)).status).toBe(204);
    for (const table of ['submissions', 'submission_versions', 'outbox', 'idempotency_keys']) {
      const rows = await test.db.query(`select t::text as row from ${table} t where tenant_id = $1`, [
        tenant.id,
      ]);
      expect(JSON.stringify(rows)).not.toContain('canary');
    }
    const types = ['created', 'updated', 'deleted', 'erased'];
    expect((await eventsOf(body['id'])).map(([type]) => type)).toEqual(types);
    expect((await tenant.admin.get(one)).status).toBe(404);
    expect((await send()).headers.get('idempotency-replayed')).toBeNull();
  });

  it('without it the answers stay', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { body } = await client(test.service.url).post<Submission>(pathOf(formId), { jsonData: '{"a":1}' });
    await tenant.admin.delete(`${pathOf(formId)}/${body['id']}`);
    expect(await everything(tenant.id)).toContain('\\"a\\"');
  });
});
