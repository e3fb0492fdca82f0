import { eventually } from '@canvass/testing';
import { operate } from '../src/operate';
import { recountAnswers } from '../src/quotas';
import { configSchema, type SubmissionsConfig } from '../src/config';
import { client, newEncryptionKey, startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { byToken, pathOf, submissionCalls, together } from './submission-calls';

const limits = {
  SubmissionsPerDay: 10,
  AnonymousSubmissionsPerFormAndDay: 5,
  AnswerBytes: 1_000,
  Forms: 3,
  WebhookEndpoints: 2,
};

const encryptionKeys = [newEncryptionKey('k1')];

let test: Harness;
let second: Harness;
beforeAll(async () => {
  test = await startHarness({ quotas: limits, encryptionKeys, allowedNetworks: ['127.0.0.0/8'] });
  second = await startHarness({ quotas: limits, encryptionKeys, databaseOf: test.databaseUrl });
});
afterAll(async () => {
  await second.close();
  await test.close();
});
const { anonymous } = submissionCalls(() => test);

interface QuotaState {
  name: string;
  limit: number | null;
  used: number;
  isOwnLimit: boolean;
}

const quotasOf = async (tenant: Tenant) => {
  const { body } = await tenant.admin.get<{ items: QuotaState[] }>('/api/tenant/quotas/forms');
  return Object.fromEntries(body.items.map((quota) => [quota.name, quota]));
};
const usedOf = async (tenant: Tenant, name: string) => (await quotasOf(tenant))[name]!.used;

/** Runs a command of the operator. Returns its status and rows. */
async function ops(...argv: string[]) {
  const out: string[] = [];
  const { Quotas } = (await configSchema
    .extract('Service.Quotas')
    .validateAsync(limits)
    .then((Quotas) => ({ Quotas }))) as Pick<SubmissionsConfig, 'Quotas'>;
  const status = await operate(
    ['quotas', ...argv, '--json'],
    { Database: { Url: test.databaseUrl } as SubmissionsConfig['Database'], Quotas },
    { output: { write: (text) => out.push(text) }, screen: { write: () => undefined } },
  );
  return { status, rows: out.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const countBy = (statuses: number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].sort().map((each) => [each, statuses.filter((s) => s === each).length]),
  );

const endpoints = (count: number) =>
  JSON.stringify({
    Events: {
      FormUpdated: {
        IsEnabled: true,
        WebHookEndpoints: Array.from({ length: count }, (_, n) => ({
          Url: `http://127.0.0.1:9/${n}`,
          Authentication: { Type: 'None' },
        })),
      },
    },
  });

describe('submissions per day', () => {
  it('refuses what parallel creates of one tenant want beyond the quota, with a 429 until midnight', async () => {
    const tenant = tenantOf(test);
    const forms = [await tenant.form(), await tenant.form()];
    await tenant.user().post(pathOf(forms[0]!), {});
    await tenant.user().post(pathOf(forms[1]!), {});
    await eventually(async () => expect(await usedOf(tenant, 'submissionsPerDay')).toBe(2));
    const replies = await together(40, (n) =>
      tenant.user({ sub: String(100 + n) }).post(pathOf(forms[n % 2]!), {}),
    );
    expect(countBy(replies.map(({ status }) => status))).toEqual({ 201: 8, 429: 32 });
    const { body, headers } = replies.find(({ status }) => status === 429)!;
    expect(body).toMatchObject({
      errorCode: 'daily_quota_exceeded',
      quota: 'submissionsPerDay',
      limit: 10,
      used: 10,
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    const [row] = await test.db.query<{ stored: number }>(
      'select count(*)::int as stored from submissions where tenant_id = $1',
      [tenant.id],
    );
    expect(row!.stored).toBe(10);
    await eventually(async () => expect(await usedOf(tenant, 'submissionsPerDay')).toBe(10));
    expect((await tenant.as('Integration').post(`${pathOf(forms[0]!)}/onbehalf`, {})).status).toBe(429);
    const other = tenantOf(test);
    expect((await other.user().post(pathOf(await other.form()), {})).status).toBe(201);
    expect((await other.user().post(pathOf(forms[0]!), {})).status).toBe(404);
  });

  it('refuses parallel creates beyond the quota on a form that no process knows yet', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const replies = await together(30, () => tenant.user().post(pathOf(formId), {}));
    expect(countBy(replies.map(({ status }) => status))).toEqual({ 201: 10, 429: 20 });
  });

  it('counts what another process has created', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    for (let n = 0; n < 9; n += 1) await tenant.user().post(pathOf(formId), {});
    await eventually(async () => expect(await usedOf(tenant, 'submissionsPerDay')).toBe(9));
    const elsewhere = client(second.service.url, second.own.token({ tid: tenant.id, sub: '21' }));
    expect((await elsewhere.post(pathOf(formId), {})).status).toBe(201);
    await eventually(async () => expect(await usedOf(tenant, 'submissionsPerDay')).toBe(10));
    await eventually(async () => expect((await tenant.user().post(pathOf(formId), {})).status).toBe(429));
  });

  it('does not count refused creates and repeats of one Idempotency-Key', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const key = { 'idempotency-key': formId };
    for (let n = 0; n < 15; n += 1) {
      expect((await tenant.user().post(pathOf(formId), {}, key)).status).toBe(201);
      expect((await tenant.user().post(pathOf(formId), { isComplete: 7 })).status).toBe(400);
      expect((await tenant.user().post(pathOf('1'), {})).status).toBe(404);
    }
    await eventually(async () => expect(await usedOf(tenant, 'submissionsPerDay')).toBe(1));
  });

  it('starts at 0 on another day', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await together(10, () => tenant.user().post(pathOf(formId), {}));
    expect((await tenant.user().post(pathOf(formId), {})).status).toBe(429);
    await eventually(async () => expect(await usedOf(tenant, 'submissionsPerDay')).toBe(10));
    await test.db.query('update tenant_use set day = day - 1 where tenant_id = $1', [tenant.id]);
    expect(await usedOf(tenant, 'submissionsPerDay')).toBe(0);
    await eventually(async () => expect((await tenant.user().post(pathOf(formId), {})).status).toBe(201));
  });
});

