import { clientOf, proofOf, type Client } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { codeOf } from './authenticator';
import { demoTenant as tenant, type Callers } from './client';

/** Notes an operation that must be found in the trail; `action` if it is not that of the operation. */
export type Did = (operation: string, object: string | null, action?: string) => void;

/** An administrator whose day it is. */
export interface Staff {
  client: Client;
  password: string;
}

/** An administrator with the header that proves the password. */
interface Proved {
  staff: Client;
  proof: Record<string, string>;
}

type Body = Record<string, string>;
interface Session {
  accessToken: string;
  refreshToken: string;
}

/** Does what an administrator does with accounts, and what a user does with its own. */
export async function accountsDay(
  callers: Callers,
  { client: staff, password: own }: Staff,
  did: Did,
): Promise<void> {
  const login = { email: `${randomUUID()}@demo.example`, password: randomUUID() };
  const { id } = await staff.expect<Body>(201, 'POST', '/api/users', { ...login, roles: ['Viewer'] });
  did('createUser', id!);
  await staff.expect(200, 'PATCH', `/api/users/${id}`, { name: 'Ada' });
  did('changeUser', id!);
  await staff.expect(200, 'PATCH', `/api/users/${id}`, { name: 'Ada' });
  await sessions(callers, staff, { ...login, id: id! }, did);
  const proof = await proofOf(staff, own);
  await secondFactor(callers, { staff, proof }, { ...login, id: id! }, did);
  await passwordLink(callers, { staff, proof }, { ...login, id: id! }, did);
  await ownAccount(staff, own, did);
  await staff.expect(204, 'DELETE', `/api/users/${id}`);
  did('deleteUser', id!);
  await staff.expect(404, 'DELETE', `/api/users/${id}`);
  await serviceAccounts(callers, staff, did);
  await views(staff, did);
}

/** Views of the tenant are recorded, those of one person are not. */
async function views(staff: Client, did: Did): Promise<void> {
  for (const visibility of ['me', 'tenant']) {
    const view = { screen: 'forms', name: 'All', settings: {}, visibility };
    const { id } = await staff.expect<Body>(201, 'POST', '/api/views', view);
    await staff.expect(200, 'PATCH', `/api/views/${id}`, { name: 'Every' });
    await staff.expect(204, 'DELETE', `/api/views/${id}`);
    if (visibility === 'me') continue;
    for (const operation of ['createView', 'changeView', 'deleteView']) did(operation, id!);
  }
}

interface User {
  id: string;
  email: string;
  password: string;
}

/** Signs the user in. Returns a client, the id of the session and the refresh token. */
async function signIn({ anonymous, gatewayUrl }: Callers, { id, email, password }: User, did: Did) {
  const opened = await anonymous.expect<Session>(200, 'POST', '/api/auth/login', { email, password, tenant });
  did('login', id);
  return {
    own: clientOf(gatewayUrl, opened.accessToken),
    session: sessionOf(opened),
    refreshToken: opened.refreshToken,
  };
}

/** `sid` of an access token. */
const sessionOf = ({ accessToken }: Pick<Session, 'accessToken'>): string =>
  (JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()) as { sid: string }).sid;

async function sessions(callers: Callers, staff: Client, user: User, did: Did): Promise<void> {
  const { anonymous, gatewayUrl } = callers;
  const { id, email, password } = user;
  await anonymous.expect(401, 'POST', '/api/auth/login', { email, password: 'wrong', tenant });
  did('login', id, 'session.refused');
  await anonymous.expect(401, 'POST', '/api/auth/login', { email: `${randomUUID()}@x.example`, password });

  const first = await signIn(callers, user, did);
  const second = await signIn(callers, user, did);
  await signIn(callers, user, did);
  await first.own.expect(204, 'DELETE', `/api/auth/sessions/${second.session}`);
  did('endOwnSession', second.session);
  await first.own.expect(204, 'DELETE', '/api/auth/sessions');
  did('endOtherSessions', id);
  await first.own.expect(204, 'DELETE', '/api/auth/sessions');

  const origin = new URL(gatewayUrl).origin;
  const login = { email, password, tenant };
  const page = await anonymous.call<Session>('POST', '/api/auth/session', login, { origin });
  did('startBrowserSession', id);
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  await anonymous.call('DELETE', '/api/auth/session', undefined, { origin, cookie });
  did('endBrowserSession', sessionOf(page.body));

  const third = await signIn(callers, user, did);
  const path = `/api/users/${id}/sessions`;
  await staff.expect(204, 'DELETE', `${path}/${third.session}`);
  did('endUserSession', third.session);
  const fourth = await signIn(callers, user, did);
  await anonymous.expect(204, 'POST', '/api/auth/logout', { refreshToken: fourth.refreshToken });
  did('logout', fourth.session);
  const refreshed = await anonymous.expect<Session>(200, 'POST', '/api/auth/refresh-token', {
    refreshToken: first.refreshToken,
  });
  const own = clientOf(gatewayUrl, refreshed.accessToken);
  await own.expect(200, 'POST', '/api/auth/me/password', {
    currentPassword: password,
    newPassword: `${password}!`,
  });
  did('changePassword', id);
  await staff.expect(204, 'DELETE', path);
  did('endUserSessions', id);
  await staff.expect(204, 'DELETE', path);
}

