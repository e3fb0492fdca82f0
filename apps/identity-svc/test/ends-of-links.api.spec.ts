import { randomBytes, randomUUID } from 'node:crypto';
import { newUser, proofOf, startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const aPassword = () => randomBytes(12).toString('hex');
const call = (...request: Parameters<Harness['call']>) => service.call(...request);
const setPassword = (token: unknown, newPassword: string) =>
  call('POST', '/api/auth/password-reset', { body: { token, newPassword } });

describe('a link ends with the state of its user and the rights of its maker', () => {
  const later = () => ({ email: `${randomUUID()}@acme.example` });
  type Maker = { token: string; admin: { password: string } };

  /** A user with an open link that another administrator made. */
  async function linked() {
    const tenant = await service.newTenant();
    const maker = await newUser(service, tenant.token, { roles: ['Admin'] });
    const boss = await newUser(service, tenant.token, { roles: ['Admin'] });
    const session = await call('POST', '/api/auth/login', {
      body: { email: maker.email, password: maker.password },
    });
    const making: Maker = { token: String(session.body['accessToken']), admin: maker };
    const headers = await proofOf(service, making);
    const path = `/api/users/${boss.id}/password-link`;
    const made = await call('POST', path, { token: making.token, headers });
    expect(made.status).toBe(200);
    return { tenant, maker, making, boss, path, linkToken: made.body['token'] };
  }
  const change = async (tenant: Maker, id: string, body: object) => {
    const headers = await proofOf(service, tenant);
    const reply = await call('PATCH', `/api/users/${id}`, { token: tenant.token, headers, body });
    expect(reply.status).toBe(200);
  };
  type Linked = Awaited<ReturnType<typeof linked>>;

  it.each<[string, (of: Linked) => Promise<unknown>]>([
    [
      'its maker was deleted',
      ({ tenant, maker }) => call('DELETE', `/api/users/${maker.id}`, { token: tenant.token }),
    ],
    ['its maker was disabled', ({ tenant, maker }) => change(tenant, maker.id, { isEnabled: false })],
    ['its maker got other roles', ({ tenant, maker }) => change(tenant, maker.id, { roles: ['Editor'] })],
    [
      'its maker got another password',
      ({ tenant, maker }) => change(tenant, maker.id, { password: aPassword() }),
    ],
    [
      'its user was disabled and enabled again',
      async ({ tenant, boss }) => {
        await change(tenant, boss.id, { isEnabled: false });
        await change(tenant, boss.id, { isEnabled: true });
      },
    ],
    ['its user got another address', ({ tenant, boss }) => change(tenant, boss.id, later())],
    ['its user got other roles', ({ tenant, boss }) => change(tenant, boss.id, { roles: ['Viewer'] })],
    [
      'its user got another password',
      ({ tenant, boss }) => change(tenant, boss.id, { password: aPassword() }),
    ],
    [
      'it was withdrawn',
      async ({ tenant, path }) =>
        expect((await call('DELETE', path, { token: tenant.token })).status).toBe(204),
    ],
  ])('when %s', async (_name, end) => {
    const made = await linked();
    await end(made);
    const reply = await setPassword(made.linkToken, aPassword());
    expect([reply.status, Object.keys(reply.body['errors'] as object)]).toEqual([400, ['token']]);
    const { token } = made.tenant;
    expect((await call('GET', '/api/password-links', { token })).body['items']).toEqual([]);
    expect((await call('DELETE', made.path, { token })).status).toBe(404);
  });

  it('and not with changes of other accounts or of the name', async () => {
    const { tenant, maker, boss, linkToken } = await linked();
    const other = await newUser(service, tenant.token);
    await change(tenant, other.id, { isEnabled: false });
    await change(tenant, maker.id, { name: 'Ada' });
    await change(tenant, boss.id, { name: 'Grace' });
    expect((await setPassword(linkToken, aPassword())).status).toBe(204);
  });

  it('of a service account with its secret', async () => {
    const { tenant, path } = await linked();
    const { token } = tenant;
    const body = { name: 'Directory', roles: ['Admin'] };
    const account = (await call('POST', '/api/service-accounts', { token, body })).body;
    const form = { grant_type: 'client_credentials', client_id: String(account['clientId']) };
    const issued = await call('POST', '/api/auth/token', {
      body: { ...form, client_secret: String(account['clientSecret']) },
    });
    const link = await call('POST', path, { token: String(issued.body['access_token']) });
    expect(link.status).toBe(200);
    await call('DELETE', `/api/service-accounts/${String(account['id'])}`, { token });
    expect((await setPassword(link.body['token'], aPassword())).status).toBe(400);
  });

  it('open links are listed with their makers, in the own tenant only', async () => {
    const { tenant, maker, boss } = await linked();
    const second = await newUser(service, tenant.token);
    const headers = await proofOf(service, tenant);
    await call('POST', `/api/users/${second.id}/password-link`, { token: tenant.token, headers });
    const list = async (query: string, token = tenant.token) =>
      (await call('GET', `/api/password-links${query}`, { token })).body;
    const entry = (of: { id: string; email: string }, madeBy: string) => ({
      userId: of.id,
      email: of.email,
      madeBy: { provider: 'Service', kind: 'user', subject: madeBy },
      madeAt: expect.any(String),
      expiresAt: expect.any(String),
      isMailed: false,
    });
    const [first, last] = [entry(second, tenant.adminId), entry(boss, maker.id)];
    expect((await list(''))['items']).toEqual([first, last]);
    expect((await list(`?userId=${boss.id}`))['items']).toEqual([last]);
    const page = await list('?limit=1&total=exact');
    expect(page).toMatchObject({ items: [first], total: 2, totalIsExact: true });
    expect((await list(`?limit=1&after=${String(page['next'])}`))['items']).toEqual([last]);
    const stranger = await service.newTenant();
    expect((await list('', stranger.token))['items']).toEqual([]);
    const path = `/api/users/${boss.id}/password-link`;
    expect((await call('DELETE', path, { token: stranger.token })).status).toBe(404);
    expect(await list('?total=exact')).toMatchObject({ total: 2 });
  });
});
