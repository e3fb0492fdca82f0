import { createDecipheriv, randomUUID } from 'node:crypto';
import { decode, sign, type JwtPayload } from 'jsonwebtoken';
import { Client } from 'pg';
import { clientOf, eventually } from '@canvass/testing';
import { demoTenant, signIn, type Callers } from '../src/client';
import { stackFile, stackSecrets } from '../src/stack';

/** Responses of the gateway to expired tokens of respondents. */
let callers: Callers;
let database: Client;
beforeAll(async () => {
  callers = await signIn();
  database = new Client({ connectionString: (await stackFile()).databaseUrl });
  await database.connect();
});
afterAll(() => database.end());

const newForm = async (members: object) =>
  (
    await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'F',
      isEnabled: true,
      ...members,
    })
  ).id;

it('a submission token is renewed by use and returns 404 after it expires; staff can still read the answers', async () => {
  const path = `/api/forms/${await newForm({ submissionTokenExpiryHours: 2 })}/submissions`;
  const jsonData = '{"q":"half-way"}';
  const begun = await callers.anonymous.expect<{ id: string; token: string }>(201, 'POST', path, {
    jsonData,
  });
  const byToken = `${path}/by-token/${begun.token}`;
  const minutesLeft = async () => {
    const { rows } = await database.query<{ minutes: number }>(
      `select extract(epoch from token_expires_at - now())::float8 / 60 as minutes from submissions.submissions where id = $1`,
      [begun.id],
    );
    return rows[0]!.minutes;
  };
  const leave = (minutes: number) =>
    database.query(
      `update submissions.submissions set token_expires_at = now() + $2 * interval '1 minute' where id = $1`,
      [begun.id, minutes],
    );
  expect(await minutesLeft()).toBeGreaterThan(100);
  await leave(1);
  await callers.anonymous.expect(200, 'PATCH', byToken, { currentPage: 2 });
  expect(await minutesLeft()).toBeGreaterThan(100);

  await leave(-1);
  for (const [method, body] of [['GET'], ['PATCH', { isComplete: true }]] as const) {
    expect(await callers.anonymous.call(method, byToken, body)).toMatchObject({
      status: 404,
      body: { errorCode: 'not_found' },
    });
  }
  const kept = await callers.admin.expect(200, 'GET', `${path}/${begun.id}`);
  expect(kept).toMatchObject({ jsonData, currentPage: 2, isComplete: false });
});

it('a form-access token is rejected after 60 minutes, and a new one opens the list again', async () => {
  const list = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name: 'L' });
  const formId = await newForm({ dataListIds: [list.id] });
  const issue = async () => {
    const path = `/api/public/forms/${formId}/access-tokens`;
    return (await callers.anonymous.expect<{ token: string }>(200, 'POST', path)).token;
  };
  const read = (token: string, what = 'search') =>
    clientOf(callers.gatewayUrl, token).call(
      'GET',
      `/api/public/forms/${formId}/data-lists/${list.id}/${what}`,
    );
  const token = await issue();
  const { header, payload } = decode(token, { complete: true })!;
  const claims = payload as JwtPayload;
  expect(claims.exp! - claims.iat!).toBe(3_600);
  const key = await formAccessKey(header.kid!);
  /** The same token, signed this many seconds ago. */
  const issuedAgo = (seconds: number) =>
    sign({ ...claims, iat: claims.iat! - seconds, exp: claims.exp! - seconds }, key, {
      algorithm: 'RS256',
      keyid: header.kid!,
    });
  expect((await read(issuedAgo(3_000))).status).toBe(200);
  for (const what of ['search', 'display-values?values=a']) {
    const refused = await read(issuedAgo(3_700), what);
    expect(refused).toMatchObject({ status: 401, body: { errorCode: 'invalid_token' } });
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  }
  expect((await read(await issue())).status).toBe(200);
});

it('the tokens of a user who was disabled are rejected by every service within seconds', async () => {
  const login = { email: `${randomUUID()}@example.org`, password: 'correct horse battery' };
  const user = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/users', {
    ...login,
    roles: ['Editor'],
  });
  const anonymous = clientOf(callers.gatewayUrl);
  const session = await anonymous.expect<{ accessToken: string }>(200, 'POST', '/api/auth/login', {
    ...login,
    tenant: demoTenant,
  });
  const editor = clientOf(callers.gatewayUrl, session.accessToken);
  const paths = ['/api/auth/me', '/api/forms', '/api/data-lists', '/api/webhooks/deliveries'];
  for (const path of paths) await editor.expect(200, 'GET', path);
  await callers.admin.expect(200, 'PATCH', `/api/users/${user.id}`, { isEnabled: false });
  await editor.expect(401, 'GET', '/api/auth/me');
  for (const path of paths) {
    await eventually(async () => (await editor.call('GET', path)).status === 401, { timeoutMs: 15_000 });
  }
});

it('the form-access token of a deleted respondent and the preview token of a demoted editor are rejected', async () => {
  const list = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name: 'L' });
  const formId = await newForm({ isPublic: false, dataListIds: [list.id] });
  const personWith = async (role: string) => {
    const login = { email: `${randomUUID()}@example.org`, password: 'correct horse battery' };
    const body = { ...login, roles: [role] };
    const { id } = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/users', body);
    const anonymous = clientOf(callers.gatewayUrl);
    const session = await anonymous.expect<{ accessToken: string }>(200, 'POST', '/api/auth/login', {
      ...login,
      tenant: demoTenant,
    });
    return { id, client: clientOf(callers.gatewayUrl, session.accessToken) };
  };
  const respondent = await personWith('Respondent');
  const editor = await personWith('Editor');
  const issued = await Promise.all([
    respondent.client.expect<{ token: string }>(200, 'POST', `/api/public/forms/${formId}/access-tokens`),
    editor.client.expect<{ token: string }>(200, 'POST', `/api/forms/${formId}/preview-tokens`, {
      dataListIds: [list.id],
    }),
  ]);
  const read = (token: string) =>
    clientOf(callers.gatewayUrl, token).call(
      'GET',
      `/api/public/forms/${formId}/data-lists/${list.id}/search`,
    );
  for (const { token } of issued) expect((await read(token)).status).toBe(200);
  await callers.admin.expect(204, 'DELETE', `/api/users/${respondent.id}`);
  await callers.admin.expect(200, 'PATCH', `/api/users/${editor.id}`, { roles: ['Viewer'] });
  for (const { token } of issued)
    await eventually(async () => (await read(token)).status === 401, { timeoutMs: 15_000 });
});

/** The private key of form-access tokens (PEM), unsealed as libs/auth/src/secret-box.ts describes. */
async function formAccessKey(kid: string): Promise<string> {
  const { rows } = await database.query<{ sealed: string }>(
    'select private_key as sealed from submissions.form_access_keys where kid = $1',
    [kid],
  );
  const [version, keyId, iv, text] = rows[0]!.sealed.split('.');
  const sealed = Buffer.from(text!, 'base64url');
  const secret = Buffer.from((await stackSecrets())['encryptionKeys.submissions-svc']!, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(iv!, 'base64url'));
  decipher.setAAD(Buffer.from(`${version}.${keyId}.form-access-key:${kid}`));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString('utf8');
}
