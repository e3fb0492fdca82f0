import { Problem } from '@canvass/errors';
import { eventually, testIssuer, type TestIssuer } from '@canvass/testing';
import { createAuthenticator, createRevocations, requirePermission, type Revocations } from '../src';

let issuer: TestIssuer;
let revocations: Revocations;
let warnings: string[];
let now: () => number;
beforeEach(async () => {
  issuer = await testIssuer();
  warnings = [];
  now = Date.now;
  revocations = createRevocations(
    { RevocationsUri: issuer.revocationsUri, RevocationGraceSeconds: 60 },
    { serviceToken: () => 'token', now: () => now(), onWarning: (message) => void warnings.push(message) },
  );
});
afterEach(async () => {
  await revocations.stop();
  await issuer.close();
});

const authenticator = () => {
  const { issuer: Issuer, audience: Audience, jwksUri: JwksUri } = issuer;
  return createAuthenticator({ Own: { Issuer, Audience, JwksUri }, Providers: [] }, { revocations });
};
const authenticate = (claims: object, keyId?: string) =>
  authenticator().authenticate(`Bearer ${issuer.token({ ...claims }, keyId === undefined ? {} : { keyId })}`);
const started = () => revocations.start();

describe('a token', () => {
  it.each<[string, object, boolean]>([
    ['of an older version of the user', { sub: '7', ver: 2 }, false],
    ['without a version', { sub: '7' }, false],
    ['of the current version', { sub: '7', ver: 3 }, true],
    ['of another user', { sub: '8', ver: 1 }, true],
    ['of a service account with the id of the user', { kind: 'service', sub: '7', ver: 1 }, true],
    ['of a deleted service account', { kind: 'service', sub: '9', ver: 5 }, false],
    ['of a user with the id of the service account', { sub: '9', ver: 1 }, true],
    ['of an ended session', { sub: '10', ver: 1, sid: '5' }, false],
    ['of another session', { sub: '10', ver: 1, sid: '6' }, true],
  ])('%s', async (_what, claims, isAccepted) => {
    issuer.revoke({ kind: 'user', subject: '7', minVersion: 3 });
    issuer.revoke({ kind: 'service', subject: '9', minVersion: null });
    issuer.revoke({ kind: 'session', subject: '5', minVersion: null });
    await started();
    const outcome = await authenticate(claims).then(
      () => true,
      (problem: unknown) => problem instanceof Problem && [problem.status, problem.errorCode],
    );
    expect(outcome).toEqual(isAccepted ? true : [401, 'invalid_token']);
  });

  it('of a withdrawn signing key is refused although its key is still published', async () => {
    await started();
    const token = issuer.token({ sub: '7', ver: 1 });
    await expect(authenticator().authenticate(`Bearer ${token}`)).resolves.toMatchObject({ subject: '7' });
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string };
    issuer.revoke({ kind: 'key', subject: kid, minVersion: null });
    await eventually(async () => {
      await expect(authenticator().authenticate(`Bearer ${token}`)).rejects.toMatchObject({ status: 401 });
    });
  });
});

describe('while the feed cannot be read', () => {
  const admin = { sub: '7', ver: 1, roles: ['Admin'] };
  const outcomeOf = async (permission: Parameters<typeof requirePermission>[1]) => {
    const principal = await authenticate(admin);
    try {
      requirePermission(principal, permission);
      return 200;
    } catch (problem) {
      return (problem as Problem).status;
    }
  };

  it('privileged permissions are a 503 after the grace period, others stay', async () => {
    await started();
    issuer.setFeedAvailable(false);
    expect(await outcomeOf('Users.Manage')).toBe(200);
    await eventually(() => warnings.length > 0);
    const later = Date.now() + 61_000;
    now = () => later;
    for (const permission of [
      'Users.Manage',
      'Tenant.Manage',
      'WebHooks.Manage',
      'Submissions.Erase',
    ] as const)
      expect([permission, await outcomeOf(permission)]).toEqual([permission, 503]);
    expect(await outcomeOf('Submissions.View')).toBe(200);
    issuer.setFeedAvailable(true);
    await eventually(async () => (await outcomeOf('Users.Manage')) === 200);
  });

  it('known revocations stay in effect', async () => {
    issuer.revoke({ kind: 'user', subject: '7', minVersion: null });
    await started();
    issuer.setFeedAvailable(false);
    const later = Date.now() + 600_000;
    now = () => later;
    await expect(authenticate(admin)).rejects.toMatchObject({ status: 401 });
  });

  it('privileged permissions are a 503 before the feed was read for the first time', async () => {
    issuer.setFeedAvailable(false);
    void revocations.start();
    expect(await outcomeOf('WebHooks.Manage')).toBe(503);
    expect(await outcomeOf('Forms.View')).toBe(200);
  });
});

it('a start waits until the feed was read', async () => {
  issuer.setFeedAvailable(false);
  const start = revocations.start();
  await eventually(() => warnings.length > 1);
  expect(revocations.isCurrent()).toBe(false);
  issuer.setFeedAvailable(true);
  await start;
  expect(revocations.isCurrent()).toBe(true);
});

it('nothing is withheld without an own provider', () => {
  const none = createRevocations(undefined, { serviceToken: () => '', onWarning: () => undefined });
  expect(none.isCurrent()).toBe(true);
});
