import { eventually } from '@canvass/testing';
import { client, startHarness, tenantOf, type Harness, type TestClient } from './harness';
import { byToken, pathOf, type Submission } from './submission-calls';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const erase = '/api/submitters/117427679766773772?submissions=delete';

it('a revoked token is refused, and a newer one of the same user is not', async () => {
  const tenant = tenantOf(service);
  const old = tenant.as('Viewer', { sub: '501', ver: 1 });
  expect((await old.get('/api/forms')).status).toBe(200);
  service.own.revoke({ kind: 'user', subject: '501', minVersion: 2 });
  await eventually(async () => (await old.get('/api/forms')).status === 401);
  const { status, body, headers } = await old.get('/api/forms');
  expect([status, body]).toMatchObject([
    401,
    { errorCode: 'invalid_token', detail: 'The token was revoked.' },
  ]);
  expect(headers.get('www-authenticate')).toContain('invalid_token');
  expect((await tenant.as('Viewer', { sub: '501', ver: 2 }).get('/api/forms')).status).toBe(200);
});

it('without the feed of revocations, erasing and managing are a 503, for callers of the own provider only', async () => {
  const unaware = await startHarness({ revocationsAvailable: false });
  try {
    const tenant = tenantOf(unaware);
    const { status, body, headers } = await tenant.admin.delete(erase);
    expect([status, body]).toMatchObject([503, { errorCode: 'service_unavailable' }]);
    expect(headers.get('retry-after')).toBe('5');
    const settings = { webHookSettingsJson: null };
    expect((await tenant.admin.put('/api/tenant/webhook-settings', settings)).status).toBe(503);
    expect((await tenant.admin.get('/api/forms')).status).toBe(200);
    const external = tenant.external({ realm_access: { roles: ['administrators'] } });
    expect((await external.delete(erase)).status).toBe(404);
    unaware.own.setFeedAvailable(true);
    await eventually(async () => (await tenant.admin.delete(erase)).status === 404);
  } finally {
    await unaware.close();
  }
});

describe('the submission token of a respondent', () => {
  /** A respondent with a submission that they can continue. */
  async function respondent(call: TestClient, formId: string) {
    const { body } = await call.post<Submission>(pathOf(formId), { jsonData: '{"a":1}' });
    const path = byToken(formId, body['token']);
    const held = { 'x-submission-token': body['token']! };
    const calls = (by: TestClient) => ({
      get: () => by.get(path),
      'get held': () => by.get(`${pathOf(formId)}/by-token`, held),
      patch: () => by.patch(path, { currentPage: Math.ceil(Math.random() * 1e6) }),
      'patch held': () => by.patch(`${pathOf(formId)}/by-token`, { metadata: '{"b":1}' }, held),
      complete: () => by.patch(path, { isComplete: true }),
    });
    const statuses = async (by = anonymous()) =>
      Promise.all(
        Object.entries(calls(by))
          .filter(([name]) => name !== 'complete')
          .map(async ([, send]) => (await send()).status),
      );
    return { id: body.id!, statuses, complete: () => calls(anonymous()).complete() };
  }
  const anonymous = () => client(service.service.url);
  const open = [200, 200, 200, 200];
  const ended = [404, 404, 404, 404];

  it('of the own provider ends with the rights of the account, and no other does', async () => {
    const tenant = tenantOf(service);
    const formId = await tenant.form();
    const left = await respondent(tenant.user({ sub: '601', ver: 4 }), formId);
    const others = [
      await respondent(tenant.user({ sub: '602', ver: 4 }), formId),
      await respondent(tenant.external({ sub: '601' }), formId),
      await respondent(anonymous(), formId),
    ];
    expect(await left.statuses()).toEqual(open);
    service.own.revoke({ kind: 'user', subject: '601', minVersion: 5 });
    await eventually(async () => expect(await left.statuses()).toEqual(ended));
    expect((await left.complete()).status).toBe(404);
    expect((await tenant.admin.get(`${pathOf(formId)}/${left.id}`)).body['isComplete']).toBe(false);
    for (const other of others) expect(await other.statuses()).toEqual(open);
    // The account has rights again, so its owner continues, and no one who only has the token.
    expect(await left.statuses(tenant.user({ sub: '601', ver: 5 }))).toEqual(open);
    expect(await left.statuses(tenant.user({ sub: '602', ver: 4 }))).toEqual(ended);
    expect(await left.statuses()).toEqual(ended);
    const later = await respondent(tenant.user({ sub: '601', ver: 5 }), formId);
    expect(await later.statuses()).toEqual(open);
  });

  it('does not come to life again when its respondent is erased', async () => {
    const tenant = tenantOf(service);
    const formId = await tenant.form();
    const left = await respondent(tenant.user({ sub: '603', ver: 1 }), formId);
    const { body } = await tenant.admin.get(`${pathOf(formId)}/${left.id}`);
    expect((await tenant.admin.delete(`/api/submitters/${String(body['submitterId'])}`)).status).toBe(204);
    expect(await left.statuses()).toEqual(ended);
    const stored = await service.db.query('select token_holder from submissions where id = $1', [left.id]);
    expect(stored).toEqual([{ token_holder: null }]);
  });
});
