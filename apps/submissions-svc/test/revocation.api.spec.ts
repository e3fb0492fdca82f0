import { eventually } from '@canvass/testing';
import { startHarness, tenantOf, type Harness } from './harness';

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
