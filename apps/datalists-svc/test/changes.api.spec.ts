import type { DataListView } from '@canvass/contracts';
import { eventually } from '@canvass/testing';
import { startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('PATCH /api/data-lists/{id}', () => {
  it('accepts the response of GET unchanged, and null or no members as no change', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['fr', 'nl'] });
    await admin.importItems(id, [{ value: 'a', labels: { default: 'A' } }]);
    const before = (await admin.get<DataListView>(`/api/data-lists/${id}`)).body;
    for (const body of [{}, before, { name: null, isActive: null, availableLocales: ['nl', 'fr'] }]) {
      const reply = await admin.request<DataListView>('PATCH', `/api/data-lists/${id}`, body);
      expect([reply.status, reply.body.revision]).toEqual([200, '2']);
    }
    const changed = { ...before, name: 'New', revision: '1', itemsCount: 7 };
    const reply = await admin.request<DataListView>('PATCH', `/api/data-lists/${id}`, changed);
    expect(reply.body).toMatchObject({ name: 'New', revision: '3', itemsCount: 1 });
  });

  it('refuses other locales and names the operations that change them', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['nl'] });
    const body = { defaultLocale: 'nl', availableLocales: ['nl', 'fr'] };
    const reply = await admin.request('PATCH', `/api/data-lists/${id}`, body);
    expect([reply.status, reply.body['errors']]).toEqual([
      400,
      {
        defaultLocale: ['is en; use PUT .../default-locale to change it'],
        availableLocales: ['are nl; use POST and DELETE .../locales to change them'],
      },
    ]);
  });

  it('takes a list of tags as If-Match', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    const patch = (name: string, ifMatch: string) =>
      admin.request('PATCH', `/api/data-lists/${id}`, { name }, { 'if-match': ifMatch });
    expect((await patch('a', '"9", "1"')).status).toBe(200);
    expect((await patch('b', '"1", "9"')).status).toBe(412);
  });
});

describe('locales', () => {
  it('that exist, or do not, are added or removed again without a change or an event', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['nl'] });
    const path = `/api/data-lists/${id}/locales`;
    const added = await admin.request<DataListView>('POST', path, { locales: ['NL', 'nl'] });
    expect([added.status, added.body.revision, added.headers.get('etag')]).toEqual([200, '1', '"1"']);
    expect((await admin.request('DELETE', `${path}/fr`)).status).toBe(204);
    const { body } = await admin.get<DataListView>(`/api/data-lists/${id}`);
    expect(body).toMatchObject({ revision: '1', availableLocales: ['nl'] });
    await admin.request('PATCH', `/api/data-lists/${id}`, { name: 'Changed' });
    const revisions = () =>
      harness.events.filter(({ entityId }) => entityId === id).map(({ revision }) => revision);
    await eventually(() => expect(revisions()).toEqual(['1', '2']));
  });

  it('accept any default locale while the list has no items', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    const put = (defaultLocale: string) =>
      admin.request<DataListView>('PUT', `/api/data-lists/${id}/default-locale`, { defaultLocale });
    expect((await put('de')).body).toMatchObject({ defaultLocale: 'de', availableLocales: ['de', 'en'] });
    await admin.importItems(id, [{ value: 'a', labels: { default: 'A' } }]);
    expect((await put('fr')).status).toBe(400);
  });
});
