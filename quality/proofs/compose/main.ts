/**
 * Builds the image and runs docker-compose.yml with a Docker engine of this checkout, from the files of a release
 * alone. It passes if everything gets healthy, the main job works over the published ports, and the same holds with
 * two copies of each service and with secrets from files.
 * `--from REF`: also with an image of that commit first, and an upgrade that keeps the data. `--short`: without
 * secrets from files. The engine needs root; without it the proof is skipped with a line.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  buildImage,
  engineDir,
  ensureNodeImage,
  ensureServerImages,
  inNamespaces,
  withEngine,
  withEnginePrograms,
  type Engine,
} from '@canvass/engine';
import { productVersion } from '@canvass/contracts';
import { checkoutDir, messageOf, runCommand } from '@canvass/infra';
import { eventually } from '@canvass/testing';
import { ComposeProject, type ProjectOptions } from './compose-project';
import { faultsOfImage, requestsOf } from './container-checks';
import { doMainJob, expectHealthy, expectKept, submit } from '../main-job';

const image = `canvass:${productVersion}`;
const earlierImage = 'canvass:earlier';
/** What Canvass may add to its base. */
const mostBytes = 60 * 1024 * 1024;
const submissions = 20;
/** All services but the gateway, whose port is published once. */
const twice = { 'identity-svc': 2, 'submissions-svc': 2, 'datalists-svc': 2, 'webhook-relay-svc': 2 };

const { values } = parseArgs({
  options: {
    inside: { type: 'string' },
    from: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});

/** Starts this program again: in the network of this machine to build, then in one of its own. */
function enter(): Promise<number> {
  const options = [...(values.short ? ['--short'] : []), ...(values.from ? ['--from', values.from] : [])];
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
  const seconds = await timed(() => buildImage(engine, nodeImage, image));
  await servers;
  const added = (await engine.sizeOf(image)) - (await engine.sizeOf(nodeImage));
  console.log(`${image}: built in ${seconds} s, ${(added / 1e6).toFixed(0)} MB on ${nodeImage}`);
  if (added > mostBytes) throw new Error(`${image} is larger than ${mostBytes / 1e6} MB without its base`);
  if (values.from === undefined) return;
  const checkout = earlierCheckout();
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(checkout, { recursive: true });
  const archive = execFileSync('git', ['archive', values.from], {
    cwd: checkoutDir,
    maxBuffer: 1024 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  await buildImage(engine, nodeImage, earlierImage, checkout);
}

const earlierCheckout = () => path.join(engineDir, 'earlier');

async function prove(engine: Engine): Promise<void> {
  expectNone(await faultsOfImage(engine, image));
  await withProject(engine, {}, (project) => runTwoCopies(engine, project));
  if (!values.short) await withProject(engine, { secretFiles: true }, runWithSecretFiles);
  if (values.from !== undefined) await withProject(engine, { from: earlierCheckout() }, upgrade);
}

/** Creates a project, uses it, and removes it with its data. An error says what containers printed. */
async function withProject(
  engine: Engine,
  options: ProjectOptions,
  use: (project: ComposeProject) => Promise<void>,
): Promise<void> {
  const project = ComposeProject.create(engine, options);
  try {
    await use(project);
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${await project.describe()}`, { cause: error });
  } finally {
    await project.remove();
  }
}

async function runTwoCopies(engine: Engine, project: ComposeProject): Promise<void> {
  console.log(`up: healthy after ${(await project.up()).toFixed(1)} s`);
  await expectHealthy(project);
  const job = await doMainJob(project, submissions);
  console.log(`main job: ${submissions} signed webhooks delivered, the console answers`);

  const healthy = (await project.up(twice)).toFixed(1);
  const seconds = await timed(async () => void (await doMainJob(project, submissions)));
  await expectKept(project, job);
  let requests: number[] = [];
  // The name of the service has two addresses, of which each new connection gets one.
  await eventually(async () => {
    await submit(project, submissions);
    requests = await requestsOf(engine, project, 'submissions-svc');
    return requests.length === 2 && !requests.includes(0);
  });
  console.log(
    `two copies of each service: healthy after ${healthy} s, main job in ${seconds} s, ` +
      `requests to the copies of submissions-svc: ${requests.join(' and ')}`,
  );
}

async function runWithSecretFiles(project: ComposeProject): Promise<void> {
  const seconds = (await project.up()).toFixed(1);
  await doMainJob(project, submissions);
  expectNone(await project.secretsInEnvironments());
  console.log(`secrets from files: healthy after ${seconds} s, the main job works, no variable has a secret`);
}

async function upgrade(project: ComposeProject): Promise<void> {
  project.set('CANVASS_IMAGE', earlierImage);
  await project.up();
  const earlier = await submit(project, submissions);
  project.useFilesOf(checkoutDir);
  project.set('CANVASS_IMAGE', image);
  const seconds = (await project.up()).toFixed(1);
  await expectKept(project, earlier);
  await doMainJob(project, submissions);
  console.log(`upgrade from ${values.from}: healthy after ${seconds} s, data kept, the main job works`);
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
