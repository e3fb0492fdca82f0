import { askedQuestions } from '../src/summary/asked-questions';
import { selectSummary } from '../src/summary/summary.sql';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { startListService } from './list-service';
import { oddAnswers } from './odd-answers';
import { followed, storeAll, summaryOf, totalOf } from './summary-calls';

/** What was answered to a form, by question: `GET /api/forms/{id}/summary`. */

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

const formWith = async (elements: object[], answers: readonly (object | string)[]) => {
  const tenant = tenantOf(test);
  const formId = await tenant.form({ definition: { elements } });
  const texts = answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)));
  await storeAll(test, tenant, formId, texts);
  return { tenant, formId };
};

const elements = [
  {
    type: 'radiogroup',
    name: 'ticket',
    title: { default: 'Ticket', de: 'Billet' },
    choices: ['Day', { value: 'all', text: 'All | days' }, 3],
  },
  { type: 'checkbox', name: 'days', choices: ['mon', 'tue', { value: 'a|b' }, 'null'], showOtherItem: true },
  { type: 'boolean', name: 'agrees', labelTrue: 'I agree' },
  { type: 'rating', name: 'again', rateMin: 0, rateMax: 10 },
  { type: 'ranking', name: 'order', choices: ['x', 'y'] },
  {
    type: 'matrix',
    name: 'rates',
    rows: [{ value: 'price', text: 'The price' }, 'place'],
    columns: ['good', 'bad'],
  },
  { type: 'multipletext', name: 'names', items: [{ name: 'first', title: 'First' }] },
  { type: 'text', name: 'age', inputType: 'number' },
  { type: 'text', name: 'born', inputType: 'date' },
  { type: 'comment', name: 'note' },
  { type: 'file', name: 'photo' },
  { type: 'paneldynamic', name: 'children', templateElements: [{ type: 'text', name: 'child' }] },
  { type: 'dropdown', name: 'a.b', choices: ['p', 'q'] },
];

const answers = [
  {
    ticket: 'Day',
    days: ['mon', 'other'],
    'days-Comment': 'Sunday',
    agrees: true,
    again: 10,
    order: ['y', 'x'],
    rates: { price: 'good', place: 'bad' },
    names: { first: 'Ada' },
    age: 0.3,
    born: '2001-02-03',
    note: ' Hello ',
    photo: [{ name: 'a.png', content: 'data:image/png;base64,AAAA' }],
    children: [{ child: 'Bo' }],
    'a.b': 'p',
  },
  {
    ticket: 'all',
    days: ['a|b', 'mon', 'mon'],
    agrees: false,
    again: 9,
    order: ['x', 'y'],
    rates: { price: 'good' },
    age: 12,
  },
  {
    ticket: 3,
    days: ['null'],
    agrees: false,
    again: 3,
    order: ['y', 'x'],
    age: 33.5,
    born: '2001-02-04T10:00',
    note: '',
  },
  { ticket: 'gone', days: [], again: null, age: '7', a: { b: 'q' }, rates: { price: 'former' } },
  { photo: [], note: 'Latest' },
];

const question = (summary: Awaited<ReturnType<typeof summaryOf>>, name: string, row?: string) =>
  summary.questions.find((one) => one.name === name && (row === undefined || one.row?.value === row))!;

const counts = ({ bars }: { bars: { value: string; count: number }[] }) =>
  bars.map(({ value, count }) => [value, count]);

