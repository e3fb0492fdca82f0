import { eventually, smtpServer, type SmtpServer } from '@canvass/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { startHarness, newUser, proofOf, settingsFor, startCopy, type Harness } from './harness';
import { runOps } from './ops';

let service: Harness;
let mailing: Awaited<ReturnType<typeof startCopy>>;
let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await smtpServer();
  service = await startHarness();
  const Mail = {
    SmtpUrl: smtp.url,
    From: 'Forms <forms@example.org>',
  };
  const SignIn = { Origins: ['https://forms.example.org'] };
  const { Mail: mail } = settingsFor(service.settings.Database.Url, { Mail, SignIn });
  mailing = await startCopy({ ...service.settings, Mail: mail });
  await mailing.ready;
});
afterAll(async () => {
  await mailing.stop();
  await service.close();
  await smtp.close();
});

const aPassword = () => randomBytes(12).toString('hex');
const call = (...request: Parameters<Harness['call']>) => service.call(...request);
const login = async (email: string, password: string, tenant?: { name: string }) => {
  const body = { email, password, ...(tenant && { tenant: tenant.name }) };
  return (await call('POST', '/api/auth/login', { body })).status;
};
const setPassword = (token: unknown, newPassword: string) =>
  call('POST', '/api/auth/password-reset', { body: { token, newPassword } });
const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)![1]!;
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to === email);

/** A user who was created without a password. */
async function invited() {
  const tenant = await service.newTenant();
  const email = `${randomUUID()}@acme.example`;
  const { status, body } = await call('POST', '/api/users', { token: tenant.token, body: { email } });
  expect(status).toBe(201);
  const path = `/api/users/${String(body['id'])}/password-link`;
  const headers = await proofOf(service, tenant);
  const link = (from: { call: Harness['call'] } = service) =>
    from.call('POST', path, { token: tenant.token, headers });
  return { tenant, email, id: String(body['id']), path, link };
}

it('an invitation without a mail server: the administrator gets the token, which sets a password once', async () => {
  const { tenant, email, link } = await invited();
  const { status, body } = await link();
  expect([status, body['sentTo'], body['url']]).toEqual([200, null, null]);
  const password = aPassword();
  expect((await setPassword(body['token'], password)).status).toBe(204);
  expect(await login(email, password, tenant)).toBe(200);
  await service.newTenant(); // with one tenant all take part
  expect(await login(email, password)).toBe(401); // the administrator could have used it
  const again = await setPassword(body['token'], aPassword());
  expect([again.status, Object.keys(again.body['errors'] as object)]).toEqual([400, ['token']]);
  expect(await login(email, password, tenant)).toBe(200);
});

it('an invitation with a mail server: the user gets the link, and the response has no token', async () => {
  const { tenant, email, link } = await invited();
  const { body } = await link(mailing);
  expect(body).toMatchObject({ sentTo: email, token: null, url: null });
  const [mail] = mailsTo(email);
  expect(mail!.text).toContain('https://forms.example.org/console/set-password#token=');
  expect(mail!.text).toContain(`You have an account at ${tenant.name} in Canvass.`);
  const password = aPassword();
  expect((await setPassword(tokenIn(mail!.text), password)).status).toBe(204);
  expect(await login(email, password)).toBe(200);
});

it('a mail is in the language of its user, else in the one that most users of the tenant chose', async () => {
  const { tenant, email, link } = await invited();
  const prefer = async (token: string, language: string) => {
    const body = { settings: { language } };
    expect((await call('PUT', '/api/auth/me/preferences', { token, body })).status).toBe(200);
  };
  await prefer(tenant.token, 'de');
  await link(mailing);
  expect(mailsTo(email)[0]!.text).toContain('Content-Language: de');
  expect(mailsTo(email)[0]!.text).not.toContain('You have an account');

  const other = await newUser(service, tenant.token, { roles: ['Viewer'] });
  const body = { email: other.email, password: other.password };
  const { body: session } = await call('POST', '/api/auth/login', { body });
  await prefer(String(session['accessToken']), 'en');
  await mailing.call('POST', '/api/auth/password-reset/request', { body: { email: other.email } });
  await eventually(() => expect(mailsTo(other.email)[0]!.text).toContain('You have an account'));
  await prefer(String(session['accessToken']), 'xx');
  await mailing.call('POST', '/api/auth/password-reset/request', { body: { email: other.email } });
  await eventually(() => expect(mailsTo(other.email)[1]!.text).toContain('Content-Language: de'));
});