async function secondFactor(callers: Callers, { staff, proof }: Proved, user: User, did: Did): Promise<void> {
  const { own } = await signIn(callers, { ...user, password: `${user.password}!` }, did);
  const path = '/api/auth/me/second-factor';
  const currentPassword = `${user.password}!`;
  const begin = async () => {
    const { secret } = await own.expect<Body>(200, 'POST', path, { currentPassword });
    type Confirmed = { recoveryCodes: string[] };
    const confirmed = await own.expect<Confirmed>(200, 'POST', `${path}/confirm`, { code: codeOf(secret!) });
    did('confirmSecondFactor', user.id);
    return confirmed.recoveryCodes[0]!;
  };
  await own.expect(204, 'POST', `${path}/remove`, { currentPassword, code: await begin() });
  did('removeSecondFactor', user.id);
  await begin();
  const removed = await staff.call('DELETE', `/api/users/${user.id}/second-factor`, undefined, proof);
  expect(removed.status).toBe(204);
  did('removeSecondFactorOfUser', user.id);
}

async function passwordLink(
  callers: Callers,
  { staff, proof }: Proved,
  { id, email }: User,
  did: Did,
): Promise<void> {
  const { anonymous } = callers;
  await anonymous.expect(204, 'POST', '/api/auth/password-reset/request', { email });
  did('requestPasswordReset', id);
  const path = `/api/users/${id}/password-link`;
  const make = async () => {
    const { body } = await staff.call<Body>('POST', path, undefined, proof);
    did('makePasswordLink', id);
    return body['token'];
  };
  await make();
  await staff.expect(204, 'DELETE', path);
  did('withdrawPasswordLink', id);
  await staff.expect(404, 'DELETE', path);
  const token = await make();
  await anonymous.expect(204, 'POST', '/api/auth/password-reset', { token, newPassword: randomUUID() });
  did('setPassword', id);
}

/** Does what an administrator does with the own account. */
async function ownAccount(staff: Client, currentPassword: string, did: Did): Promise<void> {
  const { id } = await staff.expect<Body>(200, 'PATCH', '/api/auth/me', { currentPassword, name: 'Grace' });
  did('changeMe', id!);
  await staff.expect(400, 'PATCH', '/api/auth/me', { currentPassword: 'wrong', name: 'Ada' });
}

async function serviceAccounts({ gatewayUrl }: Callers, staff: Client, did: Did): Promise<void> {
  const made = await staff.expect<Body>(201, 'POST', '/api/service-accounts', { name: 'Warehouse' });
  const id = made['id']!;
  did('createServiceAccount', id);
  const path = `/api/service-accounts/${id}`;
  await staff.expect(200, 'PATCH', path, { name: 'Other warehouse' });
  did('changeServiceAccount', id);
  const rotated = await staff.expect<Body>(200, 'POST', `${path}/rotate-secret`, {});
  did('rotateClientSecret', id);
  const issue = (secret: string) =>
    fetch(`${gatewayUrl}/api/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: made['clientId']!,
        client_secret: secret,
      }),
    });
  await issue('wrong');
  did('issueToken', id, 'token.refused');
  await issue(rotated['clientSecret']!);
  did('issueToken', id);
  await staff.expect(204, 'DELETE', path);
  did('deleteServiceAccount', id);
}
