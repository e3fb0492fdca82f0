/**
 * Runs the services on a cluster, breaks a part of it under load, and passes if nothing acknowledged is lost,
 * every webhook is delivered within a minute after the fault, and writes go on within a bound. The cluster:
 * three RabbitMQ nodes, and Postgres with a synchronous standby, each on a host of its own. Hosts are network
 * namespaces of Linux, so it needs root; without it the proof is skipped with a line.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { localDir, rabbitBinaries, runCommand, serverHome, SetupError } from '@canvass/infra';
import { buildApps, startStack, withRunDir } from '@canvass/stack';
import { webhookSink } from '@canvass/testing';
import { countDeliveries, loadOn } from '../load';
import { Brokers } from './brokers';
import { databaseName, faults } from './faults';
import { judge } from './judge';
import { Network } from './network';
import { PostgresPair } from './postgres-pair';

const brokerName = 'rabbitmq';
const writers = 8;
/** Namespaces of its own for network, mounts and processes: all of it ends with the proof. */
const apart = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inside: { type: 'string' } },
});
const chosen = Object.entries(faults).filter(
  ([key]) => positionals.length === 0 || positionals.includes(key),
);

/** Starts this program again in its namespaces. */
async function enter(): Promise<number> {
  const reason = await obstacle();
  if (reason !== null) {
    console.log(`skipped: ${reason}`);
    return 0;
  }
  await buildApps();
  return withRunDir('cluster', false, async (dir) => {
    const again = [process.execPath, '--import', 'tsx', __filename, '--inside', dir, ...positionals];
    const child = spawn('unshare', [...apart, ...again], { stdio: ['pipe', 'inherit', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  });
}

/** Why this machine cannot run the proof; null if it can. Downloads RabbitMQ: inside, no network leads out. */
async function obstacle(): Promise<string | null> {
  const trial = ['ip', 'link', 'add', 'type', 'bridge'];
  const { error, status, stderr } = spawnSync('unshare', [...apart, ...trial], { encoding: 'utf8' });
  if (status !== 0)
    return `hosts need root, and namespaces and bridges of Linux (${error?.message ?? stderr.trim()})`;
  try {
    await rabbitBinaries(serverHome(localDir), console.log, '4');
    return null;
  } catch (failure) {
    if (failure instanceof SetupError) return failure.message;
    throw failure;
  }
}

async function prove(dir: string): Promise<number> {
  process.stdin.on('end', () => process.exit(1)).resume(); // the program outside was killed
  const network = new Network(dir);
  const rabbits = [11, 12, 13].map((number) => network.add(`rabbit-${number - 10}`, number));
  const [primary, standby] = [network.add('postgres-1', 21), network.add('postgres-2', 22)];
  network.resolve(brokerName, ...rabbits);
  network.resolve(databaseName, primary);
  const brokers = new Brokers(network, rabbits, dir, randomBytes(12).toString('hex'));
  const postgres = new PostgresPair(network, primary, standby, dir);
  const cluster = { network, brokers, postgres };
  await Promise.all([brokers.start(), postgres.start()]);
  console.log('Three RabbitMQ nodes and two PostgreSQL servers run.');
  const given = {
    databaseUrl: postgres.url(databaseName),
    amqpUrl: brokers.url(brokerName),
    amqpManagementUrl: brokers.managementUrl,
  };
  const stack = await startStack({ dir, given, ephemeral: true, say: console.log });
  const sink = await webhookSink({ keep: false });
  const delivered = countDeliveries(sink);
  const { start } = await loadOn(stack.file, `${sink.url}/hook`, writers);
  await brokers.untilComplete();
  const count = (ids: readonly string[]) => postgres.count(ids);
  const holds = await judge(chosen, { setting: cluster, start, count, delivered });
  await stack.stop();
  return holds ? 0 : 1;
}

process.once('SIGINT', () => process.exit(130)); // the first process of a namespace ignores it otherwise
runCommand(async () => {
  if (chosen.length === 0)
    throw new SetupError(`No such fault. There are ${Object.keys(faults).join(', ')}.`);
  return values.inside === undefined ? enter() : prove(values.inside);
});
