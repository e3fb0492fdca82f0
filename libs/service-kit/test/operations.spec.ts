import { Problem } from '@canvass/errors';
import { operationStatus, runOperation, type Operation } from '../src';

const done: unknown[] = [];
const operations: Operation[] = [
  {
    name: 'things',
    about: 'All things.',
    options: { limit: { about: 'Most rows.', kind: 'count', otherwise: '50' } },
    run: async (values) => ({
      rows: [
        { id: '7', at: new Date(0), note: 'a\u001b[31m\nb', limit: values['limit'], isOld: true, none: null },
      ],
      say: 'One thing.',
    }),
  },
  {
    name: 'things lost',
    about: 'Nothing.',
    run: async () => ({ rows: [] }),
  },
  {
    name: 'things drop',
    about: 'Drops one.',
    options: {
      thing: { about: 'Id of the thing.', kind: 'id', isRequired: true },
      since: { about: 'When.', kind: 'time' },
      state: { about: 'State.', kind: ['on', 'off'] },
    },
    changes: true,
    async run({ thing }) {
      if (thing === '404') throw new Problem('not_found', { detail: 'There is no thing 404.' });
      if (thing === '500') throw new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:1')]);
      done.push(thing);
      return { rows: [] };
    },
  },
];

async function run(...argv: string[]) {
  let output = '';
  let screen = '';
  const status = await runOperation(argv, operations, {
    output: { write: (text) => (output += text) },
    screen: { write: (text) => (screen += text) },
  });
  return { status, output, screen };
}

test('prints a table or one JSON text per line; sentences go to the screen', async () => {
  expect(await run('things')).toEqual({
    status: operationStatus.done,
    output: [
      'id  at                        note      limit  isOld  none',
      '--  ------------------------  --------  -----  -----  ----',
      '7   1970-01-01T00:00:00.000Z  a?[31m?b  50     yes    -',
      '',
    ].join('\n'),
    screen: 'One thing.\n',
  });
  const { output } = await run('things', '--json', '--limit', '3');
  expect(JSON.parse(output)).toMatchObject({ id: '7', limit: '3' });
});

test('says that a list is empty', async () => {
  const said = { status: operationStatus.done, output: '', screen: 'Nothing found.\n' };
  expect(await run('things', 'lost')).toEqual(said);
  expect(await run('things', 'lost', '--json')).toEqual(said);
});

test.each([
  [['things', '--limit', '0'], '--limit must be 1 to 10000, not "0".'],
  [['things', '--limit', 'many'], '--limit must be 1 to 10000, not "many".'],
  [['things', '--colour', 'red'], "Unknown option '--colour'"],
  [['things', 'drop', '--yes'], 'things drop needs --thing: Id of the thing.'],
  [['things', 'drop', '--thing', '9223372036854775808', '--yes'], '--thing must be an id'],
  [
    ['things', 'drop', '--thing', '1', '--since', 'yesterday', '--yes'],
    '--since must be a time with its zone',
  ],
  [['things', 'drop', '--thing', '1', '--state', 'x', '--yes'], '--state must be one of on, off, not "x".'],
  [['things', 'drop', '--thing', '1'], 'nothing was done. Pass --yes to confirm.'],
  [['people'], 'Unknown operation "people"; operations: things, things lost, things drop.'],
])('%j is refused before anything is done', async (argv, sentence) => {
  const { status, screen, output } = await run(...argv);
  expect({ status, output }).toEqual({ status: operationStatus.usage, output: '' });
  expect(screen).toContain(sentence);
  expect(done).toEqual([]);
});

test('distinguishes a missing object from a failure by the exit status', async () => {
  expect(await run('things', 'drop', '--thing', '404', '--yes')).toMatchObject({
    status: operationStatus.refused,
    screen: 'There is no thing 404.\n',
  });
  expect(await run('things', 'drop', '--thing', '500', '--yes')).toMatchObject({
    status: operationStatus.failed,
    screen: 'The operation failed: connect ECONNREFUSED 127.0.0.1:1\n',
  });
  expect(await run('things', 'drop', '--thing', '1', '--yes')).toMatchObject({
    status: operationStatus.done,
  });
  expect(done).toEqual(['1']);
});

test('prints help', async () => {
  const { output } = await run();
  expect(output).toContain('ops things drop');
  expect(output).toContain('Needs --yes.');
  expect((await run('things', '--help')).output).toContain('--limit <count>');
  expect((await run('things', '--help')).output).toContain('ops things drop');
  expect((await run('things', 'drop', '--help')).output).not.toContain('--limit');
  expect((await run('people', '--help')).status).toBe(operationStatus.usage);
});
