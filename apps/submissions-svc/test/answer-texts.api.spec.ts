import Papa from 'papaparse';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { startListService } from './list-service';
import { readQuestions } from './read-questions';
import { pathOf, submissionCalls } from './submission-calls';

/** Answers as people read them: in the console, and in exports with labels and titles. */

let test: Harness;
let lists: Awaited<ReturnType<typeof startListService>>;
beforeAll(async () => {
  lists = await startListService();
  test = await startHarness({ dataLists: lists.url });
});
afterAll(async () => {
  await test.close();
  await lists.close();
});

const { begin } = submissionCalls(() => test);

interface AnswerText {
  name: string;
  title: string;
  type: string | null;
  text: string | null;
  parts?: { title: string; text: string }[];
}
interface Texts {
  items: { id: string; hasFormChanged: boolean; answers: AnswerText[] | null }[];
  hasListLabels: boolean;
}

const textsOf = async (tenant: Tenant, formId: string, ids: (string | undefined)[], query = '') =>
  (
    await tenant.admin.get<Texts>(
      `/api/forms/${formId}/answer-texts?${ids.map((id) => `ids=${id}`).join('&')}${query}`,
    )
  ).body;

const exported = (tenant: Tenant, formId: string, body: object) =>
  fetch(`${test.service.url}${pathOf(formId)}/export`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    body: JSON.stringify({ format: 'csv', answers: 'columns', ...body }),
  });

const rowsOf = async (tenant: Tenant, formId: string, body: object) =>
  Papa.parse<string[]>(await (await exported(tenant, formId, body)).text(), { skipEmptyLines: true }).data;

const definition = {
  elements: [
    ...readQuestions,
    {
      type: 'paneldynamic',
      name: 'children',
      title: 'Children',
      templateElements: [
        { type: 'text', name: 'first', title: 'First name' },
        { type: 'boolean', name: 'twin', title: 'Twin' },
      ],
    },
    { type: 'file', name: 'photo', title: 'A photo' },
    { type: 'comment', name: 'rest' },
  ],
};

const answers = {
  gone: { of: ['an', 'older'], form: true },
  children: [{ first: 'Ada', twin: true }, { first: 'Bo' }],
  rates: { price: 'a', extra: 'b' },
  days: [1, 'other'],
  'days-Comment': 'Sunday',
  agrees: true,
  who: 'Björn',
  photo: [{ name: 'me.png', type: 'image/png', content: 'data:image/png;base64,AAAA' }],
};

it('shows every question in the order of the form, with labels, rows and what belongs to none', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form({ definition });
  const { id } = await begin(formId, { jsonData: JSON.stringify(answers) });
  const { items, hasListLabels } = await textsOf(tenant, formId, [id], '&locale=de-AT');
  expect(hasListLabels).toBe(true);
  expect(items).toEqual([
    {
      id,
      hasFormChanged: false,
      answers: [
        { name: 'who', title: 'Ihr Name', type: 'text', text: 'Björn' },
        { name: 'days', title: 'Days', type: 'checkbox', text: 'Montag, Sunday' },
        { name: 'days-Comment', title: 'Days – Another day', type: 'remark', text: 'Sunday' },
        { name: 'agrees', title: 'agrees', type: 'boolean', text: 'I agree' },
        {
          name: 'rates',
          title: 'rates',
          type: 'matrix',
          text: 'The price: Good; extra: b',
          parts: [
            { title: 'The price', text: 'Good' },
            { title: 'extra', text: 'b' },
          ],
        },
        {
          name: 'children',
          title: 'Children',
          type: 'paneldynamic',
          text: '1: First name: Ada, Twin: Ja; 2: First name: Bo',
          parts: [
            { title: '1', text: 'First name: Ada, Twin: Ja' },
            { title: '2', text: 'First name: Bo' },
          ],
        },
        { name: 'photo', title: 'A photo', type: 'file', text: 'me.png' },
        { name: 'rest', title: 'rest', type: 'comment', text: null },
        { name: 'gone', title: 'gone', type: null, text: 'of: an, older, form: true' },
      ],
    },
  ]);
  const some = await textsOf(tenant, formId, [id], '&questions=who&questions=rest');
  expect(some.items[0]!.answers!.map(({ name, title }) => [name, title])).toEqual([
    ['who', 'Your name'],
    ['rest', 'rest'],
  ]);
});

it('shows questions and labels of the form as it was when the answers were completed', async () => {
  const tenant = tenantOf(test);
  const elements = (text: string, title: string) => [
    { type: 'dropdown', name: 'pick', title, choices: [{ value: 'x', text }] },
  ];
  const formId = await tenant.form({ definition: { elements: elements('Old', 'Then') } });
  const { id } = await begin(formId, { isComplete: true, jsonData: '{"pick":"x"}' });
  const changed = { definition: { elements: elements('New', 'Now') } };
  expect((await tenant.admin.patch(`/api/forms/${formId}`, changed)).status).toBe(200);
  const { id: later } = await begin(formId, { isComplete: true, jsonData: '{"pick":"x"}' });
  const { items } = await textsOf(tenant, formId, [later, id]);
  const shown = items.map(({ answers: given, ...item }) => [
    item.id,
    given![0]!.title,
    given![0]!.text,
    item.hasFormChanged,
  ]);
  expect(shown).toEqual([
    [later, 'Now', 'New', false],
    [id, 'Then', 'Old', true],
  ]);
  const body = { labels: true, titles: true, fields: ['answers.pick'] };
  expect(await rowsOf(tenant, formId, body)).toEqual([['Now'], ['Old'], ['New']]);
});

