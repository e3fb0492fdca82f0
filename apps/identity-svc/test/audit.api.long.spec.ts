import { walkByKey, type KeyPageReply } from '@canvass/testing';
import { startHarness, newUser, type Harness } from './harness';

/** A process with a database of its own stands for submissions-svc: both serve the same internal API. */
let forms: Harness;
let service: Harness;
let alone: Harness;
beforeAll(async () => {
  forms = await startHarness();
  service = await startHarness({
    Audit: {
      Areas: { Forms: forms.internalUrl, DataLists: forms.internalUrl, WebHooks: 'http://127.0.0.1:1' },
    },
  });
  alone = await startHarness();
});
afterAll(() => Promise.all([forms, service, alone].map((each) => each.close())));

interface AuditPage {
  items: { id: string; area: string; action: string; actor: object | null; object: { id: string } }[];
}

/** The order of ids of one millisecond in two areas is not that of the inserts, so each has its own. */
const insert = ({ db }: Harness, tenantId: string, action: string) =>
  db.query(
    `with waited as materialized (select pg_sleep(0.002))
     insert into audit (tenant_id, action, object_type, object_id) select $1, $2, 'form', '5' from waited`,
    [tenantId, action],
  );

/** All actions in pages of two, as areas and actions. */
async function walk(token: string, query: string): Promise<string[]> {
  const { forward, backward } = await walkByKey(async (page) => {
    const path = `/api/audit?${page}&${query}`;
    const { status, body } = await service.call('GET', path, { token });
    expect([path, status]).toEqual([path, 200]);
    return body as unknown as KeyPageReply<AuditPage['items'][number]>;
  }, 2);
  expect(backward).toEqual(forward);
  return forward.map(({ area, action }) => `${area} ${action}`);
}

it('merges the areas, newest first, in pages', async () => {
  const { token, tenantId } = await service.newTenant();
  await insert(forms, tenantId, 'test.first');
  await insert(service, tenantId, 'test.second');
  await insert(forms, '1', 'test.other_tenant');
  await insert(forms, tenantId, 'test.third');
  const both = 'area=forms&area=identity&objectId=5';
  const all = ['forms test.third', 'identity test.second', 'forms test.first'];
  expect(await walk(token, both)).toEqual(all);
  expect(await walk(token, `${both}&action=test.second`)).toEqual(['identity test.second']);
  expect(await walk(token, `${both}&to=2026-01-02T00:00:00Z`)).toEqual([]);
  expect(await walk(token, `${both}&from=2026-01-02T00:00:00Z&to=2036-01-01T00:00:00Z`)).toEqual(all);
  expect(await walk(token, `${both}&actor=someone`)).toEqual([]);
  const { body } = await service.call('GET', `/api/audit?${both}&limit=1&total=exact`, { token });
  expect(body).toMatchObject({ total: 3, totalIsExact: true });
  const other = `/api/audit?${both}&action=test.second&after=${String(body['next'])}`;
  expect((await service.call('GET', other, { token })).status).toBe(400);
});

it('answers 503 for an area that cannot be read, and names it', async () => {
  const { token } = await service.newTenant();
  for (const path of ['/api/audit', '/api/audit?area=webhooks&area=forms']) {
    const { status, body } = await service.call('GET', path, { token });
    expect([status, body['detail']]).toEqual([503, expect.stringContaining('area webhooks')]);
  }
  const export_ = { token, headers: { accept: 'application/x-ndjson' } };
  expect((await service.call('GET', '/api/audit', export_)).status).toBe(503);
  expect((await service.call('GET', '/api/audit?area=identity', { token })).status).toBe(200);

  const other = await alone.newTenant();
  const { status, body } = await alone.call('GET', '/api/audit?area=forms', { token: other.token });
  expect([status, body['detail']]).toEqual([503, expect.stringContaining('area forms')]);
});

it('ends after five seconds with a problem that names what helps, in every area', async () => {
  const { token } = await service.newTenant();
  for (const [area, { db }] of [
    ['forms', forms],
    ['identity', service],
  ] as const) {
    const { status, body } = await db.transaction(async (tx) => {
      await tx.query('lock table audit in access exclusive mode');
      return service.call('GET', `/api/audit?area=${area}&action=test.any`, { token });
    });
    expect([area, status, body['errorCode']]).toEqual([area, 400, 'query_too_broad']);
    expect(body['detail']).toContain('from and to');
  }
});

it('streams all actions as NDJSON and records the export', async () => {
  const { token, tenantId, adminId } = await service.newTenant();
  await service.db.query(
    `insert into audit (tenant_id, action, object_type, object_id)
     select $1, 'test.many', 'form', n::text from generate_series(1, 2500) n`,
    [tenantId],
  );
  const response = await fetch(`${service.url}/api/audit?area=identity&area=forms&action=test.many`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
  });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = (await response.text()).trim().split('\n');
  const objects = lines.map((line) => (JSON.parse(line) as AuditPage['items'][number]).object.id);
  expect(objects).toEqual(Array.from({ length: 2500 }, (_, n) => String(2500 - n)));
  const { body } = await service.call('GET', '/api/audit?area=identity&action=audit.exported', { token });
  expect((body as unknown as AuditPage).items).toMatchObject([{ actor: { subject: adminId } }]);
});

it('needs the permission Audit.View and rejects bad parameters', async () => {
  const { token } = await service.newTenant();
  const editor = await newUser(service, token, { roles: ['Editor'] });
  const { email, password } = editor;
  const { body } = await service.call('POST', '/api/auth/login', { body: { email, password } });
  expect((await service.call('GET', '/api/audit', { token: String(body['accessToken']) })).status).toBe(403);
  expect((await service.call('GET', '/api/audit')).status).toBe(401);
  for (const query of [
    'area=x',
    'area=forms&area=forms',
    'limit=201',
    'page=1',
    'after=x',
    'before=x',
    'from=x',
    'objectId=%20',
  ])
    expect([query, (await service.call('GET', `/api/audit?${query}`, { token })).status]).toEqual([
      query,
      400,
    ]);
});
