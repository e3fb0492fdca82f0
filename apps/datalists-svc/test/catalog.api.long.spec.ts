import type { DataListView } from '@canvass/contracts';
import { eventually } from '@canvass/testing';
import type { ImportedList, Page } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const item = (value: string, label = value) => ({ value, labels: { default: label } });

describe('POST /api/data-lists', () => {
  it('creates an empty list with the defaults', async () => {
    const admin = harness.newTenant();
    const reply = await admin.request<DataListView>('POST', '/api/data-lists', { name: ' Cities ' });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`/api/data-lists/${reply.body.id}`);
    expect(reply.headers.get('etag')).toBe('"1"');
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      name: 'Cities',
      description: null,
      isActive: true,
      defaultLocale: 'en',
      availableLocales: [],
      order: 'label',
      itemsCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string,
      modifiedAt: reply.body.createdAt,
      revision: '1',
    });
  });

  it('normalises culture keys and keeps each once', async () => {
    const list = await harness
      .newTenant()
      .createList({ availableLocales: ['NL-BE', ' fr ', 'nl-be'], defaultLocale: 'DE' });
    expect(list).toMatchObject({ availableLocales: ['nl-be', 'fr'], defaultLocale: 'de' });
  });

  it.each([
    ['no name', {}, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['a long description', { name: 'x', description: 'x'.repeat(2001) }, 'description'],
    ['a name that is no text', { name: 5 }, 'name'],
    ['no culture code', { name: 'x', availableLocales: ['e'] }, 'availableLocales[0]'],
    ['a reserved key', { name: 'x', availableLocales: ['default'] }, 'availableLocales[0]'],
    ['too long a culture code', { name: 'x', defaultLocale: `en${'-abcdefgh'.repeat(4)}` }, 'defaultLocale'],
    ['an unknown field', { name: 'x', items: [] }, 'items'],
    ['a character that cannot be stored', { name: 'a\u0000b' }, 'name'],
    ['a lone surrogate', { name: 'a\ud800b' }, 'name'],
  ])('answers 400 for %s', async (_what, body, field) => {
    const reply = await harness.newTenant().request<{ errors: object }>('POST', '/api/data-lists', body);
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([400, [field]]);
  });

  it('accepts at most 128 locales', async () => {
    const admin = harness.newTenant();
    const locales = Array.from({ length: 129 }, (_, n) => `en-a${n}`);
    expect((await admin.createList({ availableLocales: locales.slice(1) })).availableLocales).toHaveLength(
      128,
    );
    const reply = await admin.request('POST', '/api/data-lists', { name: 'x', availableLocales: locales });
    expect(reply.status).toBe(400);
  });
});

describe('GET /api/data-lists', () => {
  it('pages, sorts by name and counts exactly, also past the end', async () => {
    const admin = harness.newTenant();
    for (const name of ['Ö', 'a', 'Z', 'b']) await admin.createList({ name });
    const first = await admin.get<Page<DataListView>>('/api/data-lists?pageSize=3');
    expect(first.body).toMatchObject({ page: 1, pageSize: 3, totalRecords: 4, totalPages: 2 });
    expect(first.body.items.map((list) => list.name)).toEqual(['a', 'b', 'Ö']);
    const past = await admin.get<Page<DataListView>>('/api/data-lists?pageSize=3&page=9');
    expect(past.body).toMatchObject({ totalRecords: 4, items: [] });
    expect((await admin.get('/api/data-lists?limit=3')).status).toBe(400);
  });

  it('searches name and description without case and accents, wildcards being plain', async () => {
    const admin = harness.newTenant();
    await admin.createList({ name: 'Städte', description: 'ALLE Orte' });
    await admin.createList({ name: '100%' });
    const count = async (search: string) =>
      (await admin.get<Page<DataListView>>(`/api/data-lists?${new URLSearchParams({ search })}`)).body
        .totalRecords;
    expect(await count('stadte')).toBe(1);
    expect(await count('alle')).toBe(1);
    expect(await count('te al')).toBe(0);
    expect(await count('%')).toBe(1);
    expect(await count('_')).toBe(0);
    expect(await count('')).toBe(2);
  });

  it.each([
    ['nl', ['available', 'default']],
    ['NL', ['available', 'default']],
    ['fr,de', ['available', 'other']],
    ['fr&hasLocale=de', ['available', 'other']],
    ['xx', []],
    ['!', []],
    ['', ['available', 'default', 'other']],
  ])('finds by hasLocale=%s', async (hasLocale, names) => {
    const admin = harness.newTenant();
    await admin.createList({ name: 'available', availableLocales: ['nl', 'fr'] });
    await admin.createList({ name: 'default', defaultLocale: 'nl' });
    await admin.createList({ name: 'other', availableLocales: ['de'] });
    const reply = await admin.get<Page<DataListView>>(`/api/data-lists?hasLocale=${hasLocale}`);
    expect(reply.body.items.map((list) => list.name)).toEqual(names);
  });

  it.each([
    'page=0',
    'pageSize=201',
    'page=x',
    'hasLocale=,',
    'hasLocale=%20',
    'isActive=true',
    `search=${'x'.repeat(257)}`,
  ])('answers 400 for %s', async (query) => {
    expect((await harness.newTenant().get(`/api/data-lists?${query}`)).status).toBe(400);
  });
});

