import { createServiceTokens } from '@canvass/auth';
import { listen, type Listening } from '@canvass/testing';
import { internalSecret, newUser, startHarness, type Harness } from './harness';

/** Ids of the jobs of submissions-svc and of the relay: their origin is in bits 18 to 20. */
const idOf = (ms: number, origin: number) => String((BigInt(ms) << 22n) | (BigInt(origin) << 18n) | 1n);

interface Job {
  id: string;
  kind: string;
  area: string;
}

const job = (id: string, kind: string, state = 'running') => ({
  id,
  kind,
  state,
  reason: null,
  startedBy: { provider: 'Service', kind: 'user', subject: '11' },
  total: 3,
  done: 1,
  counts: { changed: 1 },
  result: null,
  error: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  finishedAt: null,
});

/** Stand for the two services, which have the tests of their side. */
interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

let asked: Asked[];
let isWorking = true;

/** The id in a cursor. */
const placeOf = (cursor: string | null): string | undefined =>
  cursor === null ? undefined : (JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[])[1];

async function serviceWith(jobs: ReturnType<typeof job>[]): Promise<Listening> {
  const tokens = createServiceTokens(internalSecret);
  return listen((request, response) => {
    tokens.verify((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://service');
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      asked.push({ method: request.method!, path: pathname, query: searchParams, body });
      const [, , , id, action] = pathname.split('/');
      const kinds = searchParams.getAll('kinds');
      const before = BigInt(placeOf(searchParams.get('after')) ?? 2n ** 62n);
      const totals = { next: null, previous: null, total: jobs.length, totalIsExact: true };
      const found = jobs.find((each) => each.id === id);
      const answer =
        id === undefined
          ? {
              ...totals,
              items: jobs
                .filter((each) => kinds.includes(each.kind) && BigInt(each.id) < before)
                .slice(0, Number(searchParams.get('limit'))),
            }
          : action === 'cancel'
            ? { ...found, state: 'cancelled', finishedAt: '2026-11-20T12:01:00.000Z' }
            : found;
      const status = !isWorking ? 500 : answer === undefined ? 404 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
}

const recovery = job(idOf(5, 4), 'webhook_recovery');
const bulkChange = job(idOf(4, 2), 'submission_bulk_change');
const erasure = job(idOf(3, 2), 'submitter_erasure');
const oldRecovery = job(idOf(2, 4), 'webhook_recovery');

let forms: Listening;
let webhooks: Listening;
let service: Harness;
beforeAll(async () => {
  forms = await serviceWith([bulkChange, erasure]);
  webhooks = await serviceWith([recovery, oldRecovery]);
  service = await startHarness({ Audit: { Areas: { Forms: forms.url, WebHooks: webhooks.url } } });
});
beforeEach(() => {
  [asked, isWorking] = [[], true];
});
afterAll(() => Promise.all([service.close(), forms.close(), webhooks.close()]));

async function list(token: string, query = '') {
  const { status, body } = await service.call('GET', `/api/jobs${query}`, { token });
  expect(status).toBe(200);
  return body as unknown as { items: Job[]; next: string | null; unavailable: string[] };
}

const idsOf = (items: Job[]) => items.map(({ id }) => id);

async function signIn(roles: string[], admin: string): Promise<string> {
  const { email, password } = await newUser(service, admin, { roles });
  const { body } = await service.call('POST', '/api/auth/login', { body: { email, password } });
  return String(body['accessToken']);
}

it('lists the jobs of all areas, newest first, with their area, by pages', async () => {
  const { token, tenantId } = await service.newTenant();
  const all = [recovery, bulkChange, erasure, oldRecovery].map(({ id }) => id);
  const { items, next, unavailable } = await list(token);
  expect([idsOf(items), next, unavailable]).toEqual([all, null, []]);
  expect(items.map(({ area }) => area)).toEqual(['webhooks', 'forms', 'forms', 'webhooks']);
  expect(asked.map(({ query }) => query.get('tenantId'))).toEqual([tenantId, tenantId]);
  const walked: string[] = [];
  for (let after = ''; ;) {
    const page = await list(token, `?limit=1${after}`);
    walked.push(...idsOf(page.items));
    if (page.next === null) break;
    after = `&after=${page.next}`;
  }
  expect(walked).toEqual(all);
  expect(await list(token, '?total=exact')).toMatchObject({ total: 4, totalIsExact: true });
});

it('filters by area, kind and state', async () => {
  const { token } = await service.newTenant();
  expect(idsOf((await list(token, '?area=forms')).items)).toEqual([bulkChange.id, erasure.id]);
  expect(idsOf((await list(token, '?kind=submitter_erasure&state=running')).items)).toEqual([erasure.id]);
  expect(asked.map(({ query }) => query.get('state'))).toEqual([null, 'running']);
});

it('names an area that does not answer, and shows the others', async () => {
  const { token } = await service.newTenant();
  isWorking = false;
  expect(await list(token, '?total=exact')).toMatchObject({
    items: [],
    next: null,
    totalIsExact: false,
    unavailable: ['forms', 'webhooks'],
  });
  const reply = await service.call('GET', `/api/jobs/${recovery.id}`, { token });
  expect([reply.status, reply.body['detail']]).toEqual([503, expect.stringContaining('webhooks')]);
});

it('asks for kinds that the caller may see only', async () => {
  const { token } = await service.newTenant();
  const respondent = await signIn(['Respondent'], token);
  expect(await list(respondent, '?total=exact')).toMatchObject({ items: [], total: 0, unavailable: [] });
  expect(asked).toEqual([]);
  expect((await service.call('GET', `/api/jobs/${bulkChange.id}`, { token: respondent })).status).toBe(404);
  const viewer = await signIn(['Viewer'], token);
  expect((await service.call('GET', `/api/jobs/${bulkChange.id}`, { token: viewer })).status).toBe(200);
});

it('finds a job in the service that made its id', async () => {
  const { token, tenantId } = await service.newTenant();
  const { status, body, headers } = await service.call('GET', `/api/jobs/${recovery.id}`, { token });
  expect([status, body]).toEqual([200, { ...recovery, area: 'webhooks' }]);
  expect(headers.get('etag')).not.toBeNull();
  expect(asked).toMatchObject([{ path: `/internal/jobs/${recovery.id}` }]);
  expect(asked[0]!.query.get('tenantId')).toBe(tenantId);
  for (const id of [idOf(9, 2), idOf(9, 4), idOf(9, 1), '1', '9223372036854775807'])
    expect((await service.call('GET', `/api/jobs/${id}`, { token })).status).toBe(404);
});

it('cancels a job in the name of the caller, who needs the permission of its kind', async () => {
  const { token, tenantId, adminId } = await service.newTenant();
  const path = `/api/jobs/${erasure.id}/cancel`;
  const viewer = await signIn(['Viewer'], token);
  expect((await service.call('POST', path, { token: viewer })).status).toBe(403);
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
  const { status, body } = await service.call('POST', path, { token });
  expect([status, body['state'], body['area']]).toEqual([200, 'cancelled', 'forms']);
  expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
    path: `/internal/jobs/${erasure.id}/cancel`,
    body: {
      tenantId,
      actor: { provider: 'Service', kind: 'user', subject: adminId },
      requestId: expect.any(String) as string,
    },
  });
  expect((await service.call('POST', path)).status).toBe(401);
});

it('is taken over in the name of the caller, with the version of their rights', async () => {
  const { token, tenantId, adminId } = await service.newTenant();
  const path = `/api/jobs/${erasure.id}/take-over`;
  const editor = await signIn(['Editor'], token);
  expect((await service.call('POST', path, { token: editor })).status).toBe(403);
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
  const { status, body } = await service.call('POST', path, { token });
  expect([status, body['area']]).toEqual([200, 'forms']);
  expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
    path: `/internal/jobs/${erasure.id}/take-over`,
    body: { tenantId, version: 1, actor: { provider: 'Service', kind: 'user', subject: adminId } },
  });
  expect((await service.call('POST', `/api/jobs/${idOf(9, 2)}/take-over`, { token })).status).toBe(404);
  expect((await service.call('POST', path)).status).toBe(401);
});

it('is closed to a service account with some forms', async () => {
  const { token } = await service.newTenant();
  const account = await service.call('POST', '/api/service-accounts', {
    token,
    body: { name: 'restricted', roles: ['Integration'], formIds: ['5'] },
  });
  const { clientId, clientSecret } = account.body as { clientId: string; clientSecret: string };
  const issued = await service.call('POST', '/api/auth/token', {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  const restricted = String(issued.body['access_token']);
  expect((await service.call('GET', '/api/jobs', { token: restricted })).status).toBe(403);
  expect((await service.call('GET', `/api/jobs/${recovery.id}`, { token: restricted })).status).toBe(403);
});

it.each(['?area=odd', '?kind=odd', '?state=odd', '?before=x', '?limit=0', '?limit=201', '?page=1'])(
  'rejects %s',
  async (query) => {
    const { token } = await service.newTenant();
    expect((await service.call('GET', `/api/jobs${query}`, { token })).status).toBe(400);
  },
);
