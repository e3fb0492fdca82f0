import type { DataListItem, DataListView } from '@canvass/contracts';
import { createDatabase, type Database } from '@canvass/postgres';
import { eventually, type KeyPageReply } from '@canvass/testing';
import { startHarness, type Harness } from './harness';

let harness: Harness;
let db: Database;
beforeAll(async () => {
  harness = await startHarness({ KeptVersions: 3 });
  db = createDatabase({ Url: harness.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await harness.close();
});

type WithItems = DataListView & { items: DataListItem[] };

interface Version {
  number: number;
  cause: string;
  restoredFrom: number | null;
  itemsCount: number;
  defaultLocale: string;
  availableLocales: string[];
  revision: string;
  isCurrent: boolean;
  createdAt: string;
}

const itemsOf = (letter: string, count = 2): DataListItem[] =>
  Array.from({ length: count }, (_, n) => ({
    value: `${letter}${n}`,
    labels: { default: letter, nl: `${letter}-nl` },
  }));

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl'] });
  const path = `/api/data-lists/${id}`;
  return {
    admin,
    id,
    path,
    read: async () => (await admin.get<WithItems>(path)).body,
    versions: async () => (await admin.get<KeyPageReply<Version>>(`${path}/versions?total=exact`)).body,
    restore: (number: number | string, headers?: Record<string, string>) =>
      admin.request<DataListView>('POST', `${path}/versions/${number}/restore`, undefined, headers),
  };
}

it('a list without items has none; each import creates one, the latest first', async () => {
  const { admin, id, versions } = await newList();
  expect((await versions()).items).toEqual([]);
  await admin.importItems(id, itemsOf('a', 3));
  await admin.importItems(id, itemsOf('b'));
  await admin.request('PUT', `/api/data-lists/${id}/import?dryRun=true`, { items: itemsOf('c') });
  const page = await versions();
  expect([page.total, page.items.map(({ number, isCurrent }) => [number, isCurrent])]).toEqual([
    2,
    [
      [2, true],
      [1, false],
    ],
  ]);
  expect(page.items[1]).toEqual({
    number: 1,
    cause: 'imported',
    restoredFrom: null,
    itemsCount: 3,
    defaultLocale: 'en',
    availableLocales: ['nl'],
    revision: '2',
    isCurrent: false,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    createdBy: { provider: 'Service', kind: 'user', subject: expect.any(String) as string },
  });
});

it('restoring creates a new version with the items, searched and announced like an import', async () => {
  const { admin, id, read, versions, restore } = await newList();
  await admin.importItems(id, itemsOf('a', 3));
  await admin.importItems(id, itemsOf('b'));
  const reply = await restore(1);
  expect(reply.body).toMatchObject({ id, itemsCount: 3, revision: '4' });
  expect(reply.headers.get('etag')).toBe('"4"');
  expect((await read()).items).toEqual(itemsOf('a', 3));
  expect((await admin.find(id, { query: 'A-NL', locale: 'nl' })).totalRecords).toBe(3);
  expect((await versions()).items[0]).toMatchObject({ number: 3, cause: 'restored', restoredFrom: 1 });
  await eventually(() =>
    harness.events.some(
      ({ type, entityId, revision }) => type === 'datalist.imported' && entityId === id && revision === '4',
    ),
  );
  // The current one is there already.
  expect((await restore(1)).body.revision).toBe('4');
  expect((await restore(3)).body.revision).toBe('4');
});

it('a version restores its default locale and its locales; those added since stay', async () => {
  const { admin, id, path, read, versions, restore } = await newList();
  await admin.importItems(id, itemsOf('a'));
  await admin.request('PUT', `${path}/default-locale`, { defaultLocale: 'nl' });
  await admin.request('DELETE', `${path}/locales/en`);
  await admin.request('POST', `${path}/locales`, { locale: 'fr' });
  expect((await versions()).items.map(({ cause }) => cause)).toEqual([
    'locale_removed',
    'default_locale_changed',
    'imported',
  ]);
  expect((await restore(1)).body).toMatchObject({ defaultLocale: 'en', availableLocales: ['nl', 'fr'] });
  expect((await read()).items).toEqual(itemsOf('a'));
});

it('only the latest are kept, and items are discarded with their last version', async () => {
  const { admin, id, versions, restore } = await newList();
  const discarded = () =>
    db.query<{ version: string }>('select version from discarded_versions where list_id = $1', [id]);
  for (const letter of 'abc') await admin.importItems(id, itemsOf(letter));
  expect(await discarded()).toEqual([]);
  await restore(2); // 4
  expect((await versions()).items.map(({ number }) => number)).toEqual([4, 3, 2]);
  expect(await discarded()).toHaveLength(1);
  await admin.importItems(id, itemsOf('d')); // 5: version 2 goes, its items stay as those of 4
  expect(await discarded()).toHaveLength(1);
  expect((await restore(1)).status).toBe(404);
  expect((await restore(2)).status).toBe(404);
  expect((await restore(4)).status).toBe(200);
  expect((await admin.find(id, {})).items).toEqual(
    [...itemsOf('b')].map(({ value, labels }) => ({ value, labels: { default: labels['default'] } })),
  );
  await admin.request('DELETE', `/api/data-lists/${id}`);
  expect(await discarded()).toHaveLength(4);
});

it('items are discarded as of the switch, not as of the start of the import', async () => {
  const { admin, id } = await newList();
  for (const letter of 'abcd') await admin.importItems(id, itemsOf(letter));
  const rows = await db.query(
    `select d.discarded_at > switched.created_at as later from discarded_versions d
     join data_list_versions switched on switched.list_id = d.list_id and switched.number = 4 where d.list_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ later: true }]);
});

it('versions are read by viewers, restored by editors, and conditional on If-Match', async () => {
  const { admin, id, path, restore } = await newList();
  await admin.importItems(id, itemsOf('a'));
  await admin.importItems(id, itemsOf('b'));
  const viewer = harness.clientOf(admin.tenantId, ['Viewer']);
  const stranger = harness.newTenant();
  expect((await viewer.get(`${path}/versions`)).status).toBe(200);
  expect((await viewer.request('POST', `${path}/versions/1/restore`)).status).toBe(403);
  expect((await stranger.get(`${path}/versions`)).status).toBe(404);
  expect((await stranger.request('POST', `${path}/versions/1/restore`)).status).toBe(404);
  expect((await restore(1, { 'if-match': '"2"' })).status).toBe(412);
  for (const number of ['0', '-1', '1.5', 'x', '99999999999', '%00']) {
    expect((await restore(number)).status).toBe(400);
  }
  expect((await restore(1, { 'if-match': '"3"' })).status).toBe(200);
});
