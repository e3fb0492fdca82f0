import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ExternalProvider } from '@canvass/auth';
import { eventually, openIdConnectProvider, type OpenIdConnectProvider } from '@canvass/testing';
import { client, newTenant, startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, type Submission } from './submission-calls';

/**
 * Real OpenID Connect servers, known to the service by configuration alone; their keys are found by
 * discovery.
 */
const audience = 'canvass-api';
const plainTenant = newTenant();
const realmTenant = newTenant();
/** The configuration of docs/identity-providers.md. */
const [company, keycloakExample] = [
  ...readFileSync(path.join(__dirname, '../../../docs/identity-providers.md'), 'utf8').matchAll(
    /^```json\n([^`]+)```/gm,
  ),
].map(([, example]) => JSON.parse(example!) as ExternalProvider);
let plain: OpenIdConnectProvider;
let keycloak: OpenIdConnectProvider;
let test: Harness;

beforeAll(async () => {
  plain = await openIdConnectProvider({
    shape: 'plain',
    audience,
    people: {
      ada: { name: 'Ada Lovelace', department: 'Analysis', salary: '1' },
      grace: { tid: realmTenant, tenant: realmTenant, roles: ['Admin'] },
    },
  });
  const people = {
    ada: { tenant: realmTenant, name: 'Ada L.', department: 'Ward 3', roles: ['forms-admin'] },
    bob: { tenant: realmTenant, clientRoles: { forms: ['forms-admin', 'Admin'] } },
    eve: { name: 'Eve without a tenant', roles: ['forms-admin'] },
  };
  keycloak = await openIdConnectProvider({ shape: 'keycloak', audience, people });
  test = await startHarness({
    submitter: { DisplayIdClaimTypes: ['preferred_username', 'name'], ProfileSnapshotFields: ['department'] },
    providers: [
      { ...company!, Name: 'Clinic', Issuer: plain.issuer, TenantId: plainTenant },
      { ...keycloakExample!, Name: 'Realm', Issuer: keycloak.issuer },
    ],
  });
});
afterAll(async () => {
  await Promise.all([test.close(), plain.close(), keycloak.close()]);
});

const as = (accessToken: string) => client(test.service.url, accessToken);
const answer = async (tenant: Tenant, accessToken: string) =>
  as(accessToken).post<Submission>(pathOf(await tenant.form()), {});
const submitterOf = async (tenant: Tenant, { body }: { body: Submission }) =>
  (await tenant.admin.get(`/api/submitters/${body['submitterId']}`)).body;

it('a person of a plain issuer is a submitter of its configured tenant, with display id and snapshot', async () => {
  const tenant = tenantOf(test, plainTenant);
  const { accessToken } = await plain.signIn('ada');
  const made = await answer(tenant, accessToken);
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      submitterDisplayId: 'Ada Lovelace',
      submitterProfileSnapshot: { department: 'Analysis' },
    }),
  ]);
  expect(await submitterOf(tenant, made)).toMatchObject({
    authProvider: 'Clinic',
    externalSubjectId: 'ada',
    appUserId: null,
  });
});

it("a person of Keycloak's shape has tenant, roles and display id from its claims", async () => {
  const tenant = tenantOf(test, realmTenant);
  const { accessToken } = await keycloak.signIn('ada');
  const form = await as(accessToken).post('/api/forms', { name: 'By a mapped role', isEnabled: true });
  expect(form.status).toBe(201);
  const made = await answer(tenant, accessToken);
  expect(made.body).toMatchObject({
    submitterDisplayId: 'ada',
    submitterProfileSnapshot: { department: 'Ward 3' },
  });
  expect(await submitterOf(tenant, made)).toMatchObject({ authProvider: 'Realm', externalSubjectId: 'ada' });
});

it('one login at two providers is two people, and signing in again is the same one', async () => {
  const tenant = tenantOf(test, realmTenant);
  const [one, again] = [await keycloak.signIn('ada'), await keycloak.signIn('ada')];
  const ids = await Promise.all(
    [one, again].map(async ({ accessToken }) => (await answer(tenant, accessToken)).body['submitterId']),
  );
  expect(new Set(ids).size).toBe(1);
  const { accessToken } = await plain.signIn('ada');
  const elsewhere = await answer(tenantOf(test, plainTenant), accessToken);
  expect(ids).not.toContain(elsewhere.body['submitterId']);
});

it('unconfigured roles, client roles and tenants grant nothing', async () => {
  const bob = as((await keycloak.signIn('bob')).accessToken);
  expect((await bob.post('/api/forms', { name: 'x', isEnabled: true })).status).toBe(403);
  const grace = as((await plain.signIn('grace')).accessToken);
  expect((await grace.get('/api/forms')).status).toBe(403);
  const form = await tenantOf(test, realmTenant).form();
  expect((await grace.post(pathOf(form), {})).status).toBe(404);
  const eve = as((await keycloak.signIn('eve')).accessToken);
  expect((await eve.post(pathOf(form), {})).status).toBe(401);
});

it('an ID token is no access token', async () => {
  const form = await tenantOf(test, plainTenant).form();
  for (const provider of [plain, keycloak]) {
    const { idToken } = await provider.signIn('ada');
    expect((await as(idToken).post(pathOf(form), {})).status).toBe(401);
  }
});

it('continues when the provider rotates its keys, with old and new tokens', async () => {
  const tenant = tenantOf(test, realmTenant);
  const before = await keycloak.signIn('ada');
  expect((await answer(tenant, before.accessToken)).status).toBe(201);
  await keycloak.rotate();
  const after = await keycloak.signIn('ada');
  expect(keyOf(after.accessToken)).not.toBe(keyOf(before.accessToken));
  for (const { accessToken } of [after, before]) expect((await answer(tenant, accessToken)).status).toBe(201);
});

it('uses cached keys while the provider is down, answers 503 for others, and recovers', async () => {
  const tenant = tenantOf(test, plainTenant);
  const known = await plain.signIn('ada');
  expect((await answer(tenant, known.accessToken)).status).toBe(201);
  await plain.rotate();
  const unknown = await plain.signIn('ada');
  await plain.stop();
  const refused = await answer(tenant, unknown.accessToken);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect((await answer(tenant, known.accessToken)).status).toBe(201);
  await plain.start();
  // An unknown key is asked for again after a cool-down.
  await eventually(async () => expect((await answer(tenant, unknown.accessToken)).status).toBe(201), {
    timeoutMs: 60_000,
  });
});

const keyOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
