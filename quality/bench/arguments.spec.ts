import { parseBenchArguments } from './arguments';

const known = ['gateway', 'fan-out'];

describe('the command line of npm run bench', () => {
  it('measures half a minute and keeps nothing by default', () => {
    expect(parseBenchArguments(['gateway'], known)).toEqual({
      scenarios: ['gateway'],
      seconds: 30,
      rows: null,
      record: false,
      profile: false,
      help: false,
    });
  });

  it('runs all scenarios in their order', () => {
    expect(parseBenchArguments(['all', '--record', '--seconds', '3'], known)).toMatchObject({
      scenarios: known,
      record: true,
      seconds: 3,
    });
  });

  it.each([
    [[], /Name a scenario: gateway, fan-out or all/],
    [['outbox'], /no scenario "outbox"/],
    [['gateway', '--seconds', 'ten'], /from 1 to 600/],
    [['gateway', '--seconds', '0'], /from 1 to 600/],
    [['gateway', '--rows', '12'], /from 1,000 to 10,000,000/],
    [['gateway', '--recrod'], /--recrod/],
  ])('refuses %j in one sentence', (argv, sentence) => {
    expect(() => parseBenchArguments(argv, known)).toThrow(sentence);
    expect(() => parseBenchArguments(argv, known)).toThrow(/npm run bench -- --help/);
  });
});
