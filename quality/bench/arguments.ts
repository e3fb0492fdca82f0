import { parseArgs } from 'node:util';
import { SetupError } from '@canvass/infra';

/** What the command line of `npm run bench` asks for. */
export interface BenchArguments {
  /** Names of scenarios, in the order they run. */
  scenarios: string[];
  /** Measured seconds of each contestant, over all its rounds. */
  seconds: number;
  /** Submissions of the scenarios that watch one long job; null: as many as the scenario is about. */
  rows: number | null;
  record: boolean;
  profile: boolean;
  help: boolean;
}

export const usage = (known: readonly string[]): string => `npm run bench -- <scenario …|all> [options]

  --seconds N   measured seconds of each contestant (30)
  --rows N      submissions of "export" and "backfill", items of the scenarios of data lists, instead of their own number
  --items N     the same
  --record      write the result into docs/benchmarks.md
  --profile     write a CPU profile of each process (node --cpu-prof) to .local/bench/profiles

  scenarios: ${known.join(', ')}`;

/** Reads the command line. A word it does not know is a SetupError that says so. */
export function parseBenchArguments(argv: readonly string[], known: readonly string[]): BenchArguments {
  const refuse = (reason: string) =>
    new SetupError(`${reason.replace(/\.?$/, '.')} See "npm run bench -- --help".`);
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '30' },
        rows: { type: 'string' },
        items: { type: 'string' },
        record: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw refuse(error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : String(error));
  }
  const { values, positionals } = parsed;
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 600)) throw refuse('--seconds takes a number from 1 to 600');
  const told = values.rows ?? values.items;
  const rows = told === undefined ? null : Number(told);
  if (rows !== null && !(Number.isInteger(rows) && rows >= 1_000 && rows <= 10_000_000))
    throw refuse('--rows or --items takes a whole number from 1,000 to 10,000,000');
  const scenarios = positionals.includes('all') ? [...known] : positionals;
  const stranger = scenarios.find((name) => !known.includes(name));
  if (stranger !== undefined) throw refuse(`There is no scenario "${stranger}"`);
  if (scenarios.length === 0 && !values.help) throw refuse(`Name a scenario: ${known.join(', ')} or all`);
  return { scenarios, seconds, rows, record: values.record, profile: values.profile, help: values.help };
}
