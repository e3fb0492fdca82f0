/**
 * Runs the two commands of the README in a container with a clean Debian 12, Node and npm, as an ordinary user.
 * The proof passes if `npm start` does the main job and `npm test` passes. The container has a clone of this
 * checkout. `npm test` also gets git and curl: it lists the files that git knows, and runs the tour of the README.
 * The engine needs root; without it the proof is skipped with a line. `--start`: only `npm start`.
 * `--test-node N`: `npm test` runs on the newest Node N.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  engineDir,
  ensureNodeImage,
  inNamespaces,
  withEngine,
  withEnginePrograms,
  type Engine,
} from '@canvass/engine';
import { checkoutDir, runCommand } from '@canvass/infra';
import type { StackFile } from '@canvass/stack';
import { eventually, webhookSink } from '@canvass/testing';
import { doMainJob } from '../main-job';

const home = path.join(engineDir, 'debian');
const checkout = path.join(home, 'canvass');
const user = 1000;
const container = 'canvass-debian';
const submissions = 20;
const args = process.argv.slice(2);
const rabbitVersion = process.env['CANVASS_RABBITMQ'];
const testNode = args.includes('--test-node') ? args[args.indexOf('--test-node') + 1] : undefined;

const installTools = `
  { apt-get update && apt-get install --yes --no-install-recommends git curl; } > /dev/null 2>&1
`;

/** A user with a name, as a person has one; PostgreSQL wants one, too. */
const asUser = `
  echo 'ada:x:${user}:${user}::/home/ada:/bin/sh' >> /etc/passwd
  echo 'ada:x:${user}:' >> /etc/group
  exec setpriv --reuid=${user} --regid=${user} --clear-groups "$@"
`;

const enter = () =>
  withEnginePrograms(console.log, (programs) =>
    inNamespaces(programs, 'machine', [__filename, '--inside', ...args]),
  );

async function prove(engine: Engine): Promise<void> {
  const image = await ensureNodeImage(engine, console.log);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  execFileSync('git', ['clone', '--quiet', checkoutDir, checkout]);
  execFileSync('chown', ['-R', `${user}:${user}`, home]);
  await start(engine, image);
  if (!args.includes('--start')) await test(engine, image);
}

interface Run {
  /** Of the log file. */
  name: string;
  command: string;
  /** Shell commands that run before it, as root. */
  before?: string;
}

/** Starts a command in the clone. Its lines go to a file beside the clone, whose path is returned. */
async function run(engine: Engine, image: string, { name, command, before = '' }: Run): Promise<string> {
  await engine.docker(
    'run',
    '--detach',
    `--name=${container}`,
    '--network=host',
    '--shm-size=1g',
    '--env=http_proxy',
    '--env=https_proxy',
    '--env=no_proxy',
    ...(rabbitVersion ? [`--env=CANVASS_RABBITMQ=${rabbitVersion}`] : []),
    '--env=HOME=/home/ada',
    `--volume=${home}:/home/ada`,
    '--workdir=/home/ada/canvass',
    image,
    'sh',
    '-c',
    before + asUser,
    'sh',
    'sh',
    '-c',
    `${command} > ../${name}.log 2>&1`,
  );
  return path.join(home, `${name}.log`);
}

const lastOf = (log: string, lines: number) =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

/** `npm start` until it is ready, then the main job over its ports. */
async function start(engine: Engine, image: string): Promise<void> {
  const log = await run(engine, image, { name: 'start', command: 'npm start' });
  const sink = await webhookSink();
  const started = performance.now();
  const file = path.join(checkout, '.local/stack.json');
  const ready = eventually(
    () => {
      if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
      throw new Error(`npm start is not ready:\n${lastOf(log, 20)}`);
    },
    { timeoutMs: 900_000 },
  );
  const ended = engine.docker('wait', container).then((code) => {
    throw new Error(`npm start ended with ${code.trim()}:\n${lastOf(log, 20)}`);
  });
  try {
    const { gatewayUrl, demo } = await Promise.race([ready, ended]);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const administrator = { email: demo.adminEmail, password: demo.adminPassword };
    const received = () =>
      Promise.resolve(sink.requests.map((request) => ({ ...request, body: request.body.toString() })));
    await doMainJob({ gatewayUrl, administrator, webhookOrigin: sink.url, received }, submissions);
    console.log(
      `npm start: ready after ${seconds} s, ${submissions} signed webhooks delivered, the console answers`,
    );
  } finally {
    await engine.docker('stop', '--time=60', container);
    await engine.docker('rm', container);
    await sink.close();
  }
}

/** @throws {Error} if `npm test` fails */
async function test(engine: Engine, image: string): Promise<void> {
  const command = testNode === undefined ? 'npm test' : `npm test -- --node ${testNode}`;
  const log = await run(engine, image, { name: 'test', command, before: installTools });
  const code = Number(await engine.docker('wait', container));
  await engine.docker('rm', container);
  console.log(lastOf(log, code === 0 ? 3 : 60));
  if (code !== 0) throw new Error(`npm test ended with ${code}; all its lines are in ${log}`);
}

runCommand(() => (args[0] === '--inside' ? withEngine('machine', console.log, prove) : enter()));