test.each([
  ['no address of the console', {}, {}],
  ['no sender', { From: undefined }, { Origins: ['https://forms.example.org'] }],
])('a mail server with %s is a fault of the configuration', (_, more, SignIn) => {
  const Mail = { SmtpUrl: smtp.url, From: 'forms@example.org', ...more };
  expect(() => settingsFor(service.settings.Database.Url, { Mail, SignIn })).toThrow(
    'with SmtpUrl needs From, and PasswordPage or the origin of the console in Service:SignIn:Origins',
  );
});

it('a mail server that does not answer: the administrator gets the link', async () => {
  const { tenant, email, link } = await invited();
  const broken = await startCopy({
    ...service.settings,
    Mail: {
      SmtpUrl: 'smtp://127.0.0.1:1',
      From: 'forms@example.org',
      PasswordPage: 'https://a.example/page',
    },
  });
  await broken.ready;
  const { body } = await link(broken);
  await broken.stop();
  expect(body).toMatchObject({ sentTo: null, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(body['url']).toBe(`https://a.example/page#token=${String(body['token'])}`);
  const password = aPassword();
  expect((await setPassword(body['token'], password)).status).toBe(204);
  expect(await login(email, password)).toBe(401);
  expect(await login(email, password, tenant)).toBe(200);
});

it('a new password by link ends all sessions, and a later link ends an earlier one', async () => {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token);
  const { body: session } = await call('POST', '/api/auth/login', {
    body: { email: user.email, password: user.password },
  });
  const headers = await proofOf(service, tenant);
  const path = `/api/users/${user.id}/password-link`;
  const link = async () => (await call('POST', path, { token: tenant.token, headers })).body['token'];
  const [first, second] = [await link(), await link()];
  expect((await setPassword(first, aPassword())).status).toBe(400);
  expect((await setPassword(second, aPassword())).status).toBe(204);
  expect((await call('GET', '/api/auth/me', { token: String(session['accessToken']) })).status).toBe(401);
  const body = { refreshToken: session['refreshToken'] };
  expect((await call('POST', '/api/auth/refresh-token', { body })).status).toBe(401);
  expect(await login(user.email, user.password)).toBe(401);
});

it('a link is stored as a hash, expires, and refuses passwords that can be guessed without ending', async () => {
  const { id, link } = await invited();
  const token = String((await link()).body['token']);
  const [row] = await service.db.query<{ all: string }>(
    'select l::text as all from password_links l where user_id = $1',
    [id],
  );
  expect(row!.all).not.toContain(token);
  expect((await setPassword(token, 'password123')).body['errors']).toHaveProperty('newPassword');
  await service.db.query('update password_links set expires_at = now() where user_id = $1', [id]);
  expect((await setPassword(token, aPassword())).body['errors']).toHaveProperty('token');
});

it('of two concurrent uses of a link one succeeds', async () => {
  const { link } = await invited();
  const token = (await link()).body['token'];
  const both = await Promise.all([setPassword(token, aPassword()), setPassword(token, aPassword())]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
});

it('is for administrators of the tenant only, and of no use to disabled users', async () => {
  const { tenant, id, path, link } = await invited();
  const stranger = await service.newTenant();
  const editor = await newUser(service, tenant.token, { roles: ['Editor'] });
  const { body } = await call('POST', '/api/auth/login', {
    body: { email: editor.email, password: editor.password },
  });
  const theirs = { token: stranger.token, headers: await proofOf(service, stranger) };
  expect((await call('POST', path, theirs)).status).toBe(404);
  expect((await call('POST', path, { token: String(body['accessToken']) })).status).toBe(403);
  const token = (await link()).body['token'];
  await call('PATCH', `/api/users/${id}`, { token: tenant.token, body: { isEnabled: false } });
  expect((await setPassword(token, aPassword())).status).toBe(400);
});

it('at most three mails go to a user from administrators, whatever those of other tenants do', async () => {
  const one = await invited();
  const statuses = [];
  for (let i = 0; i < 5; i += 1) statuses.push((await one.link(mailing)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(mailsTo(one.email)).toHaveLength(3);
  const other = await service.newTenant();
  const made = await newUser(service, other.token, { email: one.email });
  const headers = await proofOf(service, other);
  const path = `/api/users/${made.id}/password-link`;
  expect((await mailing.call('POST', path, { token: other.token, headers })).status).toBe(200);
  expect(mailsTo(one.email).at(-1)!.text).toContain(other.name);
});

describe('POST /api/auth/password-reset/request', () => {
  const ask = (email: string, address = `203.0.113.${randomBytes(1)[0]!}`) =>
    mailing.call('POST', '/api/auth/password-reset/request', {
      body: { email },
      headers: { 'x-forwarded-for': address },
    });

  it('sends a link to the user, and answers the same for an unknown address', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token);
    const [known, unknown] = [await ask(user.email), await ask(`${randomUUID()}@acme.example`)];
    expect([known.status, unknown.status, known.body, unknown.body]).toEqual([204, 204, {}, {}]);
    const mail = await eventually(() => {
      const [found] = mailsTo(user.email);
      if (!found) throw new Error('no mail');
      return found;
    });
    expect(await login(user.email, user.password)).toBe(200);
    const password = aPassword();
    expect((await setPassword(tokenIn(mail.text), password)).status).toBe(204);
    expect(await login(user.email, password)).toBe(200);
  });

  it('sends at most three mails to an address, from all clients together', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token);
    for (let i = 0; i < 6; i += 1) expect((await ask(user.email)).status).toBe(204);
    await eventually(() => mailsTo(user.email).length === 3);
    const other = await newUser(service, token);
    await ask(other.email);
    await eventually(() => mailsTo(other.email).length === 1);
    expect(mailsTo(user.email)).toHaveLength(3);
  });
});

