import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { signIn, type Callers } from '../src/client';

let callers: Callers;
let sink: WebhookSink;
beforeAll(async () => {
  callers = await signIn();
  sink = await webhookSink();
});
afterAll(() => sink.close());
beforeEach(() => sink.requests.splice(0));

const settings = (endpoints: object[]) =>
  JSON.stringify({ Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: endpoints } } });

const filters: string[][] = [
  ['answers.country:NG'],
  ['answers.country!:NG|DE'],
  ['answers.country:null'],
  ['answers.country!:null'],
  ['answers.country:\\null'],
  ['answers.country~:niger'],
  ['answers.n:1.0'],
  ['answers.n:1'],
  ['answers.n>:1', 'answers.n<20000000000000000000'],
  ['answers.n<0.3'],
  ['answers.deep.er:x'],
  ['answers.a.b:whole'],
  ['answers.rows.0.k:v'],
  ['answers.yes:true'],
  ['submitterProfile.department:HR|Sales', 'submitterDisplayId:Ada'],
  ['submitterProfile.department:null'],
  ['submitterProfile.department!:HR'],
  ['status:new', 'isComplete:true', 'isTestSubmission:false', 'revision:1'],
  ['submitterId:null'],
  ['completedAt>:2026-01-01', 'currentPage<3', 'createdAt>2020-01-01T00:00:00Z'],
];

const answers: string[] = [
  '{}',
  '{"country":"NG","n":1.0,"yes":true}',
  '{"country":["NG","DE"],"n":1}',
  '{"country":"NIG\\u00c9RIA","n":100000000000000000000}',
  '{"country":null,"n":"1"}',
  '{"country":[],"deep":{"er":"x"}}',
  '{"country":["",null],"n":-0.0}',
  '{"country":{"a":1},"n":0.2999999999999999999999}',
  '{"country":"null","n":1e3,"a.b":"whole","a":{"b":"part"}}',
  '{"country":"","a":{"b":"whole"},"rows":[{"k":"v"}]}',
  '{"country":7,"n":[1,1.0],"deep":"x"}',
  '{"country":"NG","country":"DE"}',
  '[1,2]',
];

it('filters choose the events that the list of submissions finds with them', async () => {
  const { admin } = callers;
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Filtered',
    isEnabled: true,
    webHookSettingsJson: settings(
      filters.map((Filter, n) => ({ Url: `${sink.url}/${n}`, Filter, Payload: 'ids' })),
    ),
  });
  const path = `/api/forms/${id}/submissions`;
  const people = [
    undefined,
    { externalSubjectId: 'ada', displayId: 'Ada', profile: { department: 'HR' } },
    { externalSubjectId: 'bob', displayId: 'Bob', profile: { department: 'Sales' } },
    { externalSubjectId: 'eve', displayId: 'Eve', profile: {} },
  ];
  for (const [n, jsonData] of answers.entries()) {
    const submitter = people[n % people.length];
    const body = { isComplete: true, currentPage: n % 5, jsonData, ...(submitter && { submitter }) };
    await admin.expect(201, 'POST', submitter ? `${path}/onbehalf` : path, body);
  }
  const found = await Promise.all(
    filters.map(async (filter) => {
      const query = new URLSearchParams([
        ['limit', '200'],
        ...filter.map((each) => ['filter', each] as [string, string]),
      ]);
      const { items } = await admin.expect<{ items: { id: string }[] }>(200, 'GET', `${path}?${query}`);
      return items.map((item) => item.id).sort();
    }),
  );
  const received = (n: number) =>
    sink.requests
      .filter((request) => request.path === `/${n}`)
      .map(
        ({ body }) =>
          (JSON.parse(body.toString()) as { Payload: { submissionId: string } }).Payload.submissionId,
      )
      .sort();
  await eventually(
    () =>
      expect(filters.map((filter, n) => [filter, received(n)])).toEqual(
        filters.map((filter, n) => [filter, found[n]]),
      ),
    { timeoutMs: 30_000 },
  );
  expect(new Set(found.map(({ length }) => length)).size).toBeGreaterThan(4);
}, 120_000);

it('answers go out as people read them, with labels of data lists', async () => {
  const { admin } = callers;
  const list = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: 'Countries of hooks',
  });
  await admin.expect(200, 'PUT', `/api/data-lists/${list.id}/import`, {
    items: [{ value: 'NG', labels: { default: 'Nigeria' } }],
  });
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'With texts',
    isEnabled: true,
    dataListIds: [list.id],
    definition: {
      elements: [
        { type: 'dropdown', name: 'country', title: 'Your country', dataList: list.id },
        { type: 'boolean', name: 'member', title: 'A member?' },
      ],
    },
    webHookSettingsJson: settings([{ Url: `${sink.url}/texts`, Payload: 'answersText', Format: 'standard' }]),
  });
  await admin.expect(201, 'POST', `/api/forms/${id}/submissions`, {
    isComplete: true,
    jsonData: '{"country":"NG","member":true}',
  });
  const [request] = await eventually(
    () => {
      expect(sink.requests).toHaveLength(1);
      return sink.requests;
    },
    { timeoutMs: 60_000 },
  );
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    type: 'submission.completed',
    data: {
      jsonData: '{"country":"NG","member":true}',
      answersText: [
        { name: 'country', title: 'Your country', text: 'Nigeria' },
        { name: 'member', title: 'A member?', text: 'Yes' },
      ],
    },
  });
}, 120_000);
