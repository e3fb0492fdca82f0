import { testIssuer, type TestIssuer } from '@canvass/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configSchema } from '../src/config';
import { startHarness, type Harness } from './harness';

/** A gateway of an installation without identity-svc, whose people sign in at an external provider. */
let issuer: TestIssuer;
let gateway: Harness;
let folder: string;
beforeAll(async () => {
  issuer = await testIssuer({ shape: 'keycloak' });
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-console-'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
  gateway = await startHarness({
    absent: ['Identity'],
    auth: { Providers: [provider()] },
    settings: {
      Console: {
        Providers: [{ Name: 'Company', ClientId: 'console', Origins: ['https://tokens.example.org'] }],
      },
      RateLimits: { PerAccount: 100 },
    },
    console: { environment: {}, consoleFolder: folder },
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), issuer.close()]);
  rmSync(folder, { recursive: true });
});

const provider = () => ({
  Name: 'Company',
  Issuer: issuer.issuer,
  JwksUri: issuer.jwksUri,
  Audience: issuer.audience,
  TenantClaim: 'tenant',
  RoleClaim: 'realm_access.roles',
  RoleMap: { staff: 'Viewer' },
});

const me = (token?: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}/api/auth/me`, {
    ...init,
    headers: { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });

it('names the provider to the console, which has no sign-in of its own', async () => {
  const answer = await fetch(`${gateway.url}/api/console/configuration`);
  expect(await answer.json()).toMatchObject({
    hasOwnSignIn: false,
    signInProviders: [
      { name: 'Company', authority: issuer.issuer, clientId: 'console', scope: 'openid', usesIdToken: false },
    ],
  });
});

it('permits the console to call the provider, and no other server', async () => {
  const { headers } = await fetch(`${gateway.url}/console`);
  expect(headers.get('content-security-policy')!.split('; ')).toContain(
    `connect-src 'self' ${new URL(issuer.issuer).origin} https://tokens.example.org`,
  );
});

describe('GET /api/auth/me without identity-svc', () => {
  it('says who the token is about, and what the configuration permits them', async () => {
    const token = issuer.token({ sub: 'ada', tenant: '7', name: 'Ada', roles: ['staff', 'other'] });
    const answer = await me(token);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const view = (await answer.json()) as { permissions: string[] };
    expect(view).toEqual({
      subject: 'ada',
      kind: 'external',
      provider: 'Company',
      tenantId: '7',
      tenantName: null,
      email: null,
      name: 'Ada',
      roles: ['Viewer'],
      permissions: expect.arrayContaining(['Submissions.View']),
    });
    expect(view.permissions).not.toContain('Tenant.Manage');
    const again = await me(token, { headers: { 'if-none-match': answer.headers.get('etag')! } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    ['no token', () => undefined, 401, 'authentication_required'],
    ['a token without a tenant', () => issuer.token({ roles: ['staff'] }), 401, 'invalid_token'],
    ['a forged token', () => issuer.token({ tenant: '7' }, { forged: true }), 401, 'invalid_token'],
    [
      'a token that has ended',
      () => issuer.token({ tenant: '7' }, { expiresInSeconds: -60 }),
      401,
      'invalid_token',
    ],
  ])('refuses %s', async (_name, token, status, errorCode) => {
    const answer = await me(token());
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ errorCode })]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  it('only reads, and counts for the limits of the account', async () => {
    const token = issuer.token({ tenant: '7' });
    expect((await me(token, { method: 'POST' })).status).toBe(405);
    expect((await me(token, { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const left = async () => Number((await me(token)).headers.get('ratelimit-remaining'));
    const before = await left();
    expect(await left()).toBe(before - 1);
  });

  it('is not for the other operations of identity-svc', async () => {
    const answer = await fetch(`${gateway.url}/api/auth/session/refresh`, { method: 'POST' });
    expect(answer.status).toBe(404);
  });
});

it.each([
  ['a provider that is not configured', { Name: 'Other', ClientId: 'console' }, /names Other/],
  [
    'a scope without openid',
    { Name: 'Company', ClientId: 'console', Scope: 'profile' },
    /must contain openid/,
  ],
  [
    'an origin that would change the policy',
    { Name: 'Company', ClientId: 'console', Origins: ['https://x; script-src *'] },
    /must be an origin/,
  ],
])('refuses %s', (_name, own, sentence) => {
  const { error } = configSchema.validate({
    Service: {
      Auth: { Providers: [provider()] },
      Gateway: {
        Services: { Submissions: 'http://s', DataLists: 'http://d', WebHookRelay: 'http://w' },
        Console: { Providers: [own] },
      },
    },
  });
  expect(error?.message).toMatch(sentence);
});
