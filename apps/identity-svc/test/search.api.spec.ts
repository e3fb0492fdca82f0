import { createServiceTokens } from '@canvass/auth';
import { listen, type Listening } from '@canvass/testing';
import { internalSecret, newUser, startHarness, type Harness } from './harness';

interface Hit {
  kind: string;
  id: string;
  name: string | null;
}

/** Stands for submissions-svc and datalists-svc: finds one thing of each kind that it is asked for. */
let other: Listening;
/** The queries it was asked, of calls with a valid service token. */
let asked: URLSearchParams[];
let isWorking = true;
let service: Harness;
beforeAll(async () => {
  const tokens = createServiceTokens(internalSecret);
  other = await listen((request, response) => {
    tokens.verify((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    const { pathname, searchParams } = new URL(request.url!, 'http://service');
    asked.push(searchParams);
    const items = searchParams
      .getAll('kinds')
      .map((kind) => ({ kind, id: '7', name: 'found', formId: null }));
    response.writeHead(isWorking && pathname === '/internal/search' ? 200 : 503);
    response.end(JSON.stringify({ items }));
  });
  service = await startHarness({
    Audit: { Areas: { Forms: other.url, DataLists: other.url, WebHooks: 'http://127.0.0.1:1' } },
  });
});
beforeEach(() => {
  [asked, isWorking] = [[], true];
});
afterAll(() => Promise.all([service.close(), other.close()]));

async function search(token: string, q: string) {
  const { status, body } = await service.call('GET', `/api/search?q=${encodeURIComponent(q)}`, { token });
  expect(status).toBe(200);
  return body as unknown as { items: Hit[]; unavailable: string[] };
}

const kindsOf = ({ items }: { items: Hit[] }) => items.map(({ kind }) => kind);

async function signIn(roles: string[], admin: string): Promise<string> {
  const { email, password } = await newUser(service, admin, { roles });
  const { body } = await service.call('POST', '/api/auth/login', { body: { email, password } });
  return String(body['accessToken']);
}

it('asks all areas in the name of the tenant, and names one that does not answer', async () => {
  const { token, tenantId, admin } = await service.newTenant();
  const found = await search(token, admin.email);
  expect(kindsOf(found)).toEqual(['form', 'submission', 'submitter', 'dataList', 'user']);
  expect(found.items.at(-1)).toMatchObject({ name: admin.email });
  expect(found.unavailable).toEqual(['webhooks']);
  expect(asked.map((query) => [query.get('tenantId'), query.get('text'), query.get('id')])).toEqual([
    [tenantId, admin.email, null],
    [tenantId, admin.email, null],
  ]);
});

it('finds its own rows although no other service answers', async () => {
  isWorking = false;
  const { token } = await service.newTenant();
  const { id } = await newUser(service, token, { name: 'Grace Hopper' });
  for (const q of ['race hop', id]) {
    const found = await search(token, q);
    expect(found.items).toMatchObject([{ kind: 'user', id }]);
    expect(found.unavailable).toEqual(['forms', 'data-lists', 'webhooks']);
  }
});

it('shows a caller only kinds that it may see, and nothing of another tenant', async () => {
  const { token, admin } = await service.newTenant();
  const viewer = await signIn(['Viewer'], token);
  expect(kindsOf(await search(viewer, admin.email))).toEqual(['form', 'submission', 'submitter', 'dataList']);
  const respondent = await signIn(['Respondent'], token);
  asked = [];
  expect(await search(respondent, admin.email)).toEqual({ items: [], unavailable: [] });
  expect(asked).toEqual([]);
  const stranger = await service.newTenant();
  expect(kindsOf(await search(stranger.token, admin.email))).not.toContain('user');
});

it('gives the services the forms that a service account is restricted to', async () => {
  const { token } = await service.newTenant();
  const account = await service.call('POST', '/api/service-accounts', {
    token,
    body: { name: 'restricted', roles: ['Integration'], formIds: ['5', '6'] },
  });
  const { clientId, clientSecret } = account.body as { clientId: string; clientSecret: string };
  const issued = await service.call('POST', '/api/auth/token', {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  await search(String(issued.body['access_token']), '12345');
  expect(asked.map((query) => query.getAll('formIds'))).toEqual([['5', '6']]);
  expect(asked[0]!.get('id')).toBe('12345');
});

it.each(['', '?q=', '?q=ab', '?q=%20%20%20%20', `?q=${'x'.repeat(201)}`, '?q=abc&q=def', '?q=abc&x=1'])(
  'rejects %s',
  async (query) => {
    const { token } = await service.newTenant();
    expect((await service.call('GET', `/api/search${query}`, { token })).status).toBe(400);
  },
);

it.each(['%', '_%_', '\\\\\\', "'; drop", '\u0000abc', '9223372036854775808', '0000'])(
  'takes %j as text',
  async (q) => {
    const { token } = await service.newTenant();
    const reply = await service.call('GET', `/api/search?q=${encodeURIComponent(`${q}zzz`)}`, { token });
    expect(reply.status).toBeLessThan(500);
  },
);

it('needs a token', async () => {
  expect((await service.call('GET', '/api/search?q=abc')).status).toBe(401);
});
