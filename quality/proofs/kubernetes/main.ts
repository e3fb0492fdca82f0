/**
 * Runs the image and the manifests of `k8s/` on a Kubernetes cluster of two nodes, and does to it under load what
 * operators do and what happens to them. It passes if nothing acknowledged is lost, every webhook is delivered, no
 * request fails in a rollout or a drain, and the probes do what they are for. API server and kubelets are built of
 * the source package of Debian 12 (Kubernetes 1.20); nodes are network namespaces of Linux, so it needs root.
 * Without it the proof is skipped with a line. `--keep`: keep the logs.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  enginePrograms,
  ensureNodeImage,
  inNamespaces,
  withEngine,
  withEnginePrograms,
  type Engine,
  type EnginePrograms,
} from '@canvass/engine';
import { productVersion } from '@canvass/contracts';
import { localDir, rabbitBinaries, runCommand, serverHome, SetupError } from '@canvass/infra';
import { withRunDir } from '@canvass/stack';
import { eventually, login, webhookSink } from '@canvass/testing';
import { Brokers } from '../cluster/brokers';
import { NameServer } from './name-server';
import { judge } from '../cluster/judge';
import { Network, ownAddress, subnet } from '../cluster/network';
import { PostgresPair } from '../cluster/postgres-pair';
import { countDeliveries, loadOn } from '../load';
import { namespace, type Client } from './client';
import { KubernetesCluster } from './cluster';
import { faults, nodeNames, spread, type Setting } from './faults';
import { makeGroups, removeGroups } from './groups';
import { adminEmail, forKubernetes120, render, writeOverlay } from './manifests';
import { kubernetesDir, kubernetesPrograms } from './programs';

/** The name in the example. */
const image = `registry.example.com/canvass:${productVersion}`;
const pauseImage = 'localhost/pause:1';
const archive = path.join(kubernetesDir, 'images.tar');
/** All pods must fit on one node, and request 1.8 processors. */
const leastProcessors = 2;
const reachableMs = 60_000;
const writers = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inside: { type: 'string' },
    dir: { type: 'string' },
    owner: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const chosen = Object.entries(faults).filter(
  ([key]) => positionals.length === 0 || positionals.includes(key),
);

/** Starts this program again: in the network of this machine to build the image, then in one of its own. */
function enter(): Promise<number> {
  const obstacle = async (programs: EnginePrograms) => ownObstacle() ?? (await missingPrograms(programs));
  const run = async (programs: EnginePrograms) => {
    const again = (step: string, ...args: string[]) => [__filename, '--inside', step, ...args];
    const built = await inNamespaces(programs, 'machine', again('images'));
    if (built !== 0) return built;
    return withRunDir('kubernetes', values.keep, async (dir) => {
      await removeGroups();
      try {
        makeGroups(nodeNames);
        const options = ['--dir', dir, '--owner', `${process.pid}`, ...positionals];
        return await inNamespaces(programs, 'own', again('cluster', ...options));
      } finally {
        await removeGroups();
      }
    });
  };
  return withEnginePrograms(console.log, run, obstacle);
}

/** Why this machine cannot run Kubernetes 1.20; null if it can. */
function ownObstacle(): string | null {
  if (!existsSync('/sys/fs/cgroup/memory')) return 'Kubernetes 1.20 needs control groups of version 1';
  if (os.availableParallelism() < leastProcessors) return `a node needs ${leastProcessors} processors`;
  return null;
}

