import { startHarness, tenantOf, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

interface Versions {
  total: number;
  items: { revision: string; savedAt: string; savedBy: { kind: string } | null }[];
}
interface Version {
  revision: string;
  definition: object;
}
interface Form {
  id: string;
  revision: string;
  name: string;
  definition: object;
}

const titled = (title: string) => ({ title });

async function formWith(titles: readonly string[]) {
  const tenant = tenantOf(test);
  const [first, ...others] = titles;
  const { body } = await tenant.admin.post<Form>('/api/forms', { name: 'F', definition: titled(first!) });
  const path = `/api/forms/${body.id}`;
  for (const title of others) await tenant.admin.patch(path, { definition: titled(title) });
  return { tenant, path, versions: `${path}/versions` };
}

it('lists a version for each new definition, and none for other changes', async () => {
  const { tenant, path, versions } = await formWith(['a', 'b']);
  await tenant.admin.patch(path, { name: 'Renamed' });
  await tenant.admin.patch(path, { definition: titled('b') });
  await tenant.admin.patch(path, { definition: titled('c') });
  const { body } = await tenant.as('Viewer').get<Versions>(`${versions}?total=exact`);
  expect(body.total).toBe(3);
  expect(body.items.map(({ revision }) => revision)).toEqual(['5', '2', '1']);
  expect(body.items[0]!.savedBy).toMatchObject({ kind: 'user' });
});

it('returns the definition that the form had at any of its revisions', async () => {
  const { tenant, path, versions } = await formWith(['a', 'b']);
  await tenant.admin.patch(path, { name: 'Renamed' });
  const definitionAt = async (revision: string) =>
    (await tenant.admin.get<Version>(`${versions}/${revision}`)).body;
  expect(await definitionAt('1')).toMatchObject({ revision: '1', definition: titled('a') });
  expect(await definitionAt('2')).toMatchObject({ revision: '2', definition: titled('b') });
  expect(await definitionAt('3')).toMatchObject({ revision: '2', definition: titled('b') });
  expect((await tenant.admin.get(`${versions}/4`)).status).toBe(404);
});

it('finds the version that was in force at a time', async () => {
  const { tenant, versions } = await formWith(['a', 'b']);
  const [newest, oldest] = (await tenant.admin.get<Versions>(versions)).body.items;
  const at = (time: string) =>
    tenant.admin.get<Versions>(`${versions}?total=exact&at=${encodeURIComponent(time)}`);
  const later = new Date(Date.parse(newest!.savedAt) + 1).toISOString();
  expect((await at(later)).body.items[0]!.revision).toBe('2');
  const before = new Date(Date.parse(oldest!.savedAt) - 1).toISOString();
  expect((await at(before)).body).toMatchObject({ total: 0, items: [] });
  expect((await at('yesterday')).body).toMatchObject({ errors: { at: [expect.any(String)] } });
});

it('restores a definition as a new revision, without the other members, and honours If-Match', async () => {
  const { tenant, path, versions } = await formWith(['a', 'b']);
  await tenant.admin.patch(path, { name: 'Renamed' });
  const stale = await tenant.admin.post(`${versions}/1/restore`, undefined, { 'If-Match': '"1"' });
  expect(stale.status).toBe(412);
  const { status, body } = await tenant.admin.post<Form>(`${versions}/1/restore`);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ revision: '4', name: 'Renamed', definition: titled('a') }),
  ]);
  expect((await tenant.admin.get<Versions>(`${versions}?total=exact`)).body.total).toBe(3);
  expect((await tenant.as('Viewer').post(`${versions}/1/restore`)).status).toBe(403);
});

it('keeps the newest 100 versions', async () => {
  const { tenant, versions } = await formWith(Array.from({ length: 103 }, (_, n) => `title ${n}`));
  const { body } = await tenant.admin.get<Versions>(`${versions}?limit=200&total=exact`);
  expect([body.total, body.items[0]!.revision, body.items.at(-1)!.revision]).toEqual([100, '103', '4']);
  expect((await tenant.admin.get(`${versions}/3`)).status).toBe(404);
});

it('hides the versions of other tenants and of deleted forms', async () => {
  const { tenant, path, versions } = await formWith(['a']);
  const stranger = tenantOf(test);
  for (const each of [versions, `${versions}/1`]) expect((await stranger.admin.get(each)).status).toBe(404);
  expect((await stranger.admin.post(`${versions}/1/restore`)).status).toBe(404);
  await tenant.admin.delete(path);
  for (const each of [versions, `${versions}/1`]) expect((await tenant.admin.get(each)).status).toBe(404);
});
