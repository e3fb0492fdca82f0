import { randomUUID } from 'node:crypto';
import { client, startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

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
  it('accepts the members of a body in any order, but no other body', async () => {
    const tenant = tenantOf(test);
    const key = keyed();
    const send = (who: typeof tenant.admin, body: object) => who.post('/api/forms', body, key);
    expect((await send(tenant.admin, { name: 'A', isEnabled: true })).status).toBe(201);
    expect((await send(tenant.admin, { isEnabled: true, name: 'A' })).status).toBe(201);
    const other = await send(tenant.admin, { name: 'B', isEnabled: true });
    expect([other.status, other.body['errorCode']]).toEqual([409, 'idempotency_key_reused']);
  });

  it('is of one tenant, one caller and one route', async () => {
    const [one, two] = [tenantOf(test), tenantOf(test)];
    const key = keyed();
    const formIds = await Promise.all([one.form(), one.form(), two.form()]);
    const answers = await Promise.all(
      formIds.map((formId) => anonymous().post<Submission>(pathOf(formId), {}, key)),
    );
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(3);
    const form = { name: 'A', isEnabled: true };
    const callers = [one.admin, one.as('Admin', { sub: '12' })];
    const forms = await Promise.all(callers.map((caller) => caller.post('/api/forms', form, key)));
    expect(forms.map(({ status }) => status)).toEqual([201, 201]);
    expect(forms[0]!.body['id']).not.toBe(forms[1]!.body['id']);
    const staff = await one.admin.post<Submission>(pathOf(formIds[0]!), { currentPage: 1 }, key);
    expect([staff.status, staff.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('is the same key for other spellings of the path', async () => {
    const formId = await tenantOf(test).form();
    const key = keyed();
    const paths = [pathOf(formId), `${pathOf(formId)}/`, pathOf(`0${formId}`)];
    const answers = await Promise.all(paths.map((path) => anonymous().post<Submission>(path, {}, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
  });

  it.each([
    ['1', 400],
    ['crm-order-4711', 400],
    ['x'.repeat(21), 400],
    ['a key with spaces and 128 bits', 400],
    ['x'.repeat(22), 201],
    [randomUUID(), 201],
    [randomUUID().toUpperCase(), 201],
  ])('%s of an anonymous caller: %d, because it must have 128 bits', async (key, status) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const answer = await anonymous().post(pathOf(formId), {}, keyed(key));
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body['errors']).toEqual({
        'Idempotency-Key': [expect.stringContaining('128 random bits')],
      });
    expect((await tenant.admin.post(pathOf(formId), {}, keyed(key))).status).toBe(201);
  });

  it('of an anonymous caller is kept for an hour, of others for a day', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await anonymous().post(pathOf(formId), {}, keyed());
    await tenant.admin.post(pathOf(formId), {}, keyed());
    const kept = await test.db.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::integer as hours
       from idempotency_keys where tenant_id = $1 order by 1`,
      [tenant.id],
    );
    expect(kept.map(({ hours }) => hours)).toEqual([1, 24]);
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

describe('the submission token', () => {
  const uses: [string, (path: string) => Promise<{ status: number }>][] = [
    ['reads', (path) => anonymous().get(path)],
    ['saves', (path) => anonymous().patch(path, { jsonData: '{"diagnosis":"x"}' })],
    ['merges metadata', (path) => anonymous().patch(path, { metadata: '{"a":1}' })],
    ['completes', (path) => anonymous().patch(path, { isComplete: true })],
  ];
  it.each(uses)('is not in a repeated response after its holder %s', async (_, use) => {
    const formId = await tenantOf(test).form();
    const key = keyed();
    const send = () => anonymous().post<Submission>(pathOf(formId), { jsonData: '{}' }, key);
    const first = await send();
    expect((await send()).body['token']).toBe(first.body['token']);
    expect((await use(byToken(formId, first.body['token']))).status).toBe(200);
    const again = await send();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual({ ...first.body, token: null });
  });

  it('of a submission on behalf is not in a repeated response either', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = keyed();
    const integration = tenant.as('Integration');
    const send = () => integration.post<Submission>(`${pathOf(formId)}/onbehalf`, {}, key);
    const { body } = await send();
    expect((await anonymous().get(byToken(formId, body['token']))).status).toBe(200);
    expect((await send()).body['token']).toBeNull();
  });

  it('of a respondent cannot be got by a client that guesses a key', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const victim = await anonymous().post<Submission>(pathOf(formId), { jsonData: '{}' }, keyed('1'));
    expect(victim.status).toBe(400);
    const user = tenant.user();
    const own = await user.post<Submission>(pathOf(formId), { jsonData: '{}' }, keyed('1'));
    expect(own.status).toBe(201);
    for (const attacker of [anonymous(), tenant.user({ sub: '22' }), tenant.admin]) {
      const { body } = await attacker.post<Submission>(pathOf(formId), { jsonData: '{}' }, keyed('1'));
      expect(body['id']).not.toBe(own.body['id']);
      expect(body['errorCode']).not.toBe('idempotency_key_reused');
    }
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
    expect((await tenant.admin.get(`${pathOf(formId)}?total=exact`)).body['total']).toBe(1);
  });

  it('with different keys on a gated form: one 201, the others 200 with the same submission', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const user = tenant.user();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.post<Submission>(pathOf(formId), {}, keyed())),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
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
        [tenant.id, `POST ${path}`, Buffer.from(JSON.stringify([null, key['idempotency-key']]))],
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
  expect((await tenant.admin.get(`${pathOf(formId)}?total=exact`)).body['total']).toBe(0);
  await test.db.query('drop trigger refuse_answer on idempotency_keys; drop function refuse_answer');
  expect((await anonymous().post(pathOf(formId), {}, key)).status).toBe(201);
  expect((await tenant.admin.get(`${pathOf(formId)}?total=exact`)).body['total']).toBe(1);
  expect(await rowsOf(tenant.id)).toHaveLength(1);
});