/** Downloads and builds what is missing. Inside, no network leads out. */
async function missingPrograms(engine: EnginePrograms): Promise<string | null> {
  try {
    await rabbitBinaries(serverHome(localDir), console.log, '4');
    await kubernetesPrograms(engine, console.log);
    return null;
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
}

async function buildImages(engine: Engine): Promise<void> {
  const { pause } = await kubernetesPrograms(engine.programs, console.log);
  await engine.build(await ensureNodeImage(engine, console.log), image);
  const file = path.join(kubernetesDir, 'pause.tar');
  const renamed = ['--transform', 's/.*/pause/', path.basename(pause)];
  execFileSync('tar', ['--create', '--file', file, '--directory', path.dirname(pause), ...renamed]);
  await engine.docker('import', '--change', 'ENTRYPOINT ["/pause", "-P"]', file, pauseImage);
  await engine.docker('save', '--output', archive, image, pauseImage);
}

/** Starts the servers and the cluster, and proves on it. */
async function prove(dir: string, owner: number): Promise<number> {
  process.stdin.on('end', () => process.exit(1)).resume(); // the program outside was killed
  // Sockets of containers have names by which another engine of this machine would find them.
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
  const programs = await kubernetesPrograms(await enginePrograms(console.log), console.log);
  const network = new Network(dir);
  const nodes = nodeNames.map((name, index) => network.add(name, 11 + index));
  const broker = network.add('rabbitmq', 21);
  const [primary, standby] = [network.add('postgres-1', 31), network.add('postgres-2', 32)];
  const brokers = new Brokers(network, [broker], dir, randomBytes(12).toString('hex'));
  const postgres = new PostgresPair(network, primary, standby, dir);
  const cluster = new KubernetesCluster(network, nodes, programs, dir, archive, owner);
  await Promise.all([brokers.start(), postgres.start(), cluster.start()]);
  console.log('RabbitMQ, two PostgreSQL servers, an API server and two nodes run.');
  await postgres.createDatabase('canvass'); // the first step of k8s/README.md
  const { overlay, adminPassword } = writeOverlay(dir, {
    database: primary.address,
    broker: broker.address,
    managementUrl: brokers.managementUrl,
    receivers: subnet,
  });
  const manifests = path.join(dir, 'manifests.json');
  await apply(cluster.client, programs.kustomize, overlay, manifests);
  return proveOn({ cluster, postgres }, adminPassword);
}

async function proveOn(setting: Setting, adminPassword: string): Promise<number> {
  const { client } = setting.cluster;
  const sink = await webhookSink({ keep: false, address: ownAddress });
  const delivered = countDeliveries(sink);
  const gatewayUrl = `http://${await serveServices(client)}:8080`;
  await client.untilComplete();
  // The addresses of ready pods reach every node later than the API server.
  await eventually(() => login(gatewayUrl, adminEmail, adminPassword), { timeoutMs: reachableMs });
  const demo = { adminEmail, adminPassword };
  const { start } = await loadOn({ gatewayUrl, demo }, `${sink.url}/hook`, writers);
  const holds = await judge(chosen, {
    setting,
    prepare: () => spread(client),
    start,
    delivered,
    count: (ids) => setting.postgres.count(ids),
  });
  return holds ? 0 : 1;
}

/** Applies what kustomize makes of an overlay. @throws {Error} unless every object is accepted */
async function apply(client: Client, kustomize: string, overlay: string, file: string): Promise<void> {
  const adapted = forKubernetes120(render(kustomize, overlay));
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: adapted }));
  const lines = (await client.kubectl('apply', '--filename', file)).split('\n');
  const created = lines.filter((line) => line.endsWith(' created')).length;
  console.log(`apply: ${created} of ${adapted.length} objects accepted`);
  if (created !== adapted.length) throw new Error(lines.join('\n'));
}

/** Gives the services their names in the cluster. @returns the address of the gateway */
async function serveServices(client: Client): Promise<string> {
  const services = await client.services();
  const addresses = new Map(services.map(({ metadata, spec }) => [metadata.name, spec.clusterIP]));
  const suffix = `.${namespace}.svc.cluster.local`;
  const addressOf = (name: string) =>
    name.endsWith(suffix) ? addresses.get(name.slice(0, -suffix.length)) : undefined;
  await NameServer.listen(addressOf, ownAddress, 53);
  return addresses.get('gateway')!;
}

runCommand(async () => {
  if (chosen.length === 0)
    throw new SetupError(`No such fault. There are ${Object.keys(faults).join(', ')}.`);
  if (values.inside === 'images') return withEngine('machine', console.log, buildImages);
  if (values.inside === 'cluster') return prove(values.dir!, Number(values.owner));
  return enter();
});
