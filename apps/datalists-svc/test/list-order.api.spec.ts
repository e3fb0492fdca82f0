import type { DataListItem, DataListView } from '@canvass/contracts';
import { eventually } from '@canvass/testing';
import { client, type Page } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => (harness = await startHarness()));
afterAll(() => harness.close());

/** Neither their values nor their labels are sorted, and `medium` is in two labels. */
const sizes: DataListItem[] = [
  { value: 'xs', labels: { default: 'Extra small', de: 'Sehr klein' } },
  { value: 's', labels: { default: 'Small', de: 'Klein' } },
  { value: 'm-l', labels: { default: 'Between medium and large', de: 'Medium bis large' } },
  { value: 'm', labels: { default: 'Medium', de: 'Medium' } },
  { value: 'l', labels: { default: 'Large', de: 'Large' } },
];
const inFile = ['xs', 's', 'm-l', 'm', 'l'];

const newList = async (list: object = {}) => {
  const admin = harness.newTenant();
  const made = await admin.createList({ availableLocales: ['de'], ...list });
  await admin.importItems(made.id, sizes);
  const path = `/api/data-lists/${made.id}`;
  const found = async (query: Record<string, string> = {}) =>
    (await admin.find(made.id, query)).items.map(({ value }) => value);
  const set = (body: object) => admin.request<DataListView>('PATCH', path, body);
  return { admin, id: made.id, made, path, found, set };
};

it('sorts by label unless the list says otherwise', async () => {
  const { made, found } = await newList();
  expect(made.order).toBe('label');
  expect(await found()).toEqual(['m-l', 'xs', 'l', 'm', 's']);
  expect(await found({ query: 'medium' })).toEqual(['m', 'm-l']);
});

it('keeps the order of the file in pages and in searches, whatever the language', async () => {
  const { made, admin, id, found } = await newList({ order: 'file' });
  expect(made.order).toBe('file');
  expect(await found()).toEqual(inFile);
  expect(await found({ locale: 'de' })).toEqual(inFile);
  expect(await found({ query: 'medium' })).toEqual(['m-l', 'm']);
  expect(await found({ query: 'medium', matchMode: 'StartsWith' })).toEqual(['m']);
  expect(await found({ query: 'klein', locale: 'de' })).toEqual(['xs', 's']);
  const second = await admin.find(id, { page: '2', pageSize: '2' });
  expect([second.totalRecords, second.items.map(({ value }) => value)]).toEqual([5, ['m-l', 'm']]);
});

it('keeps it in the search of a form', async () => {
  const { admin, id } = await newList({ order: 'file' });
  const formId = newId();
  const { tenantId } = admin;
  harness.publishForm('form.created', { id: formId, isPublic: true, dataListIds: [id] }, tenantId, '1');
  const token = harness.formToken({ tenantId, formId, lists: [id] });
  const path = `/api/public/forms/${formId}/data-lists/${id}/search`;
  const page = await eventually(async () => {
    const answer = await client(harness.service.url, token).get<Page<DataListItem>>(`${path}?query=l`);
    expect(answer.status).toBe(200);
    return answer.body;
  });
  expect(page.items.map(({ value }) => value)).toEqual(['xs', 's', 'm-l', 'l']);
});

it('is a setting of the list: it changes no version, and an import and a restore keep it', async () => {
  const { admin, id, path, found, set } = await newList();
  const changed = await set({ order: 'file' });
  expect(changed.body).toMatchObject({ order: 'file', revision: '3' });
  expect(await found()).toEqual(inFile);
  // Without a difference nothing changes.
  expect((await set({ order: 'file' })).body.revision).toBe('3');

  await admin.importItems(id, [...sizes].reverse());
  expect(await found()).toEqual([...inFile].reverse());
  const restored = await admin.request<DataListView>('POST', `${path}/versions/1/restore`);
  expect([restored.status, restored.body.order]).toEqual([200, 'file']);
  expect(await found()).toEqual(inFile);
  const versions = await admin.get<{ items: { number: number }[] }>(`${path}/versions`);
  expect(versions.body.items.map(({ number }) => number)).toEqual([3, 2, 1]);

  await set({ order: 'label' });
  expect(await found({ locale: 'de' })).toEqual(['s', 'l', 'm', 'm-l', 'xs']);
});

it('is in the event and refuses other names', async () => {
  const { admin, id, path, set } = await newList();
  await set({ order: 'file' });
  await eventually(() => {
    const [event] = harness.events.filter((one) => one.entityId === id && one.type === 'datalist.updated');
    expect(event?.data).toMatchObject({ order: 'file' });
  });
  for (const order of ['value', '']) {
    const refused = await admin.request<{ errors: object }>('PATCH', path, { order });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['order']]);
  }
});
