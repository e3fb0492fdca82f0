import { startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({}, { DataLists: 3, ListItems: 10 });
});
afterAll(() => harness.close());

const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: `v${n}`, labels: { default: 'L' } }));

it('a tenant has exactly its quota of lists after parallel creates', async () => {
  const admin = harness.newTenant();
  const create = (name: string) =>
    admin.request<Record<string, unknown>>('POST', '/api/data-lists', { name });
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => create(`L${n}`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(7).fill(403)]);
  expect(replies.find(({ status }) => status === 403)!.body).toMatchObject({
    errorCode: 'quota_exceeded',
    quota: 'dataLists',
    limit: 3,
    used: 3,
  });
  const made = replies.find(({ status }) => status === 201)!.body['id'] as string;
  expect((await admin.request('DELETE', `/api/data-lists/${made}`)).status).toBe(204);
  expect((await create('again')).status).toBe(201);
  expect((await harness.newTenant().createList()).id).toBeDefined();
});

it('an import or a restored version is refused, with nothing changed, if the lists would have too many items', async () => {
  const admin = harness.newTenant();
  const [one, other] = [await admin.createList(), await admin.createList()];
  expect((await admin.importItems(one.id, items(6))).status).toBe(200);
  expect((await admin.importItems(one.id, items(1))).status).toBe(200);
  const parallel = await Promise.all([
    admin.importItems<Record<string, unknown>>(one.id, items(6)),
    admin.importItems<Record<string, unknown>>(other.id, items(7)),
  ]);
  expect(parallel.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(parallel.find(({ status }) => status === 403)!.body).toMatchObject({
    quota: 'listItems',
    limit: 10,
  });
  expect((await admin.importItems(one.id, items(1))).status).toBe(200);
  expect((await admin.importItems(other.id, items(7))).status).toBe(200);
  const restored = await admin.request('POST', `/api/data-lists/${one.id}/versions/1/restore`);
  expect([restored.status, restored.body['errorCode']]).toEqual([403, 'quota_exceeded']);
  expect((await admin.find(one.id, {})).totalRecords).toBe(1);
  expect((await admin.importItems(other.id, items(3))).status).toBe(200);
  expect((await admin.request('POST', `/api/data-lists/${one.id}/versions/1/restore`)).status).toBe(200);
});

it('an administrator sees limits and use', async () => {
  const admin = harness.newTenant();
  await admin.importItems((await admin.createList()).id, items(4));
  const { status, body } = await admin.get('/api/tenant/quotas/data-lists');
  expect([status, body['items']]).toEqual([
    200,
    [
      { name: 'dataLists', limit: 3, used: 1, isPerDay: false, isOwnLimit: false },
      { name: 'listItems', limit: 10, used: 4, isPerDay: false, isOwnLimit: false },
      { name: 'stagedImports', limit: 20, used: 0, isPerDay: false, isOwnLimit: false },
    ],
  ]);
  const editor = harness.clientOf(admin.tenantId, ['Editor']);
  expect((await editor.get('/api/tenant/quotas/data-lists')).status).toBe(403);
});
