import { parseArgs } from 'node:util';
import { SetupError } from '../infra';
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

/** Reads the command line. A word it does not know is a SetupError that says so. */
export function parseStartArguments(argv: readonly string[]): StartArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        demo: { type: 'boolean', default: false },
        exit: { type: 'boolean', default: false },
        stop: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        replicas: { type: 'string', multiple: true, default: [] },
      },
    });
    // "--replicas relay=2 submissions=2": what follows the first pair is a positional.
    if (positionals.length > 0 && values.replicas.length === 0) {
      throw new SetupError(`"${positionals[0]}" is not an option.`);
    }
    return {
      demo: values.demo || values.exit,
      exit: values.exit,
      stop: values.stop,
      fresh: values.fresh,
      help: values.help,
      replicas: parseReplicas([...values.replicas, ...positionals]),
    };
  } catch (error) {
    // Node's message continues with positional arguments after the first sentence.
    const reason = error instanceof Error ? error.message.split('. To specify')[0] : String(error);
    throw new SetupError(`${reason?.replace(/\.?$/, '.')} See "npm start -- --help".`);
  }
}

function parseReplicas(words: readonly string[]): Partial<Record<ServiceName, number>> {
  const replicas: Partial<Record<ServiceName, number>> = {};
  for (const pair of words.flatMap((word) => word.split(',')).filter(Boolean)) {
    const [word = '', count = ''] = pair.split('=');
    const name = serviceByWord(word);
    if (name === null || !/^[1-9]$/.test(count)) {
      throw new SetupError(`--replicas takes pairs such as relay=2 (1 to 9 copies), not "${pair}".`);
    }
    replicas[name] = Number(count);
  }
  return replicas;
}
