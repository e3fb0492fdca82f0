/** The document refuses what the server refuses: requests that a schema allows and a 400 answers. */
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import type { OpenApiDocument } from './document';
import { publicDocument } from './public-document';

interface Parameter {
  name?: string;
  $ref?: string;
  schema: { $ref?: string; examples?: unknown[] };
}

let document: OpenApiDocument;
let ajv: Ajv2020;
beforeAll(async () => {
  document = await publicDocument();
  ajv = addFormats(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema(document, 'document');
});

const escaped = (text: string) => encodeURI(text.replaceAll('~', '~0').replaceAll('/', '~1'));

const accepts = (pointer: string, value: unknown): boolean =>
  ajv.validate({ $ref: `document#${pointer}` }, value);

const bodyOf = (operation: string): string => {
  const [method, path] = operation.split(' ') as [string, string];
  return `/paths/${escaped(path)}/${method}/requestBody/content/application~1json/schema`;
};

/** Which of the values the schema of a query parameter accepts: 1 or 0. */
function queries(operation: string, query: string, ...values: unknown[]): number[] {
  const [method, path] = operation.split(' ') as [string, string];
  const { parameters } = document.paths[path]![method] as { parameters: Parameter[] };
  const at = parameters.findIndex(({ name }) => name === query);
  const schema = `/paths/${escaped(path)}/${method}/parameters/${at}/schema`;
  return values.map((value) => Number(accepts(schema, value)));
}

const endpoint = (Url: string, Authentication: object = { Type: 'None' }) => ({
  settings: { Events: { FormUpdated: { IsEnabled: true, WebHookEndpoints: [{ Url, Authentication }] } } },
});
const settings = 'put /api/forms/{formId}/webhook-settings';
const url = 'https://hooks.example.org/canvass';
const locales = 'post /api/data-lists/{id}/locales';
const load = 'put /api/data-lists/{id}/import';
const bulk = 'post /api/forms/{formId}/submissions/bulk';
const recover = 'post /api/webhooks/recoveries';
const exported = 'post /api/forms/{formId}/submissions/export';

it.each([
  ['an address that is no URL', settings, endpoint('0'), endpoint(url)],
  ['a URL of another scheme', settings, endpoint('ftp://hooks.example.org'), endpoint('HTTP://a.example/')],
  [
    'a key of another type',
    settings,
    endpoint(url, { Type: 'ApiKey', ApiKeyHeader: 'X-Key', ApiKey: 5 }),
    endpoint(url, { Type: 'ApiKey', ApiKeyHeader: 'X-Key', ApiKey: '5' }),
  ],
  ['a type without its key', settings, endpoint(url, { Type: 'ApiKey' }), endpoint(url)],
  ['none of two members', locales, {}, { locale: 'de' }],
  ['none of two, as null', locales, { locale: null }, { locale: null, locales: ['de'] }],
  ['both of two members', locales, { locale: 'de', locales: ['de'] }, { locales: ['de'] }],
  ['an import of nothing', load, {}, { items: [] }],
  [
    'an import of another format',
    load,
    { format: 'csv', items: [] },
    { format: 'csv', csv: 'value,default' },
  ],
  [
    'a status without its action',
    bulk,
    { action: 'delete', status: 'new', filter: {} },
    { action: 'delete', filter: {} },
  ],
  [
    'an action without its status',
    bulk,
    { action: 'status', filter: {} },
    { action: 'status', status: 'new', filter: {} },
  ],
  ['a bulk change of nothing', bulk, { action: 'delete' }, { action: 'delete', submissionIds: ['7'] }],
  [
    'a recovery of two selections',
    recover,
    { mode: 'all', filter: {}, deliveryIds: ['7'] },
    { mode: 'all', filter: {} },
  ],
  [
    'a text without a range',
    recover,
    { mode: 'all', filter: { text: 'Oslo' } },
    { mode: 'all', filter: { text: 'Oslo', from: '2026-11-20T00:00:00Z' } },
  ],
  [
    'columns of JSON',
    exported,
    { format: 'json', answers: 'columns' },
    { format: 'csv', answers: 'columns' },
  ],
  ['labels without columns', exported, { labels: true }, { answers: 'columns', labels: true }],
  [
    'a locale without labels',
    exported,
    { answers: 'columns', locale: 'de' },
    { answers: 'columns', labels: true, locale: 'de' },
  ],
  [
    'the id 0',
    bulk,
    { action: 'delete', submissionIds: ['0'] },
    { action: 'delete', submissionIds: ['10', 10] },
  ],
  [
    'an id of 20 digits',
    bulk,
    { action: 'delete', submissionIds: ['1'.repeat(20)] },
    { action: 'delete', submissionIds: ['1'.repeat(19)] },
  ],
])('refuses %s', (_what, operation, refused, accepted) => {
  expect([accepts(bodyOf(operation), refused), accepts(bodyOf(operation), accepted)]).toEqual([false, true]);
});

it('refuses an If-Match that is no list of tags', () => {
  const schema = '/components/parameters/If-Match/schema';
  const tags = ['7', '"7', '', '"7" "8"', '"7"', 'W/"7"', '*', '"7", "a,b"'];
  expect(tags.map((tag) => accepts(schema, tag))).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
});

it('refuses fields, filters and time zones that no operation knows', () => {
  const list = 'get /api/forms/{formId}/submissions';
  expect(queries(list, 'fields', 'id', 'id, answers.a.b,status', 'idd', 'id,,status')).toEqual([1, 1, 0, 0]);
  expect(queries(list, 'filter', ['status:new'], ['answers.a b>:1'], ['status'])).toEqual([1, 1, 0]);
  const zones = ['UTC', 'Europe/Berlin', 'America/Indiana/Knox', '+01:00', 'MEZ'];
  expect(queries('get /api/forms/{formId}/stats', 'timeZone', ...zones)).toEqual([1, 1, 1, 0, 0]);
});

it('refuses locales in a query that are no culture codes', () => {
  const values = [['0'], ['de', 'pt-br'], ['de,pl'], ['']];
  expect(queries('post /api/data-lists/{id}/imports', 'ensureLocales', ...values)).toEqual([0, 1, 1, 1]);
});

it('has different examples of the beginning and the end of a range', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const ranges = (operations as { parameters?: Parameter[] }[]).flatMap(({ parameters = [] }) => {
    const [from, to] = ['from', 'to'].map(
      (one) => parameters.find(({ name }) => name === one)?.schema.examples?.[0],
    );
    return from === undefined || to === undefined ? [] : [[from, to] as [string, string]];
  });
  expect(ranges.length).toBeGreaterThan(5);
  expect(ranges.filter(([from, to]) => from >= to)).toEqual([]);
});

it('says which characters no text may have', () => {
  expect(document.info['description']).toMatch(/U\+0000/);
});