describe('anonymous submissions of a form per day', () => {
  it('refuses them beyond the limit, without the numbers of the tenant, and no identified caller', async () => {
    const tenant = tenantOf(test);
    const [formId, other] = [await tenant.form(), await tenant.form()];
    const replies = await together(9, () => anonymous().post(pathOf(formId), {}));
    expect(countBy(replies.map(({ status }) => status))).toEqual({ 201: 5, 429: 4 });
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({
      errorCode: 'daily_quota_exceeded',
      quota: 'anonymousSubmissionsPerFormAndDay',
    });
    expect(refused.body).not.toHaveProperty('used');
    expect((await tenant.user().post(pathOf(formId), {})).status).toBe(201);
    expect((await anonymous().post(pathOf(other), {})).status).toBe(201);
    await eventually(async () => expect(await usedOf(tenant, 'anonymousSubmissionsPerFormAndDay')).toBe(5));
  });
});

describe('bytes of answers', () => {
  const answers = (bytes: number) => ({ jsonData: JSON.stringify({ a: 'x'.repeat(bytes - 8) }) });

  it('refuses creates and saves that would exceed them with a 403, and lets the rest of a save pass', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const begun = await tenant.user().post<{ id: string; token: string }>(pathOf(formId), answers(600));
    const path = byToken(formId, begun.body.token);
    expect((await anonymous().patch(path, answers(300))).status).toBe(200);
    await eventually(async () => expect(await usedOf(tenant, 'answerBytes')).toBe(900));
    const refused = await tenant.user().post(pathOf(formId), answers(200));
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ errorCode: 'quota_exceeded', quota: 'answerBytes', limit: 1_000, used: 900 }),
    ]);
    expect((await anonymous().patch(path, answers(200))).status).toBe(403);
    expect((await tenant.admin.patch(`${pathOf(formId)}/${begun.body.id}`, answers(200))).status).toBe(403);
    expect((await anonymous().patch(path, { isComplete: true })).status).toBe(200);
  });

  it('are counted again, so that removed answers make room', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const begun = await tenant.user().post<{ id: string; token: string }>(pathOf(formId), answers(500));
    await anonymous().patch(byToken(formId, begun.body.token), answers(400));
    await eventually(async () => expect(await usedOf(tenant, 'answerBytes')).toBe(900));
    await test.db.query('update tenant_use set answer_bytes = 77 where tenant_id = $1', [tenant.id]);
    expect(await recountAnswers(test.db, tenant.id)).toBe(true);
    // 500 and 400 bytes, each with metadata `{}`; the save brought none.
    expect(await usedOf(tenant, 'answerBytes')).toBe(904);
    expect(await recountAnswers(test.db, tenant.id)).toBe(false); // one an hour
    await test.db.query('delete from submission_versions where tenant_id = $1', [tenant.id]);
    await test.db.query('update tenant_use set recounted_at = null where tenant_id = $1', [tenant.id]);
    expect(await recountAnswers(test.db, tenant.id)).toBe(true);
    expect(await usedOf(tenant, 'answerBytes')).toBe(402);
    await eventually(async () =>
      expect((await tenant.user().post(pathOf(formId), answers(500))).status).toBe(201),
    );
  });
});

