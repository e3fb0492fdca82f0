import { startHarness, tenantOf, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin, eventsOf } = submissionCalls(() => test);

interface Link {
  id: string;
  token: string;
  [name: string]: unknown;
}

/** A form with a submission that is begun, and calls of its links. */
async function begun(settings: Record<string, unknown> = {}) {
  const tenant = tenantOf(test);
  const formId = await tenant.form(settings);
  const { id } = await begin(formId, { jsonData: '{"a":1}' });
  const links = `${pathOf(formId)}/${id}/links`;
  const link = async (right: string, more: object = {}) =>
    (await tenant.admin.post<Link>(links, { right, ...more })).body;
  const header = ({ token }: Link) => ({ 'x-submission-token': token });
  const path = `${pathOf(formId)}/by-token`;
  const read = (of: Link) => anonymous().get<Submission>(path, header(of));
  const save = (of: Link, body: object) => anonymous().call<Submission>('PATCH', path, body, header(of));
  return { tenant, formId, id: id!, links, link, read, save };
}

describe('a link to a submission', () => {
  it('is shown with its token once, and listed without it, with its last use', async () => {
    const { tenant, links, link, read } = await begun();
    const made = await link('view', { note: 'For Ada', expiresAt: new Date(Date.now() + 60_000) });
    expect(made).toMatchObject({
      right: 'view',
      note: 'For Ada',
      token: expect.stringMatching(/^l[\w-]{43}$/) as string,
      lastUsedAt: null,
      revokedAt: null,
    });
    await read(made);
    const { token: _, ...shown } = made;
    const listed = await tenant.admin.get<{ items: Link[] }>(links);
    expect(listed.body.items).toEqual([{ ...shown, lastUsedAt: expect.any(String) as string }]);
    const [row] = await test.db.query<Record<string, unknown>>(
      'select row_to_json(l)::text as text from submission_links l where id = $1',
      [made.id],
    );
    expect(String(row!['text'])).not.toContain(made.token);
  });

  it('that views reads, also after completion, and does not save', async () => {
    const { id, link, read, save } = await begun();
    const [view, complete] = [await link('view'), await link('continue')];
    expect((await save(complete, { isComplete: true })).status).toBe(200);
    expect((await read(view)).body).toMatchObject({ id, isComplete: true, token: null, linkRight: 'view' });
    const refused = await save(view, { jsonData: '{}' });
    expect([refused.status, refused.body]).toMatchObject([403, { errorCode: 'link_only_views' }]);
  });

  it('that continues saves until the submission is complete', async () => {
    const { id, link, save, read } = await begun();
    const made = await link('continue');
    expect((await save(made, { jsonData: '{"a":2}' })).body).toMatchObject({
      jsonData: '{"a":2}',
      linkRight: 'continue',
    });
    expect((await save(made, { metadata: '{"m":1}' })).body).toMatchObject({ metadata: '{"m":1}' });
    expect((await save(made, { isComplete: true })).body).toMatchObject({ isComplete: true });
    const again = await save(made, { jsonData: '{"a":3}' });
    expect([again.status, again.body]).toMatchObject([409, { errorCode: 'submission_completed' }]);
    expect((await read(made)).body).toMatchObject({ id, jsonData: '{"a":2}', isComplete: true });
    expect((await eventsOf(id)).map(([type]) => type)).toEqual([
      'created',
      'updated',
      'updated',
      'completed',
    ]);
  });

  it('that edits saves after completion, and after the form has closed; one that continues does not', async () => {
    const { tenant, formId, link, save } = await begun();
    const [edit, more] = [await link('edit'), await link('continue')];
    const closed = { closesAt: new Date(Date.now() - 3_600_000 * 24) };
    expect((await tenant.admin.patch(`/api/forms/${formId}`, closed)).status).toBe(200);
    const late = await save(more, { jsonData: '{"a":5}' });
    expect([late.status, late.body]).toMatchObject([409, { errorCode: 'form_closed' }]);
    expect((await save(edit, { isComplete: true })).status).toBe(200);
    expect((await save(edit, { jsonData: '{"a":4}', metadata: '{"b":1}' })).body).toMatchObject({
      jsonData: '{"a":4}',
      metadata: '{"b":1}',
      isComplete: true,
    });
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: false });
    const disabled = await save(edit, { jsonData: '{"a":6}' });
    expect([disabled.status, disabled.body]).toMatchObject([409, { errorCode: 'form_disabled' }]);
  });

  it('ends when it is revoked, expires, or its submission or form is deleted; each says why', async () => {
    const revoked = await begun();
    const link = await revoked.link('edit');
    const path = `${revoked.links}/${link.id}`;
    expect((await revoked.tenant.admin.call('DELETE', path)).status).toBe(204);
    expect((await revoked.tenant.admin.call('DELETE', path)).status).toBe(204);

    const expired = await begun();
    const old = await expired.link('edit');
    await test.db.query('update submission_links set expires_at = now() where id = $1', [old.id]);

    const deleted = await begun();
    const ended = await deleted.link('edit');
    const submission = `${pathOf(deleted.formId)}/${deleted.id}`;
    expect((await deleted.tenant.admin.call('DELETE', submission)).status).toBe(204);

    const gone = await begun();
    const ofForm = await gone.link('edit');
    expect((await gone.tenant.admin.call('DELETE', `/api/forms/${gone.formId}`)).status).toBe(204);

    const expected = [
      [revoked, link, 'link_revoked'],
      [expired, old, 'link_expired'],
      [deleted, ended, 'link_ended'],
      [gone, ofForm, 'link_ended'],
    ] as const;
    for (const [of, made, errorCode] of expected)
      for (const reply of [await of.read(made), await of.save(made, { jsonData: '{}' })])
        expect([reply.status, reply.body]).toMatchObject([410, { errorCode }]);
    await deleted.tenant.admin.post(`${submission}/restore`, {});
    expect((await deleted.read(ended)).body).toMatchObject({ errorCode: 'link_revoked' });
  });

  it('is deleted with what an erasure removes', async () => {
    const { tenant, formId, id, link, read } = await begun();
    const made = await link('edit', { note: 'Ada Lovelace' });
    await tenant.admin.call('DELETE', `${pathOf(formId)}/${id}?erase=true`);
    expect((await read(made)).status).toBe(404);
    expect(await test.db.query('select from submission_links where id = $1', [made.id])).toEqual([]);
  });

  it('is in the audit trail, made and revoked, without its token', async () => {
    const { tenant, links, id, link } = await begun();
    const made = await link('edit');
    await tenant.admin.call('DELETE', `${links}/${made.id}`);
    const rows = await test.db.query<{ action: string; text: string }>(
      `select action, row_to_json(a)::text as text from audit a where object_id = $1 and action like 'submission_link.%' order by id`,
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['submission_link.created', 'submission_link.revoked']);
    for (const { text } of rows) expect(text).not.toContain(made.token);
  });

  it('refuses what is wrong, and more than a hundred', async () => {
    const { tenant, id, links, link } = await begun();
    for (const [body, field] of [
      [{}, 'right'],
      [{ right: 'all' }, 'right'],
      [{ right: 'view', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ right: 'view', expiresAt: '2200-01-01T00:00:00Z' }, 'expiresAt'],
      [{ right: 'view', note: 'x'.repeat(501) }, 'note'],
      [{ right: 'view', expires: 1 }, 'expires'],
    ] as const) {
      const { status, body: problem } = await tenant.admin.post<{ errors: object }>(links, body);
      expect([status, Object.keys(problem.errors)]).toEqual([400, [field]]);
    }
    for (let n = 0; n < 100; n += 1) await link('view');
    const last = await tenant.admin.post(links, { right: 'view' });
    expect([last.status, last.body]).toMatchObject([409, { errorCode: 'conflict' }]);
    // One that ended more than 30 days ago does not count.
    await test.db.query(
      `update submission_links set revoked_at = now() - interval '31 days'
       where id = (select min(id) from submission_links where submission_id = $1)`,
      [id],
    );
    expect(await link('view')).toMatchObject({ right: 'view' });
  });

  it('is of one form and one tenant', async () => {
    const [one, other] = [await begun(), await begun()];
    const made = await one.link('edit');
    expect((await other.read(made)).status).toBe(404);
    expect((await other.tenant.admin.get(one.links)).status).toBe(404);
    expect((await other.tenant.admin.post(one.links, { right: 'edit' })).status).toBe(404);
    const path = `${one.links}/${made.id}`;
    expect((await other.tenant.admin.call('DELETE', path)).status).toBe(404);
    expect((await one.tenant.admin.call('DELETE', `${other.links}/${made.id}`)).status).toBe(404);
    expect((await one.read(made)).status).toBe(200);
  });
});

