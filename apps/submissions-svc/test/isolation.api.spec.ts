import { client, startHarness, tenantOf, type Tenant, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['department'] } });
});
afterAll(() => test.close());

type Submission = Record<string, unknown>;
const pathOf = (formId: string) => `/api/forms/${formId}/submissions`;

async function filled(tenant: Tenant) {
  const formId = await tenant.form({ limitOnePerUser: true, webHookSettingsJson: '{}' });
  const { body } = await tenant.user({ sub: '77' }).post<Record<string, string>>(pathOf(formId), {});
  return { formId, submissionId: body['id']!, token: body['token']!, submitterId: body['submitterId']! };
}

describe("another tenant's ids", () => {
  it('are a 404 on every route with one, and nothing changes', async () => {
    const mine = await filled(tenantOf(test));
    const stranger = tenantOf(test);
    const form = `/api/forms/${mine.formId}`;
    const one = `${form}/submissions/${mine.submissionId}`;
    const routes: [string, string, unknown?][] = [
      ['GET', form],
      ['PUT', form, { name: 'x', isEnabled: false }],
      ['PATCH', form, { name: 'x' }],
      ['GET', `${form}/webhook-settings`],
      ['PUT', `${form}/webhook-settings`, { settings: {} }],
      ['DELETE', `${form}/webhook-settings`],
      ['DELETE', form],
      ['GET', `${form}/submissions`],
      ['GET', `${form}/stats`],
      ['POST', `${form}/submissions`, {}],
      ['POST', `${form}/submissions/onbehalf`, {}],
      ['POST', `/forms/${mine.formId}/submissions/onbehalf`, {}],
      ['GET', one],
      ['PUT', one, { isComplete: true }],
      ['PATCH', one, { isComplete: true }],
      ['PATCH', one, { metadata: '{"a":1}' }],
      ['DELETE', one],
      ['POST', `${one}/status`, { status: 'read' }],
      ['POST', `${one}/restore`],
      ['POST', `${form}/submissions/bulk`, { action: 'delete', filter: {} }],
      ['POST', `${form}/submissions/bulk?dryRun=true`, { action: 'restore', filter: {} }],
      ['POST', `${form}/submissions/exports`, {}],
      ['GET', `${form}/submissions/by-token/${mine.token}`],
      ['PATCH', `${form}/submissions/by-token/${mine.token}`, { isComplete: true }],
      ['GET', `/api/submitters/${mine.submitterId}`],
      ['GET', `/api/submitters/${mine.submitterId}/submissions`],
      ['GET', `/api/submitters/${mine.submitterId}/erasure-preview`],
      ['GET', `/api/public/forms/${mine.formId}`],
      ['POST', `/api/public/forms/${mine.formId}/access-tokens`, {}],
      ['POST', `${form}/preview-tokens`, { dataListIds: [] }],
    ];
    const before = await state(mine.formId);
    for (const [method, path, body] of routes) {
      const { status } = await stranger.admin.call(method, path, body);
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect(await state(mine.formId)).toEqual(before);
  });

  it('cannot be referred to by a row: the foreign keys lead with the tenant', async () => {
    const mine = await filled(tenantOf(test));
    const copy = `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata, collection_status)
      select tenant_id + 1, form_id, false, false, 0, '{}', '{}', 'in_progress' from submissions where id = $1`;
    await expect(test.db.query(copy, [mine.submissionId])).rejects.toMatchObject({ code: '23503' });
  });

  /** Everything of a form that a stranger could have changed. */
  const state = (formId: string) =>
    test.db.query(
      `select f.revision, f.deleted_at, s.revision as submission_revision, s.deleted_at as submission_deleted_at,
         s.token_expires_at, (select count(*) from submissions where form_id = f.id) as submissions
       from forms f join submissions s on s.form_id = f.id where f.id = $1`,
      [formId],
    );
});

describe('forging a submitter', () => {
  const fields = {
    submitter: { externalSubjectId: 'boss', displayId: 'Boss' },
    submitterId: '1',
    submitterDisplayId: 'Boss',
    submitterProfileSnapshot: { department: 'Board' },
    submittedBy: '1',
    authProvider: 'Service',
    externalSubjectId: 'boss',
    appUserId: '1',
    restrictionKey: 'x',
    isTestSubmission: true,
    tenantId: '1',
    SubmitterId: 1,
  };

  it('through body fields has no effect on the four public and staff writes, and is counted', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const anonymous = client(test.service.url);
    const unlinked = {
      submitterId: null,
      submitterDisplayId: null,
      submitterProfileSnapshot: null,
      submittedBy: null,
      isTestSubmission: false,
    };
    const made = await anonymous.post<Submission>(pathOf(formId), fields);
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(unlinked)]);
    const { id, token } = made.body;
    const writes = [
      anonymous.patch(`${pathOf(formId)}/by-token/${String(token)}`, { ...fields, currentPage: 1 }),
      tenant.admin.put(`${pathOf(formId)}/${String(id)}`, { ...fields, currentPage: 2 }),
      tenant.admin.patch(`${pathOf(formId)}/${String(id)}`, { ...fields, currentPage: 3 }),
    ];
    for (const { status, body } of await Promise.all(writes)) {
      expect([status, body]).toEqual([200, expect.objectContaining(unlinked)]);
    }
    const metrics = await (await fetch(`${test.service.internalUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /submitter_fields_dropped_total\{field="submitterId",service="submissions-svc"\} 2/,
    );
  });

  it('through query, headers and invalid tokens sets no submitter', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { url } = test.service;
    const claims = { tid: tenant.id, sub: 'boss', roles: ['Admin'] };
    const good = test.own.token(claims);
    const [head, payload, signature] = good.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const bad = {
      'not signed': `${none}.${payload}.`,
      'without signature': `${head}.${payload}.`,
      'another payload': `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url')}.${signature}`,
      'a forged key': test.own.token(claims, { forged: true }),
      'an unknown key id': test.own.token(claims, { keyId: 'unknown', forged: true }),
      expired: test.own.token(claims, { expiresInSeconds: -60 }),
      'another issuer': test.own.token({ ...claims, iss: 'https://evil.example' }),
      'another audience': test.own.token({ ...claims, aud: 'other-api' }),
      'without tenant': test.own.token({ ...claims, tid: undefined }),
      'tenant 0': test.own.token({ ...claims, tid: '0' }),
      'without subject': test.own.token({ ...claims, sub: undefined }),
      'a subject that cannot be stored': test.own.token({ ...claims, sub: 'a\u0000b' }),
      'a service token': test.internalToken(),
      'a form-access token': await formToken(formId),
      nonsense: 'x.y.z',
    };
    for (const [name, token] of Object.entries(bad)) {
      const { status } = await client(url, token).post(pathOf(formId), {});
      expect([name, status]).toEqual([name, 401]);
    }
    const odd = await client(url).post<Submission>(
      pathOf(formId),
      {},
      {
        'x-user-id': 'boss',
        'x-submitter': 'boss',
        'x-forwarded-user': 'boss',
        cookie: `token=${good}`,
      },
    );
    expect(odd.body).toMatchObject({ submitterId: null });
    expect(await test.db.query('select id from submitters where tenant_id = $1', [tenant.id])).toEqual([]);
  });

  const formToken = async (formId: string) =>
    (await client(test.service.url).post<{ token: string }>(`/api/public/forms/${formId}/access-tokens`, {}))
      .body.token;
});