describe('GET /api/data-lists/{id}', () => {
  it('answers items unless includeItems is false, and 304 for a known revision', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['nl'] });
    const items = Array.from({ length: 2500 }, (_, n) => item(`v${n}`, `Label ${n}`));
    await admin.importItems(id, items);
    const whole = await admin.get<DataListView & { items: unknown[] }>(`/api/data-lists/${id}`);
    expect(whole.body).toMatchObject({ id, itemsCount: 2500, items });
    const bare = await admin.get<Record<string, unknown>>(`/api/data-lists/${id}?includeItems=false`);
    expect(bare.body).not.toHaveProperty('items');
    expect(bare.body).toMatchObject({ itemsCount: 2500 });
    const etag = bare.headers.get('etag')!;
    expect((await admin.get(`/api/data-lists/${id}`, { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('PATCH /api/data-lists/{id}', () => {
  it('changes what is sent, one revision on, and honours If-Match', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ name: 'Old', description: 'text' });
    const changed = await admin.request<DataListView>('PATCH', `/api/data-lists/${id}`, { name: 'New' });
    expect(changed.body).toMatchObject({ name: 'New', description: 'text', revision: '2' });
    const stale = await admin.request('PATCH', `/api/data-lists/${id}`, { name: 'X' }, { 'if-match': '"1"' });
    expect([stale.status, stale.body['errorCode']]).toEqual([412, 'revision_mismatch']);
    const cleared = await admin.request(
      'PATCH',
      `/api/data-lists/${id}`,
      { description: null },
      { 'if-match': '"2"' },
    );
    expect(cleared.body).toMatchObject({ description: null, revision: '3' });
  });

  it('counts every one of many concurrent changes', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        admin.request('PATCH', `/api/data-lists/${id}`, { name: `n${n}` }),
      ),
    );
    expect((await admin.get<DataListView>(`/api/data-lists/${id}`)).body.revision).toBe('13');
  });
});

describe('locales', () => {
  it('are added once and removed together with their labels', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    const path = `/api/data-lists/${id}/locales`;
    await admin.request('POST', path, { locales: ['NL', 'fr'] });
    const added = await admin.request<DataListView>('POST', path, { locale: 'nl' });
    expect(added.body.availableLocales).toEqual(['nl', 'fr']);
    await admin.importItems(id, [{ value: 'a', labels: { default: 'A', nl: 'Aa', fr: 'Ah' } }]);
    expect((await admin.request('DELETE', `${path}/NL`)).status).toBe(204);
    const { body } = await admin.get<ImportedList & { items: unknown[] }>(`/api/data-lists/${id}`);
    expect(body).toMatchObject({
      availableLocales: ['fr'],
      items: [{ value: 'a', labels: { default: 'A', fr: 'Ah' } }],
    });
    expect((await admin.request('DELETE', `${path}/en`)).status).toBe(409);
    expect((await admin.request('POST', path, { locales: ['!'] })).status).toBe(400);
  });

  it('swap their labels when the default locale changes, and none is lost', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['nl'] });
    await admin.importItems(id, [{ value: 'a', labels: { default: 'one', nl: 'een' } }, item('b', 'two')]);
    const path = `/api/data-lists/${id}/default-locale`;
    expect((await admin.request('PUT', path, { defaultLocale: 'fr' })).status).toBe(400);
    const changed = await admin.request<DataListView>('PUT', path, { defaultLocale: 'NL' });
    expect(changed.body).toMatchObject({ defaultLocale: 'nl', availableLocales: ['nl', 'en'] });
    const { body } = await admin.get<{ items: unknown[] }>(`/api/data-lists/${id}`);
    expect(body.items).toEqual([
      { value: 'a', labels: { default: 'een', en: 'one' } },
      { value: 'b', labels: { default: 'two', en: 'two' } },
    ]);
    expect((await admin.find(id, { query: 'een' })).totalRecords).toBe(1);
    expect((await admin.find(id, { query: 'one', locale: 'en' })).totalRecords).toBe(1);
  });
});

