import type { DataListItem, DataListView } from '@canvass/contracts';
import { createDatabase, type Database } from '@canvass/postgres';
import { behindLock } from '@canvass/testing';
import { client, type ImportProblem, type Page, type Reply } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
let db: Database;
beforeAll(async () => {
  harness = await startHarness();
  db = createDatabase({ Url: harness.database.url, PoolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await harness.close();
});

const items = [{ value: 'old', labels: { default: 'Old', nl: 'Oud' } }];
const changed = [{ value: 'new', labels: { default: 'New', nl: 'Nieuw' } }];

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl'] });
  await admin.importItems(id, items);
  const change = (method: string, path: string, body?: object): (() => Promise<Reply>) => {
    return () => admin.request(method, `/api/data-lists/${id}${path}`, body);
  };
  const read = async () =>
    (await admin.get<DataListView & { items: DataListItem[] }>(`/api/data-lists/${id}`)).body;
  return { admin, id, change, read };
}

const hold = (id: string) => (tx: { query(sql: string, values: unknown[]): Promise<unknown[]> }) =>
  tx.query('select from data_lists where id = $1 for update', [id]);

it.each([
  ['another default locale', 'PUT', '/default-locale', { defaultLocale: 'nl' }, { defaultLocale: 'nl' }],
  ['a locale less', 'DELETE', '/locales/nl', undefined, { availableLocales: [] }],
] as const)(
  'an import during which the list gets %s is a 409 and changes nothing',
  async (_what, method, path, body, now) => {
    const { admin, id, change, read } = await newList();
    // Both wait for the list, the import with its items written and checked against the locales of before.
    const [relocated, imported] = await behindLock(db, hold(id), [
      change(method, path, body),
      change('PUT', '/import', { items: changed }),
    ]);
    expect(relocated!.status).toBeLessThan(300);
    expect(imported).toMatchObject({
      status: 409,
      body: { errorCode: 'conflict', detail: 'The locales of the list were changed during the import.' },
    });
    expect(await read()).toMatchObject({ ...now, revision: '3', items: [{ value: 'old' }] });
    const again = await admin.importItems<ImportProblem>(id, [{ value: 'new', labels: { default: 'New' } }]);
    expect(again.status).toBe(200);
  },
);

it('an import continues when the list gets another locale', async () => {
  const { id, change, read } = await newList();
  const replies = await behindLock(db, hold(id), [
    change('POST', '/locales', { locale: 'fr' }),
    change('PUT', '/import', { items: changed }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await read()).toMatchObject({ availableLocales: ['nl', 'fr'], items: changed });
});

it('a public search includes all 128 locales of a list in its response, and 8 of them in a search', async () => {
  const admin = harness.newTenant();
  const locales = Array.from({ length: 128 }, (_, n) => `en-a${n}`);
  const { id } = await admin.createList({ availableLocales: locales });
  const named = (name: string) => ({
    value: name,
    labels: Object.fromEntries([
      ['default', name],
      ...locales.map((locale) => [locale, `${name} ${locale}.`]),
    ]),
  });
  expect((await admin.importItems(id, [named('apple'), named('pear')])).status).toBe(200);
  const formId = newId();
  const caller = client(
    harness.service.url,
    harness.formToken({ tenantId: admin.tenantId, formId, lists: [id] }),
  );
  const search = async (query: string) =>
    caller.get<Page<DataListItem>>(`/api/public/forms/${formId}/data-lists/${id}/search?${query}`);
  for (const parameter of [
    (included: string[]) => `includeLocales=${included.join(',')}`,
    (included: string[]) => included.map((locale) => `includeLocales=${locale}`).join('&'),
  ]) {
    const shown = await search(parameter(locales));
    expect(shown.body.items).toEqual([named('apple'), named('pear')]);
    const found = await search(`query=pear%20en-a127.&${parameter(locales.slice(-8))}`);
    expect([found.status, found.body.items.map(({ value }) => value)]).toEqual([200, ['pear']]);
    expect((await search(`query=pear&${parameter(locales.slice(-9))}`)).status).toBe(400);
  }
  expect((await search('query=pear%20en-a127.')).body.items).toEqual([]);
});
