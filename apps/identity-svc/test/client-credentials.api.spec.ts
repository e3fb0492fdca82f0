import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const grant = { grant_type: 'client_credentials' };

function token(text: string, headers: Record<string, string> = {}) {
  return service.call('POST', '/api/auth/token', {
    text,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

async function account() {
  const tenant = await service.newTenant();
  const { body } = await service.call('POST', '/api/service-accounts', {
    token: tenant.token,
    body: { name: 'CRM' },
  });
  return {
    tenant,
    id: String(body['id']),
    clientId: String(body['clientId']),
    secret: String(body['clientSecret']),
  };
}

it.each(['form', 'basic'])('returns a token of RFC 6749 section 5.1, authenticated by %s', async (way) => {
  const { tenant, id, clientId, secret } = await account();
  const { status, headers, body } =
    way === 'form'
      ? await token(form({ ...grant, client_id: clientId, client_secret: secret }))
      : await token(form(grant), basic(clientId, secret));
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('pragma')).toBe('no-cache');
  expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 });
  expect(jwt.decode(String(body['access_token']))).toMatchObject({
    kind: 'service',
    sub: id,
    tid: tenant.tenantId,
    roles: ['Integration'],
  });
  const me = await service.call('GET', '/api/auth/me', { token: String(body['access_token']) });
  expect(me.body).toMatchObject({
    kind: 'service',
    name: 'CRM',
    permissions: ['Submissions.CreateOnBehalf', 'Submissions.View'],
  });
});

it('ignores unknown parameters, including scope', async () => {
  const { clientId, secret } = await account();
  expect((await token(form({ ...grant, scope: 'all', x: 'y' }), basic(clientId, secret))).status).toBe(200);
});

describe('returns errors of RFC 6749 section 5.2', () => {
  it.each<[string, string, Record<string, string>, number, string]>([
    ['no grant type', form({}), {}, 400, 'invalid_request'],
    ['an empty grant type', 'grant_type=', {}, 400, 'invalid_request'],
    ['a parameter twice', 'grant_type=client_credentials&grant_type=password', {}, 400, 'invalid_request'],
    ['another grant type', 'grant_type=password', {}, 400, 'unsupported_grant_type'],
    ['no client', form(grant), {}, 401, 'invalid_client'],
    ['a client without a secret', form({ ...grant, client_id: 'a' }), {}, 401, 'invalid_client'],
    ['an unknown client', form({ ...grant, client_id: 'a', client_secret: 'b' }), {}, 401, 'invalid_client'],
    [
      'Basic and client_secret',
      form({ ...grant, client_secret: 'b' }),
      basic('a', 'b'),
      400,
      'invalid_request',
    ],
    [
      'Basic and another client_id',
      form({ ...grant, client_id: 'b' }),
      basic('a', 'b'),
      400,
      'invalid_request',
    ],
    ['Basic that is no base64', form(grant), { authorization: 'Basic ???' }, 401, 'invalid_client'],
    ['Basic without a colon', form(grant), { authorization: 'Basic YWJj' }, 401, 'invalid_client'],
    ['Basic with a bad escape', form(grant), { authorization: 'Basic JTpi' }, 401, 'invalid_client'],
    ['Basic with a NUL', form(grant), { authorization: 'Basic YQA6Yg==' }, 401, 'invalid_client'],
    ['an escaped NUL in Basic', form(grant), basic('a\0b', 'c'), 401, 'invalid_client'],
    ['a bearer token instead', form(grant), { authorization: 'Bearer e30.e30.e30' }, 401, 'invalid_client'],
  ])('%s', async (_name, text, headers, status, error) => {
    const answer = await token(text, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')).toBe(
      status === 401 ? 'Basic realm="canvass", charset="UTF-8"' : null,
    );
  });

  it('no body at all', async () => {
    const { status, body } = await service.call('POST', '/api/auth/token');
    expect(status).toBe(400);
    expect(body['error']).toBe('invalid_request');
  });

  it('a wrong secret, a disabled account and a deleted one, with equal responses', async () => {
    const { tenant, id, clientId, secret } = await account();
    const path = `/api/service-accounts/${id}`;
    const answers = [await token(form(grant), basic(clientId, `${secret}x`))];
    await service.call('PATCH', path, { token: tenant.token, body: { isEnabled: false } });
    answers.push(await token(form(grant), basic(clientId, secret)));
    await service.call('DELETE', path, { token: tenant.token });
    answers.push(await token(form(grant), basic(clientId, secret)));
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual(answers[0]!.body);
    }
  });

  it('guessing, with 429', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const guess = () => token(form({ ...grant, client_id: 'guessed', client_secret: randomUUID() }), headers);
    // Only the address is limited: no client can lock an account by guessing.
    for (let i = 0; i < 300; i += 1) expect((await guess()).status).toBe(401);
    const { status, headers: answered } = await guess();
    expect(status).toBe(429);
    expect(Number(answered.get('retry-after'))).toBeGreaterThan(0);
  });
});