describe('a link to a submission of a private form', () => {
  it('shows the form, and gives a token for its lists for ten minutes, until it is revoked', async () => {
    const { tenant, formId, links, link } = await begun();
    const made = await link('view');
    await tenant.admin.patch(`/api/forms/${formId}`, { isPublic: false });
    const header = { 'x-submission-token': made.token };
    const form = `/api/public/forms/${formId}`;
    expect((await anonymous().get(form)).status).toBe(401);
    expect((await anonymous().get(form, header)).body).toMatchObject({ id: formId });
    const issued = await anonymous().post<{ expiresAtUtc: string }>(
      `${form}/access-tokens`,
      undefined,
      header,
    );
    expect(issued.status).toBe(200);
    expect(Date.parse(issued.body.expiresAtUtc) - Date.now()).toBeLessThanOrEqual(600_000);
    const other = await begun({ isPublic: true });
    const foreign = { 'x-submission-token': (await other.link('view')).token };
    expect((await anonymous().get(form, foreign)).status).toBe(404);
    await tenant.admin.call('DELETE', `${links}/${made.id}`);
    for (const reply of [
      await anonymous().get(form, header),
      await anonymous().post(`${form}/access-tokens`, undefined, header),
    ])
      expect([reply.status, reply.body]).toMatchObject([410, { errorCode: 'link_revoked' }]);
  });
});