describe('of each kind of question', () => {
  let tenant: Tenant;
  let formId: string;
  let summary: Awaited<ReturnType<typeof summaryOf>>;
  beforeAll(async () => {
    ({ tenant, formId } = await formWith(elements, answers));
    summary = await summaryOf(tenant, formId, 'locale=de');
  });

  it('is exact, and has titles and labels in a locale', () => {
    expect(summary).toMatchObject({
      total: 5,
      counted: 5,
      isExact: true,
      sampledFrom: null,
      questionsLeftOut: 0,
    });
    const { title, bars, answered, skipped } = question(summary, 'ticket');
    expect([title, answered, skipped]).toEqual(['Billet', 4, 1]);
    expect(bars).toEqual([
      { value: 'Day', label: 'Day', count: 1, percent: 25, isChoice: true },
      { value: 'all', label: 'All | days', count: 1, percent: 25, isChoice: true },
      { value: '3', label: '3', count: 1, percent: 25, isChoice: true },
      { value: 'gone', label: 'gone', count: 1, percent: 25, isChoice: false },
    ]);
  });

  it('counts several choices each, and shows the texts beside other', () => {
    const days = question(summary, 'days');
    expect(counts(days)).toEqual([
      ['mon', 2],
      ['tue', 0],
      ['a', 0],
      ['null', 1],
      ['other', 1],
      ['a|b', 1],
    ]);
    expect([days.answered, days.skipped, days.texts.map(({ text }) => text)]).toEqual([3, 2, ['Sunday']]);
  });

  it('has yes and no, ratings with mean and NPS, and mean ranks', () => {
    expect(question(summary, 'agrees').bars.map(({ label, count }) => [label, count])).toEqual([
      ['Nein', 2], // cspell:disable-line
      ['I agree', 1],
    ]);
    const again = question(summary, 'again');
    expect([again.nps, again.numbers?.median, again.numbers?.mean.toFixed(2)]).toEqual([33.3, 9, '7.33']);
    expect(question(summary, 'order').bars.map(({ value, meanRank }) => [value, meanRank])).toEqual([
      ['y', 1.33],
      ['x', 1.67],
    ]);
  });

  it('has each row of a table and each of several texts', () => {
    const price = question(summary, 'rates', 'price');
    expect([price.row?.title, price.path, counts(price)]).toEqual([
      'The price',
      'rates.price',
      [
        ['good', 2],
        ['bad', 0],
        ['former', 1],
      ],
    ]);
    expect(counts(question(summary, 'rates', 'place'))).toEqual([
      ['good', 0],
      ['bad', 1],
    ]);
    expect(question(summary, 'names', 'first').texts.map(({ text }) => text)).toEqual(['Ada']);
  });

  it('has measures and round buckets of numbers; what is no number is in the rest', () => {
    const { numbers, buckets, rest, answered } = question(summary, 'age');
    expect(numbers).toMatchObject({ count: 3, median: 12, min: 0.3, max: 33.5 });
    expect(
      buckets.map(({ from, to, count }) => [from, to, count]).filter(([, , count]) => count! > 0),
    ).toEqual([
      [0, 5, 1],
      [10, 15, 1],
      [30, 35, 1],
    ]);
    expect([answered, rest.count]).toEqual([4, 1]);
  });

  it('has days, the newest texts, and whether there are files and panels', () => {
    expect(counts(question(summary, 'born'))).toEqual([
      ['2001-02-03', 1],
      ['2001-02-04', 1],
    ]);
    expect(question(summary, 'note').texts.map(({ text }) => text)).toEqual(['Latest', ' Hello ']);
    expect([question(summary, 'photo').answered, question(summary, 'children').answered]).toEqual([1, 1]);
    expect(counts(question(summary, 'a.b'))).toEqual([
      ['p', 1],
      ['q', 1],
    ]);
  });

  it('has the counts of the grid behind every bar, also with a filter', async () => {
    for (const query of ['', 'filter=answers.agrees:false', 'filter=answers.days:mon|null']) {
      const filtered = await summaryOf(tenant, formId, query);
      expect(filtered.total).toBe(await totalOf(tenant, formId, [], query));
      for (const one of filtered.questions) {
        if (one.path === null) continue;
        const grid = await followed(tenant, formId, one, query);
        const bars = one.kind === 'choices' ? one.bars.map(({ count }) => count) : [];
        const buckets = one.buckets.map(({ count }) => count);
        expect([one.name, grid]).toEqual([one.name, { bars, buckets, skipped: one.skipped }]);
      }
    }
  });
});

