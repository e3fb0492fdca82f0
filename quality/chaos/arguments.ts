import { parseOptions, SetupError } from '@canvass/infra';

/** The command line of `npm run chaos`. */
export type ChaosArguments = ReturnType<typeof parseChaosArguments>;

export const usage = `npm run chaos -- [options]

  --minutes N        duration of changes and faults (30)
  --short            about three minutes in all, most kinds of faults at least once
  --seed TEXT        the same seed plays the same sequence of faults (default: the time)
  --keep             keep data, logs and records of the run`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  minutes: text,
  short: flag,
  seed: text,
  keep: flag,
  help: { ...flag, short: 'h' },
} as const;

/** A short run has shorter timeouts. */
export const isShort = (seconds: number): boolean => seconds <= 300;

/** Parses the command line. @throws {SetupError} if an option is unknown or its value is not allowed */
export function parseChaosArguments(argv: readonly string[]) {
  const { values } = parseOptions('npm run chaos', { args: [...argv], options });
  const { seed = String(Date.now()), short } = values;
  const minutes = Number(values.minutes ?? (short ? 1.5 : 30));
  if (!(minutes > 0)) throw new SetupError(`--minutes takes a positive number, not "${values.minutes}".`);
  const seconds = Math.round(60 * minutes);
  return {
    ...values,
    seed,
    /** Duration of changes and faults. */
    seconds,
    /** Clients at the same time: in a long run many wait for a process that is partitioned. */
    workers: isShort(seconds) ? 32 : 192,
  };
}
