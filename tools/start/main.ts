import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { localDir, lockHolder, SetupError, tryLock } from '../infra';
import { parseStartArguments, usage, type StartArguments } from './arguments';
import { buildApps } from './build';
import { playDemoOn } from './play-demo';
import { printWelcome } from './welcome';
import { startOver } from './start-over';
import { startStack, type Stack } from './stack';
import { stopEverything } from './stop-everything';
import { waitForStack } from './wait-for-stack';

const lock = path.join(localDir, 'run', 'stack.lock');
const say = (line: string) => console.log(line);

async function main(): Promise<number> {
  const wanted = parseStartArguments(process.argv.slice(2));
  if (wanted.help) {
    say(usage);
    return 0;
  }
  mkdirSync(path.join(localDir, 'run'), { recursive: true });
  if (wanted.stop || wanted.fresh) await stopEverything(localDir, lock, say);
  if (wanted.stop) return 0;
  if (wanted.fresh) await startOver(localDir);
  const release = tryLock(lock);
  if (!release) return joinRunning(wanted);
  try {
    return await runStack(wanted);
  } finally {
    release();
  }
}

/**
 * Another `npm start` of this checkout holds the stack: tell its addresses, play the demo on it if asked
 * to.
 */
async function joinRunning(wanted: StartArguments): Promise<number> {
  say(`Canvass already runs (process ${lockHolder(lock)?.pid ?? 'unknown'}).`);
  const stack = await waitForStack(localDir, lock);
  printWelcome(stack, say);
  return wanted.demo ? playDemoOn(stack) : 0;
}

async function runStack(wanted: StartArguments): Promise<number> {
  const started = Date.now();
  const ending = interruption();
  const starting = startStack({
    dir: localDir,
    replicas: wanted.replicas,
    given: {
      databaseUrl: process.env['DATABASE_URL'],
      amqpUrl: process.env['AMQP_URL'],
      amqpManagementUrl: process.env['AMQP_MANAGEMENT_URL'],
    },
    say,
    prepare: async () => {
      say('Building (only what changed) …');
      await buildApps();
    },
  });
  const first = await Promise.race([starting, ending]);
  if (typeof first === 'number') {
    say('\nStopping …');
    await starting.then((stack) => stack.stop()).catch(() => undefined);
    return first;
  }
  const stack = first;
  say(`Everything runs (after ${((Date.now() - started) / 1000).toFixed(0)} s).`);
  try {
    printWelcome(stack.file, say);
    const played = wanted.demo ? await Promise.race([playDemoOn(stack.file), ending]) : 0;
    if (wanted.exit) return played;
    say('Ctrl-C stops all of it.');
    return await ending;
  } finally {
    await stopped(stack);
  }
}

async function stopped(stack: Stack): Promise<void> {
  say('\nStopping …');
  await stack.stop();
  say('Stopped.');
}

/**
 * Resolves with the exit status once someone wants us to end. A second Ctrl-C does not interrupt the
 * orderly stop.
 */
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    const keepAlive = setInterval(() => undefined, 60_000);
    const end = (status: number) => {
      clearInterval(keepAlive);
      resolve(status);
    };
    // Stopping by Ctrl-C or by --stop is how a stack is meant to end.
    process.on('SIGINT', () => end(0));
    process.on('SIGTERM', () => end(0));
    process.on('SIGHUP', () => end(0));
  });
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    const denied =
      (error as NodeJS.ErrnoException).code === 'EACCES' && (error as NodeJS.ErrnoException).path;
    if (denied)
      console.error(`${denied} belongs to another user: remove .local/ as that user, or run as that user.`);
    else console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