describe('a list with as many locales as it may have', () => {
  it('does not add its old default locale, and stays importable', async () => {
    const admin = harness.newTenant();
    const full = Array.from({ length: 128 }, (_, n) => `aa-x${n}`);
    const { id } = await admin.createList({ availableLocales: full });
    const changed = await admin.request('PUT', `/api/data-lists/${id}/default-locale`, {
      defaultLocale: 'aa-x0',
    });
    expect([changed.status, changed.body['errorCode']]).toEqual([400, 'validation_failed']);
    expect((await admin.importItems(id, [item('a')])).status).toBe(200);
  });
});

describe('DELETE /api/data-lists/{id}', () => {
  it('is refused while a form uses the list', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    const form = newId();
    harness.publishForm('form.created', { id: form, name: 'Survey', dataListIds: [id] }, admin.tenantId, '1');
    const used = await eventually(async () => {
      const reply = await admin.get<{ items: { id: string }[] }>(`/api/data-lists/${id}/forms`);
      expect(reply.body.items).toHaveLength(1);
      return reply;
    });
    expect(used.body.items).toEqual([{ id: form, name: 'Survey', isEnabled: true }]);
    const refused = await admin.request('DELETE', `/api/data-lists/${id}`);
    expect([refused.status, refused.body['errorCode']]).toEqual([409, 'data_list_in_use']);
    harness.publishForm('form.deleted', { id: form, dataListIds: [id] }, admin.tenantId, '2');
    await eventually(async () => (await admin.request('DELETE', `/api/data-lists/${id}`)).status === 204);
    expect((await admin.get(`/api/data-lists/${id}`)).status).toBe(404);
  });

  it('waits for events of a form that was just saved or deleted', async () => {
    const admin = harness.newTenant();
    const deletedWhile = async (type: string) => {
      const [{ id }, form] = [await admin.createList(), newId()];
      const publish = (event: string, revision: string) =>
        harness.publishForm(event, { id: form, dataListIds: [id] }, admin.tenantId, revision);
      if (type === 'form.deleted') {
        publish('form.created', '1');
        await eventually(async () =>
          expect((await admin.get(`/api/data-lists/${id}/forms`)).body['items']).toHaveLength(1),
        );
      }
      const answer = admin.request('DELETE', `/api/data-lists/${id}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      publish(type, '2');
      return (await answer).status;
    };
    // An event may be slow on a busy machine; then the next one is tried.
    await eventually(async () => expect(await deletedWhile('form.created')).toBe(409));
    await eventually(async () => expect(await deletedWhile('form.deleted')).toBe(204));
  }, 120_000);
});

describe('events', () => {
  it('report each change once, with the changed list', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ name: 'Published' });
    await admin.importItems(id, [item('a')]);
    await admin.request('PATCH', `/api/data-lists/${id}`, { isActive: false });
    await admin.request('DELETE', `/api/data-lists/${id}`);
    const mine = () => harness.events.filter((event) => event.entityId === id);
    await eventually(() => mine().length === 4);
    expect(mine().map((event) => [event.type, event.revision])).toEqual([
      ['datalist.created', '1'],
      ['datalist.imported', '2'],
      ['datalist.updated', '3'],
      ['datalist.deleted', '4'],
    ]);
    expect(mine()[1]).toMatchObject({
      tenantId: admin.tenantId,
      entity: 'datalist',
      formId: null,
      settings: null,
      traceparent: expect.stringMatching(/^00-/) as string,
      data: { id, name: 'Published', itemsCount: 1 },
    });
  });
});

it('a create with an Idempotency-Key creates one list, however often it is sent', async () => {
  const tenant = harness.newTenant();
  const send = (name: string) =>
    tenant.request('POST', '/api/data-lists', { name }, { 'idempotency-key': 'countries-1' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('Countries')));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await send('Cities')).body['errorCode']).toBe('idempotency_key_reused');
  expect((await tenant.get('/api/data-lists')).body['totalRecords']).toBe(1);
});
