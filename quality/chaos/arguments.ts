import { parseArgs } from 'node:util';
import { SetupError } from '@canvass/infra';
import { isJobQueueMode, jobQueueModes, jobQueueOfSeed, type JobQueueMode } from './job-queue';

const seededBugs = ['ack-before-commit', 'drop-returned', 'cursor-by-id'] as const;
export type SeededBug = (typeof seededBugs)[number];

/** What the command line of `npm run chaos` asks for. */
export interface ChaosArguments {
  /** How long faults and changes go on, in seconds; start, healing and comparison come on top. */
  seconds: number;
  seed: string;
  /** Whether the relays deliver through the job queue; drawn from the seed unless given. */
  jobQueue: JobQueueMode;
  /** Changes per second that are tried at most. */
  targetRate: number;
  workers: number;
  report: string;
  /** Run with this bug built in: then a loss must be found. */
  seeded: SeededBug | null;
  /** Not faults at random, but sessions that idle in their transactions under a steady load of `rate`. */
  idleWriter: boolean;
  /** Completed submissions per second. */
  rate: number;
  keep: boolean;
  help: boolean;
}

export const usage = `npm run chaos -- [options]

  --minutes N        how long changes and faults go on (30)
  --short            about three minutes in all, every kind of fault at least once
  --seed TEXT        the same seed plays the same sequence of faults (a new one each time)
  --job-queue MODE   Service:Outbox:DeliverToJobQueue of the relays: ${jobQueueModes.join(', ')} (one relay each)
                     (drawn from the seed: on for half of the seeds)
  --target-rate N    changes tried per second at most (150)
  --workers N        clients at the same time (32)
  --report FILE      where the report goes (.local/chaos/report.md)
  --seeded BUG       build a bug in and find it: ${seededBugs.join(', ')}
  --idle-writer      instead: throughput while a writer idles in its transaction (10 minutes; --short: 20 s)
  --rate N           of it, completed submissions per second (200)
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
        'job-queue': { type: 'string' },
        'target-rate': { type: 'string', default: '150' },
        workers: { type: 'string', default: '32' },
        report: { type: 'string' },
        seeded: { type: 'string' },
        'idle-writer': { type: 'boolean', default: false },
        rate: { type: 'string', default: '200' },
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
  const jobQueue = values['job-queue'];
  if (jobQueue !== undefined && !isJobQueueMode(jobQueue)) {
    throw new SetupError(`--job-queue takes ${jobQueueModes.join(', ')}, not "${jobQueue}".`);
  }
  const idleWriter = values['idle-writer'];
  if (idleWriter && seeded !== undefined) throw new SetupError('--idle-writer takes no --seeded.');
  if (idleWriter && jobQueue !== undefined) throw new SetupError('--idle-writer takes no --job-queue.');
  const minutes = values.minutes === undefined ? undefined : positive('--minutes', values.minutes);
  const usual = idleWriter ? { short: 1 / 3, long: 10 } : { short: 1.5, long: 30 };
  const seed = values.seed ?? String(Date.now());
  return {
    seconds: Math.round(60 * (minutes ?? (short || seeded ? usual.short : usual.long))),
    seed,
    jobQueue: jobQueue ?? jobQueueOfSeed(seed),
    targetRate: positive('--target-rate', values['target-rate']),
    workers: Math.ceil(positive('--workers', values.workers)),
    report: values.report ?? `.local/chaos/${idleWriter ? 'idle-writer' : 'report'}.md`,
    seeded: seeded ?? null,
    idleWriter,
    rate: positive('--rate', values.rate),
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
