import type { DataListItem } from '@canvass/contracts';
import type { ImportedList, ImportProblem } from './client';
import { startHarness, type Harness } from './harness';
import type { KeyPage, Staged } from './staged-lists';
import { row, text, workbookOf } from './workbooks';

let harness: Harness;
beforeAll(async () => (harness = await startHarness({ MaxItems: 6 })));
afterAll(() => harness.close());

const before: DataListItem[] = [
  { value: 'z', labels: { default: 'Z', nl: 'Zet', fr: 'Zed' } },
  { value: 'b', labels: { default: 'B', nl: 'Bé' } },
  { value: 'a', labels: { default: 'A', nl: 'Aa' } },
];
/** `b` has another label and no Dutch one, `y` and `c` are new. No file names French. */
const after: DataListItem[] = [
  { value: 'z', labels: { default: 'Z', nl: 'Zet', fr: 'Zed' } },
  { value: 'b', labels: { default: 'Bee' } },
  { value: 'a', labels: { default: 'A', nl: 'Aa' } },
  { value: 'y', labels: { default: 'Why' } },
  { value: 'c', labels: { default: 'Cé', nl: 'Cee' } },
];
const difference = { added: 2, changed: 1, removed: 0, unchanged: 2 };

const items = [
  { value: 'y', labels: { default: 'Why', nl: ' ' } },
  { value: 'b', labels: { default: 'Bee', nl: null } },
  { value: 'z', labels: { default: 'Z' } },
  { value: 'c', labels: { default: 'Cé', nl: 'Cee' } },
];
const csv = 'value,default,nl\ny,Why,\nb,Bee,\nz,Z,Zet\nc,Cé,Cee\n';
const cells = csv
  .trim()
  .split('\n')
  .map((line) => row(...line.split(',').map(text)));
const files: [format: string, type: string, body: unknown, query: string][] = [
  ['JSON', 'application/json', JSON.stringify({ items, mode: 'merge' }), ''],
  ['CSV in JSON', 'application/json', JSON.stringify({ format: 'csv', csv, mode: 'merge' }), ''],
  ['CSV', 'text/csv', csv, '?mode=merge'],
  ['NDJSON', 'application/x-ndjson', items.map((one) => JSON.stringify(one)).join('\n'), '?mode=merge'],
  [
    'a workbook',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    workbookOf({ rows: cells.join('') }),
    '?mode=merge',
  ],
];

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl', 'fr'] });
  await admin.importItems(id, before);
  const path = `/api/data-lists/${id}`;
  const read = async () => (await admin.get<{ items: DataListItem[]; itemsCount: number }>(path)).body;
  const send = <T>(method: string, end: string, body: unknown, type = 'application/json') =>
    admin.request<T>(method, `${path}/${end}`, body, { 'content-type': type });
  return { admin, id, path, read, send };
}

it.each(files)('adds and changes items by value, and keeps all others: %s', async (_, type, body, query) => {
  const { read, send } = await newList();
  const dryRun = await send<ImportedList>(
    'PUT',
    `import${query === '' ? '?' : `${query}&`}dryRun=true`,
    body,
    type,
  );
  expect([dryRun.status, dryRun.body]).toMatchObject([
    200,
    { itemsCount: 3, import: { rows: 4, ...difference } },
  ]);
  expect((await read()).items).toEqual(before);
  const made = await send<ImportedList>('PUT', `import${query}`, body, type);
  expect([made.status, made.body]).toMatchObject([
    200,
    { itemsCount: 5, import: { rows: 4, ...difference } },
  ]);
  expect(await read()).toMatchObject({ itemsCount: 5, items: after });
});

