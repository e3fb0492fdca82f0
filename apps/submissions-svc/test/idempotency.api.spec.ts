import { randomUUID } from 'node:crypto';
import { client, startHarness, tenantOf, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous } = submissionCalls(() => test);
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });
const rowsOf = (tenantId: string) =>
  test.db.query<{ answer: string | null; key_hash: Buffer }>(
    'select answer, key_hash from idempotency_keys where tenant_id = $1',
    [tenantId],
  );

describe('a repeated create', () => {
  it('of an anonymous respondent replays status, Location, ETag and body, token included', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = keyed();
    const first = await anonymous().post<Submission>(pathOf(formId), { jsonData: '{"a":1}' }, key);
    const again = await anonymous().post<Submission>(pathOf(formId), { jsonData: '{"a":1}' }, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(first.body['token']).toMatch(/^[\w-]{43}$/);
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await test.events({ entityId: first.body['id']! })).toHaveLength(1);
  });

  it('keeps neither the key nor the token where a reader of the table would see it', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = keyed();
    const { body } = await anonymous().post<Submission>(pathOf(formId), {}, key);
    const [row] = await rowsOf(tenant.id);
    expect(row!.answer).toMatch(/^v1\.k1\./);
    expect(JSON.stringify(row)).not.toContain(body['token']);
    expect(row!.key_hash).toHaveLength(32);
  });

  it.each(['/api', ''])('on behalf, at %s/forms, is one route with its twin', async (prefix) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const integration = tenant.as('Integration');
    const key = keyed();
    const body = { submitter: { externalSubjectId: 's1', displayId: 'One' } };
    const first = await integration.post<Submission>(
      `${prefix}${pathOf(formId).slice(4)}/onbehalf`,
      body,
      key,
    );
    const again = await integration.post<Submission>(`${pathOf(formId)}/onbehalf`, body, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });

  it('of a form, with webhook settings, makes one form and one set of events', async () => {
    const tenant = tenantOf(test);
    const key = keyed();
    const body = { name: 'Once', isEnabled: true, webHookSettingsJson: '{}' };
    const first = await tenant.admin.post('/api/forms', body, key);
    const again = await tenant.admin.post('/api/forms', body, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(`/api/forms/${String(first.body['id'])}`);
    expect((await test.events({ tenantId: tenant.id })).map(({ type }) => type)).toEqual([
      'form.webhook_settings_changed',
      'form.created',
    ]);
  });
});

describe('a key', () => {
  it('accepts the members of a body in any order, but no other body, caller or query', async () => {
    const tenant = tenantOf(test);
    const key = keyed();
    const send = (who: typeof tenant.admin, body: object) => who.post('/api/forms', body, key);
    expect((await send(tenant.admin, { name: 'A', isEnabled: true })).status).toBe(201);
    expect((await send(tenant.admin, { isEnabled: true, name: 'A' })).status).toBe(201);
    const other = await send(tenant.admin, { name: 'B', isEnabled: true });
    expect([other.status, other.body['errorCode']]).toEqual([409, 'idempotency_key_reused']);
    const colleague = await send(tenant.as('Admin', { sub: '12' }), { name: 'A', isEnabled: true });
    expect([colleague.status, colleague.body['errorCode']]).toEqual([409, 'idempotency_key_reused']);
  });

  it('is of one tenant and one route', async () => {
    const [one, two] = [tenantOf(test), tenantOf(test)];
    const key = keyed('the same everywhere');
    const formIds = await Promise.all([one.form(), one.form(), two.form()]);
    const answers = await Promise.all(
      formIds.map((formId) => anonymous().post<Submission>(pathOf(formId), {}, key)),
    );
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(3);
    expect((await one.admin.post('/api/forms', { name: 'A', isEnabled: true }, key)).status).toBe(201);
  });

  it.each([
    ['x'.repeat(255), 201],
    ['x'.repeat(256), 400],
    ['', 400],
    ['caf\u00e9', 400],
  ])('%#: is 1 to 255 printable characters', async (key, status) => {
    const formId = await tenantOf(test).form();
    const answer = await anonymous().post(pathOf(formId), {}, keyed(key));
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body['errors']).toHaveProperty(['Idempotency-Key']);
  });

  it('of a create that created nothing can be used again', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ isEnabled: false });
    const key = keyed();
    expect((await anonymous().post(pathOf(formId), {}, key)).body['errorCode']).toBe('form_disabled');
    expect(await rowsOf(tenant.id)).toEqual([]);
    await tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: true });
    expect((await anonymous().post(pathOf(formId), {}, key)).status).toBe(201);
    expect((await anonymous().post(pathOf('1'), {}, key)).status).toBe(404);
  });

  it('is forgotten after a day, and removed in the background', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = keyed();
    const first = await anonymous().post<Submission>(pathOf(formId), {}, key);
    await test.db.query(
      `update idempotency_keys set expires_at = now() - interval '1 second' where tenant_id = $1`,
      [tenant.id],
    );
    const later = await anonymous().post<Submission>(pathOf(formId), { currentPage: 1 }, key);
    expect(later.status).toBe(201);
    expect(later.body['id']).not.toBe(first.body['id']);
  });
});

describe('twins at the same moment', () => {
  it('20 anonymous creates with one key make one submission', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = keyed();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => anonymous().post<Submission>(pathOf(formId), {}, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body['token'])).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect((await tenant.admin.get(pathOf(formId))).body['totalRecords']).toBe(1);
  });

  it('with different keys on a gated form: one 201, the others 409 with the existing id', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const user = tenant.user();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.post<Submission>(pathOf(formId), {}, keyed())),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
    const { id } = answers.find(({ status }) => status === 201)!.body;
    expect(answers.every(({ status, body }) => status === 201 || body['existingId'] === id)).toBe(true);
  });

  it('get a Retry-After when the first one takes too long', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = keyed();
    // Holds the key as a first request would that does not end.
    const path = `${pathOf(formId).slice(4)}`;
    await test.db.transaction(async (tx) => {
      await tx.query(
        `insert into idempotency_keys (tenant_id, route, key_hash, fingerprint) values ($1, $2, sha256($3::bytea), '')`,
        [tenant.id, `POST ${path}`, Buffer.from(key['idempotency-key'])],
      );
      const late = await client(test.service.url).post(pathOf(formId), {}, key);
      expect([late.status, late.headers.get('retry-after')]).toEqual([409, '1']);
      await tx.query('delete from idempotency_keys where tenant_id = $1', [tenant.id]);
    });
    expect((await anonymous().post(pathOf(formId), {}, key)).status).toBe(201);
  });
});

it('a transaction that is lost after the create leaves neither submission nor key, and a repetition makes one', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const key = keyed();
  // The answer cannot be kept: what a crash between the change and its record would come to.
  await test.db.query(`
    create function refuse_answer() returns trigger language plpgsql as $$ begin raise 'crash' using errcode = '57P01'; end $$;
    create trigger refuse_answer before update of answer on idempotency_keys
      for each row when (new.answer is not null and new.tenant_id = ${tenant.id}) execute function refuse_answer()`);
  expect((await anonymous().post(pathOf(formId), {}, key)).status).toBe(503);
  expect((await tenant.admin.get(pathOf(formId))).body['totalRecords']).toBe(0);
  await test.db.query('drop trigger refuse_answer on idempotency_keys; drop function refuse_answer');
  expect((await anonymous().post(pathOf(formId), {}, key)).status).toBe(201);
  expect((await tenant.admin.get(pathOf(formId))).body['totalRecords']).toBe(1);
  expect(await rowsOf(tenant.id)).toHaveLength(1);
});
