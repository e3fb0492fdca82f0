import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, store, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
let tenant: Tenant;
const { begin } = submissionCalls(() => test);
const idsOf = (items: Submission[]) => items.map(({ id }) => id!);

const submitted = {
  plain: { country: 'NO', age: 41, isMember: true, pet: null },
  dotted: { 'a.b': 'whole', a: { b: 'member' }, age: 18.5 },
  nested: { a: { b: 'member', list: ['x', 'y'] }, country: ['SE', 'DK'], age: '41' },
  none: {},
};
let own: string;
const names = new Map<string, string>();
beforeAll(async () => {
  test = await startHarness();
  tenant = tenantOf(test);
  own = await tenant.form();
  for (const [name, answers] of Object.entries(submitted)) {
    const { id } = await begin(own, { jsonData: JSON.stringify(answers) });
    names.set(id!, name);
  }
  for (const jsonData of [
    '7',
    'null',
    '"text"',
    '{"country":"NO","x":"\\u0000"}',
    '['.repeat(5_000) + ']'.repeat(5_000),
  ])
    names.set(await store(test, own, jsonData), 'odd');
});

afterAll(() => test.close());

it.each<[string, string[]]>([
  ['answers.country:NO', ['plain']],
  ['answers.country:NO|DK', ['plain', 'nested']],
  ['answers.country!:NO', ['dotted', 'nested', 'none', 'odd']],
  ['answers.isMember:true', ['plain']],
  ['answers.age:41', ['plain', 'nested']],
  ['answers.age>:18', ['plain', 'dotted']],
  ['answers.age<20', ['dotted']],
  ['answers.age>-1.5', ['plain', 'dotted']],
  ['answers.a.b:member', ['nested']],
  ['answers.a.b:whole', ['dotted']],
  ['answers.a.list:y', ['nested']],
  ['answers.a.list.0:x', ['nested']],
  ['answers.country~:d', ['nested']],
  ['answers.a.b~:MEM|nothing', ['nested']],
  ['answers.age~:4', ['plain', 'nested']],
  ['answers.a!:null', []],
  ['answers.age!:null', ['plain', 'dotted', 'nested']],
  ['answers.pet:null|cat', ['plain', 'dotted', 'nested', 'none', 'odd']],
  ["answers.x' or true --:1", []],
])('%s', async (filter, expected) => {
  const query = `${pathOf(own)}?limit=50&sortDir=asc&filter=${encodeURIComponent(filter)}`;
  const { status, body } = await tenant.admin.get<{ items: Submission[] }>(query);
  const found = [...new Set(body.items.map(({ id }) => names.get(id!)))];
  expect([status, found]).toEqual([200, expected]);
  const file = await tenant.admin.call<Submission[]>('POST', `${pathOf(own)}/export`, {
    format: 'json',
    filter: [filter],
  });
  expect(idsOf(file.body)).toEqual(idsOf(body.items));
});

it.each([
  'answers.:1',
  'answers.country',
  'answers.age>x',
  'answers.age>1|2',
  'answers.age<',
  'answers.a:b||c',
])('%s is a 400', async (filter) => {
  const answer = await tenant.admin.get<{ errors: object }>(
    `${pathOf(own)}?filter=${encodeURIComponent(filter)}`,
  );
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['filter[0]']]);
});