describe('a create on behalf that asks for a link', () => {
  const submitter = { externalSubjectId: 'crm-1', displayId: 'Ada' };

  it('makes both, and shows the token once', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const body = { submitter, link: { right: 'continue', note: 'Mail' } };
    const path = `${pathOf(formId)}/onbehalf`;
    const key = { 'idempotency-key': 'on-behalf-with-link' };
    const first = await tenant.admin.call<{ id: string; link: Link }>('POST', path, body, key);
    expect([first.status, first.body]).toMatchObject([201, { link: { right: 'continue', note: 'Mail' } }]);
    const headers = { 'x-submission-token': first.body.link.token };
    const read = await anonymous().get(`${pathOf(formId)}/by-token`, headers);
    expect([read.status, read.body]).toMatchObject([200, { id: first.body.id, linkRight: 'continue' }]);
    const again = await tenant.admin.call<{ link: Link }>('POST', path, body, key);
    expect([again.status, again.body.link]).toMatchObject([201, { id: first.body.link.id, token: null }]);
    expect((await tenant.admin.post(path, {})).body).toMatchObject({ link: null });
  });

  it('makes none if the submission is refused', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const path = `${pathOf(formId)}/onbehalf`;
    await tenant.admin.post(path, { submitter });
    const again = await tenant.admin.post(path, { submitter, link: { right: 'view' } });
    expect([again.status, again.body]).toMatchObject([409, { errorCode: 'submission_already_exists' }]);
  });
});