it.each(files)(
  'shows the difference of a staged merge before it is applied: %s',
  async (_, type, body, query) => {
    const { admin, path, read, send } = await newList();
    const staged = await send<Staged & { mode: string }>('POST', `imports${query}`, body, type);
    expect([staged.status, staged.body]).toMatchObject([
      201,
      { state: 'ready', mode: 'merge', rows: 4, difference },
    ]);
    expect((await read()).items).toEqual(before);
    const removed = await admin.get<KeyPage<object>>(
      `${path}/imports/${staged.body.id}/difference?kind=removed`,
    );
    expect(removed.body.items).toEqual([]);
    const applied = await send<ImportedList>('POST', `imports/${staged.body.id}/apply`, undefined);
    expect([applied.status, applied.body]).toMatchObject([
      200,
      { itemsCount: 5, import: { rows: 4, ...difference } },
    ]);
    expect((await read()).items).toEqual(after);
  },
);

it('replaces by default, also where it says so', async () => {
  for (const mode of [undefined, 'replace']) {
    const { read, send } = await newList();
    const made = await send<ImportedList>('PUT', 'import', JSON.stringify({ items: [items[3]], mode }));
    expect(made.body.import).toMatchObject({ added: 1, removed: 3 });
    expect((await read()).items).toEqual([items[3]]);
    const staged = await send<{ mode: string }>('POST', 'imports', JSON.stringify({ items, mode }));
    expect(staged.body.mode).toBe('replace');
  }
  const { send } = await newList();
  for (const mode of ['append', '']) {
    const refused = await send<{ errors: object }>('PUT', 'import', JSON.stringify({ items, mode }));
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['mode']]);
  }
  expect((await send('PUT', 'import?mode=append', csv, 'text/csv')).status).toBe(400);
});

it('fills an empty list, adds locales, and is a version that can be restored', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList();
  const extra = { mode: 'merge', ensureLocales: ['nl', 'fr'] };
  const first = await admin.importItems(id, before, extra);
  expect(first.body).toMatchObject({ itemsCount: 3, import: { added: 3 } });
  await admin.importItems(id, items, extra);
  const path = `/api/data-lists/${id}`;
  expect((await admin.get(path)).body).toMatchObject({ items: after, availableLocales: ['nl', 'fr'] });
  await admin.request('POST', `${path}/versions/1/restore`);
  expect((await admin.get(path)).body).toMatchObject({ items: before });
});

it('does not apply a merge to items that have changed since', async () => {
  const { admin, id, path, read, send } = await newList();
  const merge = JSON.stringify({ items, mode: 'merge' });
  const staged = await send<Staged>('POST', 'imports', merge);
  // Another setting of the list does not matter.
  await admin.request('PATCH', path, { order: 'file' });
  const other = [...before, { value: 'w', labels: { default: 'New' } }];
  await admin.importItems(id, other);
  const conflict = { status: 409, body: { errorCode: 'conflict' } };
  expect(await send('POST', `imports/${staged.body.id}/apply`, undefined)).toMatchObject(conflict);
  expect(await admin.get(`${path}/imports/${staged.body.id}/difference`)).toMatchObject(conflict);
  expect((await read()).items).toEqual(other);
});

it('loses nothing if two merges run at once', async () => {
  const { admin, id, read } = await newList();
  const merges = await Promise.all(
    ['p', 'q'].map((value) =>
      admin.importItems(id, [{ value, labels: { default: value } }], { mode: 'merge' }),
    ),
  );
  const made = merges.filter(({ status }) => status === 200).length;
  expect(made).toBeGreaterThan(0);
  for (const { status } of merges) expect([200, 409]).toContain(status);
  expect((await read()).itemsCount).toBe(3 + made);
});

it('refuses a merge that makes the list too long, and then changes nothing', async () => {
  const { admin, id, read, send } = await newList();
  const four = ['1', '2', '3', '4'].map((value) => ({ value, labels: { default: value } }));
  const refused = await admin.importItems<ImportProblem>(id, four, { mode: 'merge' });
  expect([refused.status, refused.body.faults.map(({ code }) => code)]).toEqual([400, ['too_many_items']]);
  const staged = await send<Staged>('POST', 'imports', JSON.stringify({ items: four, mode: 'merge' }));
  expect(staged.body).toMatchObject({ state: 'rejected', faultsByCode: { too_many_items: 1 } });
  expect((await read()).items).toEqual(before);
});
