import { randomBytes, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { startHarness, newUser, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const login = (body: object) => service.call('POST', '/api/auth/login', { body });
const tenantOf = (reply: Awaited<ReturnType<typeof login>>) =>
  (jwt.decode(String(reply.body['accessToken'])) as { tid: string } | null)?.tid;

/** A person who is a user of two tenants. */
async function inTwoTenants(passwords: [string, string]) {
  const tenants = [await service.newTenant(), await service.newTenant()] as const;
  const email = `${randomUUID()}@acme.example`;
  for (const [at, { token }] of tenants.entries())
    await newUser(service, token, { email, password: passwords[at]! });
  return { email, tenants };
}
const aPassword = () => randomBytes(12).toString('hex');

it('the password decides which of two users with one address signs in', async () => {
  const passwords: [string, string] = [aPassword(), aPassword()];
  const { email, tenants } = await inTwoTenants(passwords);
  for (const at of [0, 1] as const)
    expect(tenantOf(await login({ email, password: passwords[at] }))).toBe(tenants[at].tenantId);
  expect((await login({ email, password: aPassword() })).status).toBe(401);
});

it('a sign-in can name the tenant by id or name', async () => {
  const passwords: [string, string] = [aPassword(), aPassword()];
  const { email, tenants } = await inTwoTenants(passwords);
  const [first, second] = tenants;
  for (const tenant of [second.tenantId, second.name]) {
    expect(tenantOf(await login({ email, password: passwords[1], tenant }))).toBe(second.tenantId);
    const { status, body } = await login({ email, password: passwords[0], tenant });
    expect([status, body['errorCode']]).toEqual([401, 'invalid_credentials']);
  }
  expect(tenantOf(await login({ email, password: passwords[0], tenant: first.name }))).toBe(first.tenantId);
});

it('the same password in two tenants needs the tenant; others get the usual 401', async () => {
  const password = aPassword();
  const { email, tenants } = await inTwoTenants([password, password]);
  const { status, body } = await login({ email, password });
  expect([status, body['errorCode']]).toEqual([409, 'tenant_required']);
  const named = await login({ email, password, tenant: tenants[1].tenantId });
  expect(tenantOf(named)).toBe(tenants[1].tenantId);
  expect((await login({ email, password: aPassword() })).status).toBe(401);
});

it('a tenant that does not exist and one without the address get the same 401', async () => {
  const { admin, tenantId } = await service.newTenant();
  const other = await service.newTenant();
  const replies = [
    await login({ ...admin, tenant: 'no such tenant' }),
    await login({ ...admin, tenant: other.tenantId }),
    await login({ ...admin, password: aPassword(), tenant: tenantId }),
  ];
  const seen = replies.map(({ status, body: { traceId: _, ...problem } }) => ({ status, problem }));
  expect(seen[0]!.status).toBe(401);
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
});

it('a disabled user of one tenant does not keep the user of another out', async () => {
  const password = aPassword();
  const { email, tenants } = await inTwoTenants([password, password]);
  const [first, second] = tenants;
  const found = await service.call('GET', `/api/users?search=${email}`, { token: first.token });
  const [user] = found.body['items'] as { id: string }[];
  const body = { isEnabled: false };
  await service.call('PATCH', `/api/users/${user!.id}`, { token: first.token, body });
  expect(tenantOf(await login({ email, password }))).toBe(second.tenantId);
});
