import { parseOptions, SetupError } from '@canvass/infra';
import { createRandom } from '@canvass/testing';

/** `Service:Outbox:DeliverToJobQueue` of the two relays; `mixed`: on in the first, off in the second. */
const jobQueueModes = ['on', 'off', 'mixed'] as const;
export type JobQueueMode = (typeof jobQueueModes)[number];

/** The mode of a run without `--job-queue`: on for half of all seeds, off and mixed for a quarter each. */
export const jobQueueOfSeed = (seed: string): JobQueueMode =>
  createRandom(`${seed}/job-queue`).pick(['on', 'on', 'off', 'mixed']);

/** The command line of `npm run chaos`. */
export type ChaosArguments = ReturnType<typeof parseChaosArguments>;

export const usage = `npm run chaos -- [options]

  --minutes N        duration of changes and faults (30)
  --short            about three minutes in all, most kinds of faults at least once
  --seed TEXT        the same seed plays the same sequence of faults (default: the time)
  --job-queue MODE   Service:Outbox:DeliverToJobQueue of the relays: ${jobQueueModes.join(', ')} (one relay each)
                     (drawn from the seed: on for half of the seeds)
  --target-rate N    changes per second at most (150)
  --workers N        clients at the same time (32; for more than five minutes 192)
  --report FILE      path of the report (.local/chaos/report.md)
  --failpoints       instead: kill processes at each failpoint and at pairs of them
  --list-failpoints  only print the failpoints
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
  failpoints: flag,
  'list-failpoints': flag,
  keep: flag,
  help: { ...flag, short: 'h' },
} as const;

/** A short run: no finding in it depends on the clock, and its timeouts are shorter. */
export const isShort = (seconds: number): boolean => seconds <= 300;

/** Parses the command line. @throws {SetupError} if an option is unknown or its value is not allowed */
export function parseChaosArguments(argv: readonly string[]) {
  const { values } = parseOptions('npm run chaos', { args: [...argv], options });
  const { seed = String(Date.now()), short, failpoints, keep, help } = values;
  const mode = jobQueueModes.find((each) => each === values['job-queue']);
  if (values['job-queue'] !== undefined && mode === undefined)
    throw new SetupError(`--job-queue takes ${jobQueueModes.join(', ')}, not "${values['job-queue']}".`);
  const positive = (name: 'minutes' | 'target-rate' | 'workers', usual: number): number => {
    const value = Number(values[name] ?? usual);
    if (value > 0 && value <= 100_000) return value;
    throw new SetupError(`--${name} takes a positive number, not "${values[name]}".`);
  };
  // A run with failpoints ends when each was reached, and not before a minute.
  const seconds = Math.round(60 * positive('minutes', failpoints ? 1 : short ? 1.5 : 30));
  return {
    /** Duration of changes and faults. */
    seconds,
    seed,
    jobQueue: mode ?? (failpoints ? 'mixed' : jobQueueOfSeed(seed)),
    /** Changes per second at most. */
    rate: positive('target-rate', failpoints ? 100 : 150),
    // In a long run many clients wait for a process that is partitioned.
    workers: Math.ceil(positive('workers', isShort(seconds) ? 32 : 192)),
    report: values.report ?? `.local/chaos/${failpoints ? 'failpoints' : 'report'}.md`,
    /** Kills at each failpoint, instead of faults at random. */
    failpoints,
    listFailpoints: values['list-failpoints'],
    keep,
    help,
  };
}