describe('bad input', () => {
  const bodies: [string, string][] = [
    ['no JSON', '{'],
    ['a list', '[]'],
    ['text', '"x"'],
    ['null', 'null'],
    ['U+0000', '{"jsonData":"\\u0000","name":"\\u0000","metadata":"\\u0000"}'],
    ['a lone surrogate', '{"jsonData":"\\ud800","name":"\\ud800"}'],
    ['a huge number', '{"currentPage":1e400,"submissionTokenExpiryHours":1e400}'],
    ['a page beyond 32 bits', '{"currentPage":2147483648,"name":"x","dataListIds":[9007199254740993]}'],
    ['a negative page', '{"currentPage":-1,"name":""}'],
    ['wrong types', '{"isComplete":"true","jsonData":{},"name":5,"status":7,"webHookSettingsJson":{}}'],
    ['no JSON text', '{"jsonData":"{","metadata":"","name":"x","webHookSettingsJson":"{"}'],
    [
      'deep nesting',
      `{"name":"x","submitter":${'['.repeat(5000)}${']'.repeat(5000)},"definition":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    ],
    ['a polluting name', '{"__proto__":{"isComplete":true},"name":"x","constructor":{}}'],
    [
      'an id beyond 63 bits',
      '{"submitter":{"externalSubjectId":"x","displayId":"y","appUserId":"9223372036854775808"},"name":"x","dataListIds":["9223372036854775808"]}',
    ],
  ];

  it.each(bodies)('%s is a 400 with problem+json on every write', async (_name, text) => {
    const tenant = tenantOf(test);
    const { formId, submissionId, token } = await filled(tenant);
    const one = `${pathOf(formId)}/${submissionId}`;
    const writes: [string, string][] = [
      ['POST', '/api/forms'],
      ['PUT', `/api/forms/${formId}`],
      ['PATCH', `/api/forms/${formId}`],
      ['POST', pathOf(formId)],
      ['POST', `${pathOf(formId)}/onbehalf`],
      ['PUT', one],
      ['PATCH', one],
      ['PATCH', `${pathOf(formId)}/by-token/${token}`],
      ['POST', `${one}/status`],
      ['PUT', '/api/tenant/webhook-settings'],
      ['PUT', `/api/forms/${formId}/webhook-settings`],
      ['POST', '/api/webhooks/settings/check'],
    ];
    const answers = await Promise.all(writes.map(([method, path]) => tenant.admin.call(method, path, text)));
    for (const { status, headers } of answers) {
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(headers.get('content-type')).toContain('application/problem+json');
    }
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(4);
  });

  it('in paths, queries and headers is never a 500', async () => {
    const { admin } = tenantOf(test);
    const paths = [
      '/api/forms/abc',
      '/api/forms/0',
      '/api/forms/9223372036854775808',
      '/api/forms/-1',
      '/api/forms/1%00',
      '/api/forms/%FF',
      '/api/forms?page=1',
      '/api/forms?limit=201',
      '/api/forms?after=%00',
      '/api/forms?search=%00',
      '/api/forms?search=a&search=b',
      '/api/submitters/x',
      '/api/submitters?search=%ED%A0%80',
      '/api/forms/1/submissions/x',
      '/api/forms/1/stats?timeZone=%00',
      '/api/forms/x/stats?from=0001-01-01&to=9999-12-31',
      '/api/forms/1/submissions/by-token/%00',
      `/api/forms/1/submissions/by-token/${'x'.repeat(3000)}`,
      '/api/public/forms/x',
    ];
    for (const path of paths) {
      const { status } = await admin.get(path);
      expect([path, status < 500]).toEqual([path, true]);
    }
    const form = await admin.put('/api/forms/1', { name: 'F', isEnabled: true }, { 'if-match': 'x' });
    expect(form.status).toBe(400);
    const text = await admin.post('/api/forms', 'name=F', { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
  });
});