describe('on the command line', () => {
  const ops = (...argv: string[]) => runOps(service.settings, ...argv);

  it('tenants create makes a tenant whose administrator sets a password with the link', async () => {
    const name = `Tenant ${randomUUID()}`;
    const admin = `${randomUUID()}@acme.example`;
    const { status, rows } = await ops('tenants', 'create', '--name', name, '--admin', admin, '--yes');
    expect(status).toBe(0);
    const password = aPassword();
    expect((await setPassword(rows[0]!['token'], password)).status).toBe(204);
    const { body } = await call('POST', '/api/auth/login', { body: { email: admin, password } });
    const me = (await call('GET', '/api/auth/me', { token: String(body['accessToken']) })).body;
    expect(me).toMatchObject({ tenantName: name, tenantId: rows[0]!['tenantId'], roles: ['Admin'] });
    expect((await ops('tenants', 'list')).rows).toContainEqual(
      expect.objectContaining({ id: rows[0]!['tenantId'], name, users: '1' }),
    );
    const again = await ops('tenants', 'create', '--name', name, '--admin', admin, '--yes');
    expect(again.status).toBe(1);
  });

  it('users reset-password shows a link for a user of a tenant', async () => {
    const tenant = await service.newTenant();
    const named = ['--tenant', tenant.name, '--email', tenant.admin.email];
    expect((await ops('users', 'reset-password', ...named)).status).toBe(2);
    const { rows } = await ops('users', 'reset-password', ...named, '--yes');
    expect(await login(tenant.admin.email, tenant.admin.password)).toBe(200);
    const password = aPassword();
    expect((await setPassword(rows[0]!['token'], password)).status).toBe(204);
    expect(await login(tenant.admin.email, password)).toBe(200);
    const unknown = ['--tenant', tenant.name, '--email', 'unknown@acme.example', '--yes'];
    expect((await ops('users', 'reset-password', ...unknown)).status).toBe(1);
  });
});
