import { parseArgs } from 'node:util';
import { SetupError } from '@canvass/infra';
import { seededBugs, type SeededBug } from './seeded/build-seeded';
import { jobQueueModes, jobQueueOfSeed, type JobQueueMode } from './stack-settings';

/** The command line of `npm run chaos`. */
export interface ChaosArguments {
  /** Duration of changes and faults; with `idleWriter`, of the idle transaction. */
  seconds: number;
  seed: string;
  jobQueue: JobQueueMode;
  /** Changes per second at most; with `idleWriter`, completed submissions per second. */
  rate: number;
  workers: number;
  report: string;
  /** Run with this bug built in: then a loss must be found. */
  seeded: SeededBug | null;
  /** A steady load and one idle writer, instead of changes and faults at random. */
  idleWriter: boolean;
  keep: boolean;
  help: boolean;
}

export const usage = `npm run chaos -- [options]

  --minutes N        duration of changes and faults (30)
  --short            about three minutes in all, every kind of fault at least once
  --seed TEXT        the same seed plays the same sequence of faults (default: the time)
  --job-queue MODE   Service:Outbox:DeliverToJobQueue of the relays: ${jobQueueModes.join(', ')} (one relay each)
                     (drawn from the seed: on for half of the seeds)
  --target-rate N    changes per second at most (150)
  --workers N        clients at the same time (32)
  --report FILE      path of the report (.local/chaos/report.md)
  --seeded BUG       build a bug in and find it: ${seededBugs.join(', ')}
  --idle-writer      instead: throughput while a writer is idle in its transaction (10 minutes; --short: 20 s)
  --rate N           with --idle-writer: completed submissions per second (200)
  --keep             keep data, logs and records of the run`;

/** Parses the command line. @throws {SetupError} if an option is unknown or its value is not allowed */
export function parseChaosArguments(argv: readonly string[]): ChaosArguments {
  const values = valuesOf(argv);
  const { seed = String(Date.now()), short, 'idle-writer': idleWriter } = values;
  const seeded = oneOf('--seeded', seededBugs, values.seeded);
  const jobQueue = oneOf('--job-queue', jobQueueModes, values['job-queue']);
  if (idleWriter && (seeded ?? jobQueue) !== null) {
    throw new SetupError('--idle-writer takes neither --seeded nor --job-queue.');
  }
  const minutes = idleWriter ? { short: 1 / 3, long: 10 } : { short: 1.5, long: 30 };
  const usual = short || seeded ? minutes.short : minutes.long;
  return {
    seconds: Math.round(60 * (positive('--minutes', values.minutes) ?? usual)),
    seed,
    jobQueue: jobQueue ?? (idleWriter ? 'off' : jobQueueOfSeed(seed)),
    rate: idleWriter
      ? (positive('--rate', values.rate) ?? 200)
      : (positive('--target-rate', values['target-rate']) ?? 150),
    workers: Math.ceil(positive('--workers', values.workers) ?? (idleWriter ? 64 : 32)),
    report: values.report ?? `.local/chaos/${idleWriter ? 'idle-writer' : 'report'}.md`,
    seeded,
    idleWriter,
    keep: values.keep,
    help: values.help,
  };
}

function valuesOf(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        minutes: text,
        short: flag,
        seed: text,
        'job-queue': text,
        'target-rate': text,
        workers: text,
        report: text,
        seeded: text,
        'idle-writer': flag,
        rate: text,
        keep: flag,
        help: { ...flag, short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new SetupError(
      `${(error as Error).message.split('. To specify')[0]}. See "npm run chaos -- --help".`,
    );
  }
}

function oneOf<T extends string>(option: string, allowed: readonly T[], text: string | undefined): T | null {
  const found = allowed.find((each) => each === text);
  if (text !== undefined && found === undefined) {
    throw new SetupError(`${option} takes ${allowed.join(', ')}, not "${text}".`);
  }
  return found ?? null;
}

function positive(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (value > 0 && value <= 100_000) return value;
  throw new SetupError(`${option} takes a positive number, not "${text}".`);
}
