import { createFormAccessVerifier } from '@canvass/auth';
import { client, startHarness, tenantOf, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
const tokens = (formId: string) => `/api/public/forms/${formId}/access-tokens`;

describe('GET /api/public/forms/{formId}', () => {
  it('returns the data for a form runtime and no management data', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({
      definition: { pages: [1] },
      dataListIds: ['5'],
      webHookSettingsJson: '{}',
    });
    const { body, headers } = await client(test.service.url).get(`/api/public/forms/${formId}`);
    expect(body).toEqual({
      id: formId,
      name: 'A form',
      description: null,
      definition: { pages: [1] },
      dataListIds: ['5'],
      opensAt: null,
      closesAt: null,
      maxSubmissions: null,
      page: null,
      revision: '1',
    });
    expect(headers.get('etag')).toBe('"1"');
  });

  it('needs Submissions.Create if it is not public, and says so of a disabled form', async () => {
    const tenant = tenantOf(test);
    const anonymous = client(test.service.url);
    const closed = await tenant.form({ isPublic: false });
    const disabled = await tenant.form({ isEnabled: false });
    expect((await anonymous.get(`/api/public/forms/${closed}`)).status).toBe(401);
    expect((await tenant.user().get(`/api/public/forms/${closed}`)).status).toBe(403);
    expect((await tenant.as('Respondent').get(`/api/public/forms/${closed}`)).status).toBe(200);
    const refused = await anonymous.get(`/api/public/forms/${disabled}`);
    expect([refused.status, refused.body['errorCode']]).toEqual([409, 'form_disabled']);
    expect((await tenant.user().get(`/api/public/forms/${disabled}`)).status).toBe(200);
  });
});

describe('POST /api/public/forms/{formId}/access-tokens', () => {
  it('issues a token that names form, tenant and lists, and verifies with the published keys', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ dataListIds: ['5', '6'] });
    const { url } = test.service;
    const { status, body } = await client(url).post<{ token: string; expiresAtUtc: string }>(
      tokens(formId),
      {},
    );
    expect(status).toBe(200);
    const minutes = (Date.parse(body.expiresAtUtc) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(60);
    const verifier = createFormAccessVerifier({ jwksUri: `${url}/.well-known/form-access-jwks.json` });
    expect(await verifier.verify(`Bearer ${body.token}`)).toEqual({
      tenantId: tenant.id,
      formId,
      dataListIds: ['5', '6'],
      formRevision: '1',
      isAnonymous: true,
      isPreview: false,
    });
    const own = await tenant.as('Respondent').post<{ token: string }>(tokens(formId), {});
    expect(await verifier.verify(`Bearer ${own.body.token}`)).toMatchObject({ isAnonymous: false });
    const external = await tenant.external({ sub: 'x' }).post<{ token: string }>(tokens(formId), {});
    expect(claimsOf(external.body.token)).toEqual(expect.not.objectContaining({ holder: expect.anything() }));
    expect(claimsOf(body.token)).toEqual(expect.not.objectContaining({ holder: expect.anything() }));
    expect((await client(url, body.token).get('/api/forms')).status).toBe(401);
  });

  it('needs no body, and Submissions.Create for a form that is not public', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ isPublic: false });
    expect((await client(test.service.url).post(tokens(formId))).status).toBe(401);
    expect((await tenant.user().post(tokens(formId))).status).toBe(403);
    expect((await tenant.as('Respondent').post(tokens(formId))).status).toBe(200);
    expect((await tenantOf(test).user().post(tokens(formId))).status).toBe(404);
    const stored = await test.db.query<{ key: string }>('select private_key as key from form_access_keys');
    expect(stored).toHaveLength(1);
    expect(stored[0]?.key).toMatch(/^v1\.k1\./);
  });
});

describe('POST /api/forms/{formId}/preview-tokens', () => {
  const path = (formId: string) => `/api/forms/${formId}/preview-tokens`;

  it('issues a token for lists that the form does not name, also if the form is disabled', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ isEnabled: false, dataListIds: ['5'] });
    const { status, body } = await tenant.admin.post<{ token: string; expiresAtUtc: string }>(path(formId), {
      dataListIds: ['6', '7'],
    });
    expect(status).toBe(200);
    const minutes = (Date.parse(body.expiresAtUtc) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(10);
    const jwksUri = `${test.service.url}/.well-known/form-access-jwks.json`;
    expect(await createFormAccessVerifier({ jwksUri }).verify(`Bearer ${body.token}`)).toEqual({
      tenantId: tenant.id,
      formId,
      dataListIds: ['6', '7'],
      formRevision: '1',
      isAnonymous: false,
      isPreview: true,
    });
  });

  it('names the account that it was issued to, like a form-access token', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ isPublic: false });
    const editor = tenant.as('Editor', { sub: '501', ver: 3, sid: '7' });
    for (const [where, body] of [
      [path(formId), { dataListIds: ['6'] }],
      [tokens(formId), {}],
    ] as const) {
      const { token } = (await editor.post<{ token: string }>(where, body)).body;
      expect(claimsOf(token)).toMatchObject({ holder: { kind: 'user', sub: '501', ver: 3, sid: '7' } });
    }
  });

  it('requires Forms.Edit and a form of the tenant', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const body = { dataListIds: ['6'] };
    expect((await client(test.service.url).post(path(formId), body)).status).toBe(401);
    expect((await tenant.as('Respondent').post(path(formId), body)).status).toBe(403);
    expect((await tenant.as('Viewer').post(path(formId), body)).status).toBe(403);
    expect((await tenantOf(test).admin.post(path(formId), body)).status).toBe(404);
  });

  it.each([[{}], [{ dataListIds: ['x'] }], [{ dataListIds: ['6', '6'] }], [{ dataListIds: null }]])(
    'returns 400 for the body %j and names the member',
    async (body) => {
      const tenant = tenantOf(test);
      const reply = await tenant.admin.post(path(await tenant.form()), body);
      expect(reply.status).toBe(400);
      expect(Object.keys(reply.body['errors'] as object)[0]).toMatch(/^dataListIds/);
    },
  );
});

describe('health', () => {
  it('is ready with the database, and only degraded without the broker', async () => {
    const { url } = test.service;
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const report = (await (await fetch(`${url}/health/detail`)).json()) as {
      status: string;
      checks: { name: string; status: string }[];
    };
    expect(report.status).toBe('Degraded');
    expect(Object.fromEntries(report.checks.map(({ name, status }) => [name, status]))).toEqual({
      'service-self': 'Healthy',
      database: 'Healthy',
      rabbitmq: 'Degraded',
      outbox: 'Healthy',
      revocations: 'Healthy',
    });
  });
});
