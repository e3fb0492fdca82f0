import { parseOptions, UsageError } from '../infra';
import { serviceByWord, type ServiceName } from './services';

/** The arguments of the command line of `npm start`. */
export interface StartArguments {
  demo: boolean;
  exit: boolean;
  stop: boolean;
  fresh: boolean;
  help: boolean;
  replicas: Partial<Record<ServiceName, number>>;
  /** Port of the gateway; null for one that is free. */
  port: number | null;
}

export const usage = `npm start -- [options]

  --demo                     play the main job on real data once everything runs
  --exit                     play the demo, stop everything, exit 0 or 1
  --stop                     stop what runs
  --fresh                    delete all data, secrets and logs, and start over
  --port 8080                the port of the gateway; by default a free one, which stays the same
  --replicas relay=2,gateway=1
                             run several copies: identity, submissions, datalists, relay, gateway

DATABASE_URL, AMQP_URL and AMQP_MANAGEMENT_URL name servers of yours (PostgreSQL 18 or later). Variables
Service__* (docs/configuration.md) are handed to the services that read them.`;

const command = 'npm start';
const flag = { type: 'boolean', default: false } as const;
const options = {
  demo: flag,
  exit: flag,
  stop: flag,
  fresh: flag,
  help: { ...flag, short: 'h' },
  replicas: { type: 'string', multiple: true, default: [] as string[] },
  port: { type: 'string' },
} as const;

/** Reads the command line. A word it does not know is a SetupError that says so. */
export function parseStartArguments(argv: readonly string[]): StartArguments {
  const config = { args: [...argv], allowPositionals: true, options } as const;
  const { values, positionals } = parseOptions(command, config);
  const { demo, exit, stop, fresh, help, replicas, port } = values;
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
    port: port === undefined ? null : parsePort(port),
  };
}

/**
 * `npm start --fresh` gives the option to npm, which keeps it for itself.
 *
 * @throws {UsageError} that names such an option
 */
export function refuseOptionsOfNpm(env: NodeJS.ProcessEnv): void {
  const kept = Object.keys(options).find(
    (name) => name !== 'help' && env[`npm_config_${name}`] !== undefined,
  );
  if (kept) throw new UsageError(command, `npm kept --${kept} for itself: write "${command} -- --${kept}"`);
}

/** The sentence about options that do not change a stack that runs already; null if there is nothing to say. */
export function withoutEffect(
  { port, replicas }: Pick<StartArguments, 'port' | 'replicas'>,
  gatewayUrl: string,
): string | null {
  const isOther = port !== null && port !== Number(new URL(gatewayUrl).port);
  const copies = Object.entries(replicas).map(([name, count]) => `${name}=${count}`);
  const given = [...(isOther ? [`--port ${port}`] : []), ...copies.map((pair) => `--replicas ${pair}`)];
  if (given.length === 0) return null;
  const options = given.join(' ');
  return `${options} has no effect on it. To change that: ${command} -- --stop, then ${command} -- ${options}`;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(command, `--port takes a number from 1 to 65535, not "${text}".`);
  return port;
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
