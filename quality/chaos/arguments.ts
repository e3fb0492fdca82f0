import { parseOptions, SetupError } from '@canvass/infra';
import { seededBugs, type SeededBug } from './seeded/build-seeded';
import { isShort, jobQueueModes, jobQueueOfSeed, type JobQueueMode } from './stack-settings';

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
  /** Kills at each failpoint, instead of faults at random. */
  failpoints: boolean;
  /** Only print the failpoints. */
  listFailpoints: boolean;
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
  --workers N        clients at the same time (32; for more than five minutes 192)
  --report FILE      path of the report (.local/chaos/report.md)
  --seeded BUG       build a bug in and find it: ${seededBugs.join(', ')}
  --idle-writer      instead: throughput while a writer is idle in its transaction (10 minutes; --short: 20 s)
  --failpoints       instead: kill processes at each failpoint and at pairs of them
  --list-failpoints  only print the failpoints
  --rate N           with --idle-writer: completed submissions per second (200)
  --keep             keep data, logs and records of the run`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  minutes: text,
  short: flag,
  seed: text,
  'job-queue': text,
  'target-rate': text,
  workers: text,
  report: text,
  seeded: text,
  'idle-writer': flag,
  failpoints: flag,
  'list-failpoints': flag,
  rate: text,
  keep: flag,
  help: { ...flag, short: 'h' },
} as const;

/** Parses the command line. @throws {SetupError} if an option is unknown or its value is not allowed */
export function parseChaosArguments(argv: readonly string[]): ChaosArguments {
  const { values } = parseOptions('npm run chaos', { args: [...argv], options });
  const { seed = String(Date.now()), short, keep, help, failpoints } = values;
  const { 'idle-writer': idleWriter, 'list-failpoints': listFailpoints } = values;
  const seeded = oneOf('--seeded', seededBugs, values.seeded);
  const jobQueue = oneOf('--job-queue', jobQueueModes, values['job-queue']);
  if (idleWriter && (seeded ?? jobQueue) !== null) {
    throw new SetupError('--idle-writer takes neither --seeded nor --job-queue.');
  }
  if (failpoints && (idleWriter || seeded !== null)) {
    throw new SetupError('--failpoints takes neither --idle-writer nor --seeded.');
  }
  const usual = usualOf({ idleWriter, failpoints, seed });
  const minutes = positive('--minutes', values.minutes) ?? (short || seeded ? usual.short : usual.minutes);
  const rate = idleWriter
    ? positive('--rate', values.rate)
    : positive('--target-rate', values['target-rate']);
  const seconds = Math.round(60 * minutes);
  // In a long run many clients wait for a process that is partitioned.
  const workers = isShort(seconds) || idleWriter ? usual.workers : longRunWorkers;
  return {
    seconds,
    seed,
    jobQueue: jobQueue ?? usual.jobQueue,
    rate: rate ?? usual.rate,
    workers: Math.ceil(positive('--workers', values.workers) ?? workers),
    report: values.report ?? `.local/chaos/${usual.report}.md`,
    seeded,
    idleWriter,
    failpoints,
    listFailpoints,
    keep,
    help,
  };
}

const longRunWorkers = 192;

/** What holds without options. A run with failpoints ends when each was reached, and not before `short`. */
function usualOf({
  idleWriter,
  failpoints,
  seed,
}: Pick<ChaosArguments, 'idleWriter' | 'failpoints' | 'seed'>): Usual {
  if (idleWriter)
    return { short: 1 / 3, minutes: 10, rate: 200, workers: 64, jobQueue: 'off', report: 'idle-writer' };
  if (failpoints)
    return { short: 1, minutes: 1, rate: 100, workers: 32, jobQueue: 'mixed', report: 'failpoints' };
  return {
    short: 1.5,
    minutes: 30,
    rate: 150,
    workers: 32,
    jobQueue: jobQueueOfSeed(seed),
    report: 'report',
  };
}

interface Usual {
  short: number;
  minutes: number;
  rate: number;
  workers: number;
  jobQueue: JobQueueMode;
  report: string;
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
