import { parseOptions, UsageError } from '../infra';
import { serviceByWord, type ServiceName } from './services';

/** What the command line of `npm start` asks for. */
export interface StartArguments {
  demo: boolean;
  exit: boolean;
  stop: boolean;
  fresh: boolean;
  help: boolean;
  replicas: Partial<Record<ServiceName, number>>;
}

export const usage = `npm start -- [options]

  --demo                     play the main job on real data once everything runs
  --exit                     play the demo, stop everything, exit 0 or 1
  --stop                     stop what runs
  --fresh                    forget all data and start over
  --replicas relay=2,gateway=1
                             run several copies: identity, submissions, datalists, relay, gateway`;

const command = 'npm start';
const flag = { type: 'boolean', default: false } as const;
const options = {
  demo: flag,
  exit: flag,
  stop: flag,
  fresh: flag,
  help: { ...flag, short: 'h' },
  replicas: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** Reads the command line. A word it does not know is a SetupError that says so. */
export function parseStartArguments(argv: readonly string[]): StartArguments {
  const config = { args: [...argv], allowPositionals: true, options } as const;
  const { values, positionals } = parseOptions(command, config);
  const { demo, exit, stop, fresh, help, replicas } = values;
  // "--replicas relay=2 submissions=2": what follows the first pair is a positional.
  if (positionals.length > 0 && replicas.length === 0)
    throw new UsageError(command, `"${positionals[0]}" is not an option.`);
  return {
    demo: demo || exit,
    exit,
    stop,
    fresh,
    help,
    replicas: parseReplicas([...replicas, ...positionals]),
  };
}

function parseReplicas(words: readonly string[]): Partial<Record<ServiceName, number>> {
  const replicas: Partial<Record<ServiceName, number>> = {};
  for (const pair of words.flatMap((word) => word.split(',')).filter(Boolean)) {
    const [word = '', count = ''] = pair.split('=');
    const name = serviceByWord(word);
    if (name === null || !/^[1-9]$/.test(count)) {
      throw new UsageError(command, `--replicas takes pairs such as relay=2 (1 to 9 copies), not "${pair}".`);
    }
    replicas[name] = Number(count);
  }
  return replicas;
}