it('names values of data lists, keeps the 20 most frequent and adds the others up', async () => {
  lists.set('41', 'v1', ['2020-01-01T00:00:00.000Z', 'First']);
  const many = Array.from({ length: 30 }, (_, n) =>
    Array<object>(31 - n).fill({ country: `v${n + 1}` }),
  ).flat();
  const { tenant, formId } = await formWith([{ type: 'dropdown', name: 'country', dataList: '41' }], many);
  const asked = lists.requests.length;
  const summary = await summaryOf(tenant, formId, 'locale=de');
  const { bars, rest, answered } = question(summary, 'country');
  expect(lists.requests.slice(asked).map(({ locale, lists: of }) => [locale, of[0]!.values.length])).toEqual([
    ['de', 20],
  ]);
  expect(bars.slice(0, 2)).toMatchObject([
    { value: 'v1', label: 'First', count: 31, isChoice: true },
    { value: 'v2', label: 'v2', count: 30, isChoice: false },
  ]);
  expect(bars).toHaveLength(20);
  expect(bars.reduce((sum, { count }) => sum + count, rest.count)).toBe(answered);
  lists.setAway(true);
  try {
    const without = await summaryOf(tenant, formId);
    expect([without.hasListLabels, question(without, 'country').bars[0]!.label]).toEqual([false, 'v1']);
  } finally {
    lists.setAway(false);
  }
});

it('counts odd answers as the grid does', async () => {
  const odd = [
    ...Object.values(oddAnswers),
    '["p"]',
    '{"x":"\\u00e4"}',
    '{"y.z":"a","y":{"z":"b"}}',
    `{"x":"${'long'.repeat(2_000)}"}`,
  ];
  const members = ['x', '0', '__proto__', 'constructor', 'y.w'];
  const { tenant, formId } = await formWith(
    [
      ...members.map((name) => ({ type: 'dropdown', name, choices: ['p', 'last', 'own'] })),
      { type: 'matrix', name: 'y', rows: ['z'], columns: ['a', 'b'] },
    ],
    odd,
  );
  const { questions, total } = await summaryOf(tenant, formId);
  expect([total, questions.length]).toEqual([odd.length, 6]);
  for (const one of questions) {
    const grid = await followed(tenant, formId, one);
    expect([one.name, grid.bars, grid.skipped]).toEqual([
      one.name,
      one.bars.map(({ count }) => count),
      one.skipped,
    ]);
  }
  const numbers = await formWith([{ type: 'text', inputType: 'number', name: 'x' }], odd);
  const [of] = (await summaryOf(numbers.tenant, numbers.formId)).questions;
  const grid = await followed(numbers.tenant, numbers.formId, of!);
  expect([of!.buckets.map(({ count }) => count), of!.skipped]).toEqual([grid.buckets, grid.skipped]);
});

it('reads the same sample each time, of all submissions alike', async () => {
  const many = Array.from({ length: 3_000 }, (_, n) => ({ pick: n % 2 === 0 ? 'a' : 'b' }));
  const definition = [{ type: 'radiogroup', name: 'pick', choices: ['a', 'b'] }];
  const { tenant, formId } = await formWith(definition, many);
  const filter = {
    tenantId: tenant.id,
    formId,
    conditions: [],
    search: null,
    from: null,
    to: null,
    isDeleted: false,
    ids: null,
  };
  const { asked } = askedQuestions({ elements: definition }, '');
  const read = () => selectSummary(test.db, filter, asked, 1_000);
  const sample = await read();
  expect(await read()).toEqual(sample);
  expect(sample.total).toBe(3_000);
  // Seven standard deviations of a share of a third.
  expect(Math.abs(sample.counted - 1_000)).toBeLessThan(185);
  const [a, b] = ['a', 'b'].map((value) => sample.values.find((row) => row.value === value)!.count);
  expect(a! + b!).toBe(sample.counted);
  expect(Math.abs(a! - b!)).toBeLessThan(230);
});

it('leaves out what is beyond 200 questions', async () => {
  const many = Array.from({ length: 203 }, (_, n) => ({ type: 'text', name: `q${n}` }));
  const { tenant, formId } = await formWith(many, [{ q0: 'a' }]);
  const summary = await summaryOf(tenant, formId);
  expect([summary.questions.length, summary.questionsLeftOut]).toEqual([200, 3]);
});

it('is of forms and submissions that the caller may read', async () => {
  const { tenant, formId } = await formWith(elements, answers);
  const path = `/api/forms/${formId}/summary`;
  expect((await tenantOf(test).admin.get(path)).status).toBe(404);
  expect((await tenant.admin.get('/api/forms/1/summary')).status).toBe(404);
  expect((await tenant.admin.get(`${path}?filter=nothing`)).status).toBe(400);
  expect((await tenant.as('Viewer').get(path)).status).toBe(200);
  expect((await tenant.as('Viewer').get(`${path}?deleted=true`)).status).toBe(403);
});
