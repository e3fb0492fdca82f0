import { parseArgs } from 'node:util';
import { SetupError } from '../infra';

export const seededBugs = ['ack-before-commit', 'drop-returned', 'cursor-by-id'] as const;
export type SeededBug = (typeof seededBugs)[number];

/** What the command line of `npm run chaos` asks for. */
export interface ChaosArguments {
  /** How long faults and changes go on, in seconds; start, healing and comparison come on top. */
  seconds: number;
  seed: string;
  /** Changes per second that are tried at most. */
  targetRate: number;
  workers: number;
  report: string;
  /** Run with this bug built in: then a loss must be found. */
  seeded: SeededBug | null;
  keep: boolean;
  help: boolean;
}

export const usage = `npm run chaos -- [options]

  --minutes N        how long changes and faults go on (30)
  --short            about three minutes in all, every kind of fault at least once
  --seed TEXT        the same seed plays the same sequence of faults (a new one each time)
  --target-rate N    changes tried per second at most (150)
  --workers N        clients at the same time (32)
  --report FILE      where the report goes (.local/chaos/report.md)
  --seeded BUG       build a bug in and find it: ${seededBugs.join(', ')}
  --keep             keep data, logs and records of the run`;

/** Reads the command line. A word it does not know is a SetupError that says so. */
export function parseChaosArguments(argv: readonly string[]): ChaosArguments {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        minutes: { type: 'string' },
        short: { type: 'boolean', default: false },
        seed: { type: 'string' },
        'target-rate': { type: 'string', default: '150' },
        workers: { type: 'string', default: '32' },
        report: { type: 'string', default: '.local/chaos/report.md' },
        seeded: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new SetupError(
      `${(error as Error).message.split('. To specify')[0]}. See "npm run chaos -- --help".`,
    );
  }
  const { seeded, short } = values;
  if (seeded !== undefined && !isSeededBug(seeded)) {
    throw new SetupError(`--seeded takes ${seededBugs.join(', ')}, not "${seeded}".`);
  }
  const minutes = values.minutes === undefined ? undefined : positive('--minutes', values.minutes);
  return {
    seconds: Math.round(60 * (minutes ?? (short || seeded ? 1.5 : 30))),
    seed: values.seed ?? String(Date.now()),
    targetRate: positive('--target-rate', values['target-rate']),
    workers: Math.ceil(positive('--workers', values.workers)),
    report: values.report,
    seeded: seeded ?? null,
    keep: values.keep,
    help: values.help,
  };
}

const isSeededBug = (word: string): word is SeededBug => (seededBugs as readonly string[]).includes(word);

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100_000))
    throw new SetupError(`${option} takes a positive number, not "${text}".`);
  return value;
}
