import { randomUUID } from 'node:crypto';
import { startHarness, tenantOf, type Harness } from './harness';
import { submissionCalls } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous } = submissionCalls(() => test);
const newSlug = () => `form-${randomUUID()}`;

describe('the slug of a form', () => {
  it('finds the form for its respondents, until it is deleted or has another', async () => {
    const tenant = tenantOf(test);
    const [slug, next] = [newSlug(), newSlug()];
    const formId = await tenant.form({ slug });
    const found = (at: string) => anonymous().get(`/api/public/forms/${at}`);
    expect((await found(slug)).body).toMatchObject({ id: formId });
    expect((await tenant.admin.patch(`/api/forms/${formId}`, { slug: next })).body).toMatchObject({
      slug: next,
    });
    expect((await found(slug)).status).toBe(404);
    expect((await found(next)).body).toMatchObject({ id: formId });
    await tenant.admin.delete(`/api/forms/${formId}`);
    expect((await found(next)).status).toBe(404);
    await tenantOf(test).form({ slug: next });
    expect((await found(next)).status).toBe(200);
  });

  it('is a 409 slug_taken if another form of the installation has it', async () => {
    const slug = newSlug();
    await tenantOf(test).form({ slug });
    const { admin, form } = tenantOf(test);
    const formId = await form();
    const taken = { status: 409, body: { errorCode: 'slug_taken' } };
    expect(await admin.post('/api/forms', { name: 'F', slug })).toMatchObject(taken);
    expect(await admin.patch(`/api/forms/${formId}`, { slug })).toMatchObject(taken);
    expect((await admin.get(`/api/forms/${formId}`)).body).toMatchObject({ slug: null, revision: '1' });
  });

  it.each(['ab', 'a'.repeat(65), '123456', 'Form', 'a b', 'ä-form', 'form\n'])('is not %j', async (slug) => {
    const { status, body } = await tenantOf(test).admin.post('/api/forms', { name: 'F', slug });
    expect([status, body['errors']]).toEqual([400, { slug: [expect.stringContaining('must be 3 to 64')] }]);
  });
});

describe('the page of a form', () => {
  const logo = `data:image/png;base64,${Buffer.alloc(64 * 1024).toString('base64')}`;
  const page = {
    logo,
    accent: '#0F766e',
    scheme: 'dark',
    frameAncestors: ['https://www.example.org', 'http://localhost:8080', 'http://127.0.0.1:1'],
    redirectTo: 'https://www.example.org/thanks?from=form',
    redirectHosts: ['other.example.org:8443'],
  };

  it('is kept, has defaults, and is shown to respondents', async () => {
    const { admin, form } = tenantOf(test);
    const formId = await form({ page });
    const publicPage = async () => (await anonymous().get(`/api/public/forms/${formId}`)).body['page'];
    expect(await publicPage()).toEqual(page);
    const { body } = await admin.patch(`/api/forms/${formId}`, { page: { accent: '#000000' } });
    expect(body['page']).toEqual({
      logo: null,
      accent: '#000000',
      scheme: 'auto',
      frameAncestors: [],
      redirectTo: null,
      redirectHosts: [],
    });
    await admin.patch(`/api/forms/${formId}`, { page: null });
    expect(await publicPage()).toBeNull();
  });

  it.each([
    ['logo', 'https://www.example.org/logo.png', 'must be a data URL'],
    ['logo', 'data:text/html;base64,PGI+', 'must be a data URL'],
    ['logo', `data:image/png;base64,${'A'.repeat(90_000)}`, 'must be at most 87410 characters'],
    ['accent', 'red', 'must be a colour such as "#0f766e"'],
    ['accent', '#0f766e;', 'must be a colour such as "#0f766e"'],
    ['scheme', 'blue', 'must be one of'],
    ['redirectTo', 'http://www.example.org', 'must be'],
    ['redirectTo', 'javascript:alert(1)', 'must be'],
  ])('refuses a wrong %s (%#)', async (name, value, rule) => {
    const { status, body } = await tenantOf(test).admin.post('/api/forms', {
      name: 'F',
      page: { [name]: value },
    });
    expect([status, body['errors']]).toEqual([400, { [`page.${name}`]: [expect.stringContaining(rule)] }]);
  });

  it.each([
    'https://www.example.org/',
    'https://www.example.org:443',
    'http://www.example.org',
    'https://*.example.org',
    'https://a.example;script-src',
    "https://a.example 'unsafe-inline'",
    'https://A.example',
    'https://1.2.3.999',
    'http://localhost:99999',
    '*',
  ])('is not embedded by %j', async (value) => {
    const { status, body } = await tenantOf(test).admin.post('/api/forms', {
      name: 'F',
      page: { frameAncestors: [value] },
    });
    expect([status, body['errors']]).toEqual([
      400,
      { 'page.frameAncestors[0]': [expect.stringContaining('must be an origin such as')] },
    ]);
  });

  it.each(['https://www.example.org', 'a/b', 'a.example ', 'A.example'])(
    'does not lead to %j',
    async (value) => {
      const { status, body } = await tenantOf(test).admin.post('/api/forms', {
        name: 'F',
        page: { redirectHosts: [value] },
      });
      expect([status, body['errors']]).toEqual([
        400,
        { 'page.redirectHosts[0]': [expect.stringContaining('must be a host such as')] },
      ]);
    },
  );
});
