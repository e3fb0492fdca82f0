import { apiOf, clientOf, dataOf, eventually, type Api } from '@canvass/testing';
import { signIn, type Callers } from '../src/client';

describe('a choice list of a form', () => {
  let callers: Callers;
  let admin: Api;
  let listId: string;
  let formId: string;

  beforeAll(async () => {
    callers = await signIn();
    admin = apiOf(callers.gatewayUrl, callers.admin.token);
    const list = await dataOf(admin.POST('/api/data-lists', { body: { name: 'Countries' } }));
    listId = list.id;
    const imported = await dataOf(
      admin.PUT('/api/data-lists/{id}/import', {
        params: { path: { id: listId } },
        body: {
          format: 'csv',
          csv: 'value,default,de,pl\r\nDE,Germany,Deutschland,Niemcy\r\nAT,Austria,Österreich,\r\nFR,France,Frankreich,Francja\r\n',
          ensureLocales: ['de', 'pl'],
        },
      }),
    );
    expect(imported).toMatchObject({ itemsCount: 3 });
    const form = await dataOf(
      admin.POST('/api/forms', {
        body: { name: 'Where do you live?', isEnabled: true, dataListIds: [listId] },
      }),
    );
    formId = form.id;
  });

  const token = async (): Promise<string> => {
    const place = { params: { path: { formId } } };
    const open = apiOf(callers.gatewayUrl);
    return (await dataOf(open.POST('/api/public/forms/{formId}/access-tokens', place))).token;
  };

  /** datalists-svc learns by an event which lists a form may read. */
  const search = async (query: { query?: string; locale?: string; includeLocales?: string[] }) => {
    const runtime = apiOf(callers.gatewayUrl, await token());
    const params = { path: { formId, dataListId: listId }, query };
    return eventually(() =>
      dataOf(runtime.GET('/api/public/forms/{formId}/data-lists/{dataListId}/search', { params })),
    );
  };

  it('is searched by the form runtime in its language, with accents folded', async () => {
    const { items } = await search({ query: 'osterr', locale: 'de' });
    expect(items).toEqual([{ value: 'AT', labels: { default: 'Austria', de: 'Österreich' } }]);
  });

  it('is searched only in the requested locales', async () => {
    expect((await search({ query: 'niemcy', locale: 'de' })).items).toEqual([]);
    expect(
      (await search({ query: 'niemcy', locale: 'de', includeLocales: ['pl'] })).items.map(
        ({ value }) => value,
      ),
    ).toEqual(['DE']);
  });

  it('rejects callers without a form-access token and tokens of other kinds', async () => {
    await search({});
    const path = `/api/public/forms/${formId}/data-lists/${listId}/search`;
    expect((await callers.anonymous.call('GET', path)).status).toBe(401);
    expect((await callers.admin.call('GET', path)).status).toBe(401);
    // A form-access token opens nothing else.
    const runtime = clientOf(callers.gatewayUrl, await token());
    expect((await runtime.call('GET', `/api/data-lists/${listId}`)).status).toBe(401);
  });

  it('is open to a preview of a form that does not name it', async () => {
    const draft = await dataOf(admin.POST('/api/forms', { body: { name: 'Draft', isEnabled: false } }));
    const params = { path: { formId: draft.id } };
    const preview = await dataOf(
      admin.POST('/api/forms/{formId}/preview-tokens', { params, body: { dataListIds: [listId] } }),
    );
    const { items } = await dataOf(
      apiOf(callers.gatewayUrl, preview.token).GET(
        '/api/public/forms/{formId}/data-lists/{dataListId}/search',
        { params: { path: { ...params.path, dataListId: listId }, query: { query: 'austria' } } },
      ),
    );
    expect(items.map(({ value }) => value)).toEqual(['AT']);
  });

  it('is exported byte for byte as it was imported', async () => {
    const exported = await callers.admin.call<string>('POST', `/api/data-lists/${listId}/export`, {
      format: 'csv',
    });
    expect(exported.headers.get('content-type')).toMatch('text/csv');
    expect(exported.headers.get('content-disposition')).toMatch('attachment');
    expect(exported.body).toBe(
      'value,default,de,pl\r\nDE,Germany,Deutschland,Niemcy\r\nAT,Austria,Österreich,\r\nFR,France,Frankreich,Francja\r\n',
    );
  });

  it('reports every fault of an import with its line and changes nothing', async () => {
    const answer = await callers.admin.call<{ errorCode: string; faults: { line: number }[] }>(
      'PUT',
      `/api/data-lists/${listId}/import`,
      { format: 'csv', csv: 'value,default\r\nDE,\r\nDE,Germany\r\n' },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errorCode).toBe('import_rejected');
    expect(answer.body.faults.map(({ line }) => line)).toEqual(expect.arrayContaining([2, 3]));
    expect((await search({})).totalRecords).toBe(3);
  });
});