describe('values of data lists', () => {
  const withLists = {
    elements: [
      { type: 'dropdown', name: 'country', title: 'Country', dataList: '41' },
      { type: 'tagbox', name: 'towns', dataList: '42' },
      { type: 'text', name: 'note' },
    ],
  };
  const before = '2020-01-01T00:00:00.000Z';
  const after = '2999-01-01T00:00:00.000Z';

  beforeAll(() => {
    lists.set('41', 'NG', [before, 'Nigeria']);
    lists.set('41', 'LK', [before, 'Ceylon'], [after, 'Sri Lanka']);
    lists.set('42', 'b', [before, 'Bruges'], [after, null]);
    lists.set('42', 'g', [before, 'Gent']);
  });

  it('have the label of the time and name the one of now, on the page and in a file', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition: withLists });
    const { id } = await begin(formId, { jsonData: '{"country":"LK","towns":["b","g","?"]}' });
    const { items } = await textsOf(tenant, formId, [id], '&locale=nl');
    expect(items[0]!.answers!.map(({ text }) => text)).toEqual([
      'Ceylon → Sri Lanka',
      'Bruges, Gent, ?',
      null,
    ]);
    expect(lists.requests.at(-1)).toMatchObject({ tenantId: tenant.id, locale: 'nl' });
    const fields = ['answers.towns', 'answers.country'];
    expect(await rowsOf(tenant, formId, { labels: true, fields })).toEqual([
      ['answers.towns', 'answers.country'],
      ['Bruges|Gent|?', 'Ceylon → Sri Lanka'],
    ]);
    expect(await rowsOf(tenant, formId, { fields })).toEqual([
      ['answers.towns', 'answers.country'],
      ['b|g|?', 'LK'],
    ]);
  });

  it('are asked for once for a page, and once for each value of a file', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition: withLists });
    const ids = [];
    for (let n = 0; n < 50; n++)
      ids.push((await begin(formId, { jsonData: JSON.stringify({ country: 'NG', towns: [`t${n}`] }) })).id);
    const count = lists.requests.length;
    const { items } = await textsOf(tenant, formId, ids);
    expect([items.length, items[7]!.answers![1]!.text, lists.requests.length - count]).toEqual([50, 't7', 1]);
    expect(lists.requests.at(-1)!.lists.map(({ values }) => values.length)).toEqual([1, 50]);
    await rowsOf(tenant, formId, { labels: true });
    expect(
      lists.requests.slice(count + 1).flatMap((asked) => asked.lists.flatMap(({ values }) => values)),
    ).toHaveLength(51);
  });

  it('are shown by value while datalists-svc is away; a file with labels is refused', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition: withLists });
    const { id } = await begin(formId, { jsonData: '{"country":"NG"}' });
    lists.setAway(true);
    try {
      const { items, hasListLabels } = await textsOf(tenant, formId, [id]);
      expect([items[0]!.answers![0]!.text, hasListLabels]).toEqual(['NG', false]);
      const refused = await exported(tenant, formId, { labels: true });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await refused.json()) as object).toMatchObject({ errorCode: 'service_unavailable' });
      expect((await exported(tenant, formId, {})).status).toBe(200);
    } finally {
      lists.setAway(false);
    }
  });
});

describe('columns of a file', () => {
  it('are chosen, and have titles and headings', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    await begin(formId, { jsonData: JSON.stringify(answers) });
    const body = {
      titles: true,
      labels: true,
      locale: 'de',
      fields: ['status', 'answers.days', 'answers.rates', 'otherAnswers'],
      headings: { status: 'Stand', otherAnswers: 'Übrige' },
    };
    const rows = await rowsOf(tenant, formId, body);
    expect(rows[0]).toEqual([
      'Stand',
      'Days',
      'Days – Another day',
      'rates – The price',
      'rates – The place',
      'Übrige',
    ]);
    expect(rows[1]!.slice(0, 5)).toEqual(['new', 'Montag|Sunday', 'Sunday', 'Good', '']);
    expect(Object.keys(JSON.parse(rows[1]![5]!) as object)).toEqual(['gone', 'rates']);
  });

  it('have the names of questions beside a title that several have', async () => {
    const tenant = tenantOf(test);
    const elements = ['a', 'b'].map((name) => ({ type: 'text', name, title: 'Same' }));
    const formId = await tenant.form({ definition: { elements } });
    const fields = ['answers.a', 'answers.b'];
    expect(await rowsOf(tenant, formId, { titles: true, fields })).toEqual([['Same (a)', 'Same (b)']]);
  });

  it.each([
    [{ fields: ['status', 'nothing'] }, 'fields', 'names "nothing", which is no column'],
    [{ fields: ['jsonData'] }, 'fields', 'names "jsonData", which is no column'],
    [{ answers: 'json', titles: true }, 'titles', 'must be false: only answers in columns have titles'],
    [{ answers: 'json', fields: ['id'] }, 'fields', 'must be absent: only answers in columns can be chosen'],
    [{ locale: 'de' }, 'locale', 'must be absent: there are neither labels nor titles'],
  ])('are refused: %j', async (body, member, message) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const answer = await exported(tenant, formId, body);
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: Record<string, string[]> };
    expect(errors[member]).toEqual([message]);
  });
});
