import { startHarness, newUser, proofOf, type Harness } from './harness';

let service: Harness;
beforeAll(async () => (service = await startHarness()));
afterAll(() => service.close());

interface RecordedAction {
  action: string;
  actor: { provider: string; kind: string; subject: string } | null;
  object: { type: string; id: string | null };
  address: string;
  before: object | null;
  after: object | null;
}

/** The audit trail of the own service, oldest first, without the sign-in of the administrator. */
async function trailOf(token: string): Promise<RecordedAction[]> {
  const { status, body } = await service.call('GET', '/api/audit?area=identity&limit=200', { token });
  expect(status).toBe(200);
  return (body['items'] as RecordedAction[]).reverse().slice(2);
}
const shown = ({ action, object, actor }: RecordedAction) => [action, object.id, actor?.subject ?? null];

it('records changes of users with roles, and only the names of personal members', async () => {
  const tenant = await service.newTenant();
  const { token, adminId } = tenant;
  const { id } = await newUser(service, token, { roles: ['Viewer'] });
  const path = `/api/users/${id}`;
  const headers = await proofOf(service, tenant);
  const patch = (body: object) => service.call('PATCH', path, { token, headers, body });
  await patch({ roles: ['Editor'], name: 'Grace Hopper' });
  await patch({ password: 'another long passphrase' });
  await patch({ roles: ['Editor'] }); // changes nothing
  await service.call('DELETE', `/api/users/${adminId}`, { token }); // the own account
  await service.call('DELETE', path, { token });
  const trail = await trailOf(token);
  expect(trail.map(shown)).toEqual([
    ['user.created', id, adminId],
    ['user.updated', id, adminId],
    ['user.updated', id, adminId],
    ['user.deleted', id, adminId],
  ]);
  expect(trail.map(({ before, after }) => [before, after])).toEqual([
    [null, { roles: ['Viewer'], isEnabled: true }],
    [{ roles: ['Viewer'] }, { roles: ['Editor'], changed: ['name'] }],
    [null, { changed: ['password'] }],
    [{ roles: ['Editor'] }, null],
  ]);
  expect(JSON.stringify(trail)).not.toMatch(/Hopper|passphrase|@acme/);
});

it('records changes of service accounts without secrets', async () => {
  const { token, adminId } = await service.newTenant();
  const body = { name: 'Warehouse' };
  const made = await service.call('POST', '/api/service-accounts', { token, body });
  const path = `/api/service-accounts/${String(made.body['id'])}`;
  await service.call('PATCH', path, { token, body: { isEnabled: false } });
  const rotated = await service.call('POST', `${path}/rotate-secret`, { token, body: {} });
  expect(rotated.status).toBe(200);
  await service.call('DELETE', path, { token });
  const trail = await trailOf(token);
  expect(trail.map(shown)).toEqual(
    ['created', 'updated', 'secret_rotated', 'deleted'].map((what) => [
      `service_account.${what}`,
      made.body['id'],
      adminId,
    ]),
  );
  expect(trail[1]).toMatchObject({ before: { isEnabled: true }, after: { isEnabled: false } });
  expect(JSON.stringify(trail)).not.toContain('cvs_');
});

it('records sign-ins and failed ones, each once, with the address of the client', async () => {
  const { token } = await service.newTenant();
  const user = await newUser(service, token);
  const { email, password, id } = user;
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const login = (body: object) => service.call('POST', '/api/auth/login', { body, headers });
  expect((await login({ email, password: 'wrong' })).status).toBe(401);
  const session = (await login({ email, password })).body;
  const refreshed = await service.call('POST', '/api/auth/refresh-token', {
    body: { refreshToken: session['refreshToken'] },
  });
  const logout = { body: { refreshToken: refreshed.body['refreshToken'] } };
  await service.call('POST', '/api/auth/logout', logout);
  await service.call('POST', '/api/auth/logout', logout); // ended already
  const trail = (await trailOf(token)).slice(1);
  expect(trail.map(shown)).toEqual([
    ['session.refused', id, null],
    ['session.started', id, id],
    ['session.ended', expect.stringMatching(/^\d+$/), id],
  ]);
  expect(trail[0]).toMatchObject({ address: '203.0.113.9', object: { type: 'user', id } });
  expect(JSON.stringify(trail)).not.toContain(email);
});

it('records a sign-in with an unknown name in no tenant, without the name', async () => {
  const email = `the-password-in-the-wrong-field-${Date.now()}@acme.example`;
  const failed = () =>
    service.db.query<{ object_id: string | null; actor_kind: string | null }>(
      `select object_id, actor_kind from audit where tenant_id = 0 and action = 'session.refused'`,
    );
  const before = (await failed()).length;
  await service.call('POST', '/api/auth/login', { body: { email, password: 'x' } });
  const after = await failed();
  expect(after).toHaveLength(before + 1);
  expect(after.at(-1)).toEqual({ object_id: null, actor_kind: null });
  const stored = await service.db.query<{ text: string }>('select a::text as text from audit a');
  expect(stored.map(({ text }) => text).join()).not.toContain('wrong-field');
});

it('records tokens of service accounts and refused ones', async () => {
  const { token } = await service.newTenant();
  const made = await service.call('POST', '/api/service-accounts', { token, body: { name: 'Warehouse' } });
  const { id, clientId, clientSecret } = made.body as Record<string, string>;
  const issue = (secret: string) =>
    service.call('POST', '/api/auth/token', {
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
    });
  expect((await issue('wrong')).status).toBe(401);
  expect((await issue(clientSecret!)).status).toBe(200);
  expect((await trailOf(token)).slice(1).map(shown)).toEqual([
    ['token.refused', id, null],
    ['token.issued', id, id],
  ]);
});

it('records changed passwords and ended sessions', async () => {
  const { token, adminId } = await service.newTenant();
  const { email, password, id } = await newUser(service, token);
  const login = async () =>
    String(
      (await service.call('POST', '/api/auth/login', { body: { email, password } })).body['accessToken'],
    );
  const own = await login();
  const body = { currentPassword: password, newPassword: 'another long passphrase' };
  const changed = await service.call('POST', '/api/auth/me/password', { token: own, body });
  expect(changed.status).toBe(200);
  expect((await service.call('DELETE', `/api/users/${id}/sessions`, { token })).status).toBe(204);
  expect((await service.call('DELETE', `/api/users/${id}/sessions`, { token })).status).toBe(204);
  expect((await trailOf(token)).slice(1).map(shown)).toEqual([
    ['session.started', id, id],
    ['user.password_changed', id, id],
    ['user.sessions_ended', id, adminId],
  ]);
});
