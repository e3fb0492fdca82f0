import { createServiceTokens } from '@canvass/auth';
import { internalSecret, startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => (service = await startHarness()));
afterAll(() => service.close());

const eraseTexts = (
  tenantId: string,
  texts: string[],
  token = createServiceTokens(internalSecret).sign('x'),
) =>
  fetch(`${service.internalUrl}/internal/erased-texts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tenantId, texts }),
  });

async function tenantWithView(name: string, settings: object) {
  const tenant = await service.newTenant();
  const { token } = tenant;
  const view = { screen: 'submissions', visibility: 'tenant', name, settings };
  const { body } = await service.call('POST', '/api/views', { token, body: view });
  const saved = await service.call('PUT', '/api/auth/me/preferences', { token, body: { settings } });
  expect(saved.status).toBe(200);
  return {
    ...tenant,
    async read() {
      const one = await service.call('GET', `/api/views/${String(body['id'])}`, { token });
      const own = await service.call('GET', '/api/auth/me/preferences', { token });
      return [one.body['name'], one.body['settings'], own.body['settings']];
    },
  };
}

it('removes the texts of an erased respondent from views and preferences of the tenant', async () => {
  const odd = 'Łukasz "(a|b)" \\d';
  const settings = {
    filter: ['submitterDisplayId:Ada@example.org', `search:${odd}`],
    columns: [{ width: 12345678, submitter: '12345678', other: '123456789' }],
    note: 'Canada@example.org and ADA@example.org.',
  };
  const own = await tenantWithView('All of ada@example.org', settings);
  const other = await tenantWithView('All of ada@example.org', settings);
  expect((await eraseTexts(own.tenantId, ['12345678', 'ada@example.org', odd])).status).toBe(204);
  const left = {
    filter: ['submitterDisplayId:…', 'search:…'],
    columns: [{ width: 12345678, submitter: '…', other: '123456789' }],
    note: 'Canada@example.org and ….',
  };
  expect(await own.read()).toEqual(['All of …', left, left]);
  expect(await other.read()).toEqual(['All of ada@example.org', settings, settings]);
  expect((await eraseTexts(own.tenantId, ['ada@example.org'])).status).toBe(204);
  expect((await eraseTexts(own.tenantId, [])).status).toBe(400);
  expect((await eraseTexts(own.tenantId, ['x'], 'no-token')).status).toBe(401);
});
