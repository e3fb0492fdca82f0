import Papa from 'papaparse';
import { startHarness, tenantOf, type Harness } from './harness';
import { readQuestions } from './read-questions';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const elements = [...readQuestions, { type: 'dropdown', name: 'country', dataList: '41' }];

it('has a codebook of its columns, values and labels', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form({ definition: { elements } });
  const response = await fetch(
    `${test.service.url}/api/forms/${formId}/codebook?format=csv&locale=de&separator=;`,
    {
      headers: {
        authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Viewer'], sub: '12' })}`,
      },
    },
  );
  expect(response.headers.get('content-disposition')).toContain('codebook.csv');
  const { data } = Papa.parse<string[]>(await response.text(), { delimiter: ';', skipEmptyLines: true });
  expect(data).toEqual([
    ['column', 'title', 'type', 'dataList', 'value', 'label'],
    ['answers.who', 'Ihr Name', 'text', '', '', ''],
    ['answers.days', 'Days', 'checkbox', '', '1', 'Montag'],
    ['answers.days', 'Days', 'checkbox', '', '2', 'Tuesday'],
    ['answers.days', 'Days', 'checkbox', '', 'other', 'Another day'],
    ['answers.days-Comment', 'Days – Another day', 'remark', '', '', ''],
    ['answers.agrees', 'agrees', 'boolean', '', 'false', 'Nein'],
    ['answers.agrees', 'agrees', 'boolean', '', 'true', 'I agree'],
    ['answers.rates.price', 'rates – The price', 'matrix', '', 'a', 'Good'],
    ['answers.rates.price', 'rates – The price', 'matrix', '', 'b', 'b'],
    ['answers.rates.place', 'rates – The place', 'matrix', '', 'a', 'Good'],
    ['answers.rates.place', 'rates – The place', 'matrix', '', 'b', 'b'],
    ['answers.country', 'country', 'dropdown', '41', '', ''],
  ]);
});
