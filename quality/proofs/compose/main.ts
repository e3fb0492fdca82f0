/**
 * Builds the image and runs docker-compose.yml with a Docker engine of this checkout, from the files of a release
 * alone. It passes if everything gets healthy, the main job works over the published ports, and the same holds with
 * two copies of each service and with secrets from files.
 * `--short`: without secrets from files. The engine needs root; without it the proof is skipped with a line.
 */
import { parseArgs } from 'node:util';
import {
  ensureNodeImage,
  ensureServerImages,
  inNamespaces,
  withEngine,
  withEnginePrograms,
  type Engine,
} from '@canvass/engine';
import { productVersion } from '@canvass/contracts';
import { messageOf, runCommand } from '@canvass/infra';
import { ComposeProject } from './compose-project';
import { doMainJob, expectHealthy, expectKept } from '../main-job';

const image = `canvass:${productVersion}`;
/** What Canvass may add to its base. */
const mostBytes = 60 * 1024 * 1024;
const submissions = 20;
/** All services but the gateway, whose port is published once. */
const twice = { 'identity-svc': 2, 'submissions-svc': 2, 'datalists-svc': 2, 'webhook-relay-svc': 2 };

const { values } = parseArgs({
  options: {
    inside: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});

/** Starts this program again: in the network of this machine to build, then in one of its own. */
function enter(): Promise<number> {
  const options = values.short ? ['--short'] : [];
  return withEnginePrograms(console.log, async (programs) => {
    const again = (step: string) => [__filename, '--inside', step, ...options];
    const status = await inNamespaces(programs, 'machine', again('images'));
    return status === 0 ? inNamespaces(programs, 'own', again('compose')) : status;
  });
}

async function buildImages(engine: Engine): Promise<void> {
  const servers = ensureServerImages(engine, console.log);
  servers.catch(() => undefined); // reported below
  const nodeImage = await ensureNodeImage(engine, console.log);
  const seconds = await timed(() => engine.build(nodeImage, image));
  await servers;
  const added = (await engine.sizeOf(image)) - (await engine.sizeOf(nodeImage));
  console.log(`${image}: built in ${seconds} s, ${(added / 1e6).toFixed(0)} MB on ${nodeImage}`);
  if (added > mostBytes) throw new Error(`${image} is larger than ${mostBytes / 1e6} MB without its base`);
}

async function prove(engine: Engine): Promise<void> {
  expectNone(await faultsOfImage(engine));
  await withProject(engine, false, runTwoCopies);
  if (!values.short) await withProject(engine, true, runWithSecretFiles);
}

/** Creates a project, uses it, and removes it with its data. An error says what containers printed. */
async function withProject(
  engine: Engine,
  secretFiles: boolean,
  use: (project: ComposeProject) => Promise<void>,
): Promise<void> {
  const project = ComposeProject.create(engine, secretFiles);
  try {
    await use(project);
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${await project.describe()}`, { cause: error });
  } finally {
    await project.remove();
  }
}

async function runTwoCopies(project: ComposeProject): Promise<void> {
  console.log(`up: healthy after ${(await project.up()).toFixed(1)} s`);
  await expectHealthy(project);
  const job = await doMainJob(project, submissions);
  console.log(`main job: ${submissions} signed webhooks delivered, the console answers`);

  const healthy = (await project.up(twice)).toFixed(1);
  const seconds = await timed(async () => void (await doMainJob(project, submissions)));
  await expectKept(project, job);
  console.log(`two copies of each service: healthy after ${healthy} s, main job in ${seconds} s`);
}

async function runWithSecretFiles(project: ComposeProject): Promise<void> {
  const seconds = (await project.up()).toFixed(1);
  await doMainJob(project, submissions);
  expectNone(await project.secretsInEnvironments());
  console.log(`secrets from files: healthy after ${seconds} s, the main job works, no variable has a secret`);
}

/** The packages beside the bundles, and whether the image has a compiler or npm packages for development. */
async function faultsOfImage(engine: Engine): Promise<string[]> {
  const list = 'cd node_modules && ls -d [a-z]* @*/* | sort | tr "\\n" " "';
  const packages = await engine.docker('run', '--rm', '--network=none', image, 'sh', '-c', list);
  return packages === '@phc/format argon2 node-gyp-build'
    ? []
    : [`${image} has other packages than argon2 and what loads it: ${packages}`];
}

/** @throws {Error} with the faults, if there are any */
function expectNone(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** The seconds that it takes. */
async function timed(work: () => Promise<void>): Promise<string> {
  const started = performance.now();
  await work();
  return ((performance.now() - started) / 1000).toFixed(1);
}

runCommand(() => {
  if (values.inside === 'images') return withEngine('machine', console.log, buildImages);
  if (values.inside === 'compose') return withEngine('own', console.log, prove);
  return enter();
});