describe('forms and webhook endpoints', () => {
  it('has exactly the quota of forms after parallel creates', async () => {
    const tenant = tenantOf(test);
    const replies = await together(12, (n) => tenant.admin.post('/api/forms', { name: `F${n}` }));
    expect(countBy(replies.map(({ status }) => status))).toEqual({ 201: 3, 403: 9 });
    expect(replies.find(({ status }) => status === 403)!.body).toMatchObject({
      errorCode: 'quota_exceeded',
      quota: 'forms',
      limit: 3,
      used: 3,
    });
    const made = replies.find(({ status }) => status === 201)!.body['id'] as string;
    await tenant.admin.delete(`/api/forms/${made}`);
    expect((await tenant.admin.post('/api/forms', { name: 'again' })).status).toBe(201);
  });

  it('counts the endpoints of forms and of the tenant together', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ webHookSettingsJson: endpoints(1) });
    const put = (count: number) =>
      tenant.admin.put('/api/tenant/webhook-settings', { webHookSettingsJson: endpoints(count) });
    expect((await put(2)).status).toBe(403);
    expect((await put(1)).status).toBe(200);
    const patch = (count: number) =>
      tenant.admin.patch(`/api/forms/${formId}`, { webHookSettingsJson: endpoints(count) });
    const refused = await patch(2);
    expect([refused.status, refused.body['quota'], refused.body['used']]).toEqual([
      403,
      'webhookEndpoints',
      2,
    ]);
    expect(
      (await tenant.admin.post('/api/forms', { name: 'B', webHookSettingsJson: endpoints(1) })).status,
    ).toBe(403);
    expect((await tenant.admin.post('/api/forms', { name: 'B', webHookSettingsJson: '{}' })).status).toBe(
      201,
    );
    expect((await patch(0)).status).toBe(200);
    expect((await put(2)).status).toBe(200);
  });
});

describe('limits of a tenant', () => {
  it('are set by an operator, shown to administrators, and in force at once', async () => {
    const tenant = tenantOf(test);
    const target = ['--tenant', tenant.id, '--quota', 'forms'];
    expect((await ops('set', ...target, '--limit', '1')).status).toBe(2); // without --yes
    expect((await ops('set', ...target, '--limit', '1.5', '--yes')).status).toBe(2);
    expect(
      (await ops('set', '--tenant', tenant.id, '--quota', 'users', '--limit', '1', '--yes')).status,
    ).toBe(1);
    const set = await ops('set', ...target, '--limit', '1', '--yes');
    expect(set).toEqual({
      status: 0,
      rows: [expect.objectContaining({ quota: 'forms', limit: 1, used: 0, isOwnLimit: true })],
    });
    await tenant.form();
    expect((await tenant.admin.post('/api/forms', { name: 'B' })).status).toBe(403);
    expect((await quotasOf(tenant))['forms']).toMatchObject({ limit: 1, used: 1, isOwnLimit: true });
    expect((await ops('list')).rows).toContainEqual(
      expect.objectContaining({ tenantId: tenant.id, quota: 'forms', limit: 1 }),
    );

    await ops('set', ...target, '--limit', '0', '--yes');
    for (let n = 0; n < 5; n += 1) await tenant.form();
    expect((await quotasOf(tenant))['forms']).toMatchObject({ limit: null, used: 6 });
    expect((await ops('reset', ...target, '--yes')).status).toBe(0);
    expect((await tenant.admin.post('/api/forms', { name: 'B' })).status).toBe(403);
    expect((await tenant.as('Editor').get('/api/tenant/quotas/forms')).status).toBe(403);
    const recorded = await test.db.query<{ action: string }>(
      'select action from audit where tenant_id = $1 and action like $2 order by id',
      [tenant.id, 'ops.%'],
    );
    expect(recorded.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['ops.quotas_set', 'ops.quotas_reset']),
    );
  });

  it('apply to creates of submissions within a second', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await tenant.user().post(pathOf(formId), {});
    await ops('set', '--tenant', tenant.id, '--quota', 'submissionsPerDay', '--limit', '1', '--yes');
    await eventually(async () => expect((await tenant.user().post(pathOf(formId), {})).status).toBe(429));
  });
});
