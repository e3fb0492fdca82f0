import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  checkGivenServers,
  endingSignals,
  killRunning,
  localDir,
  lockHolder,
  messageOf,
  runCommand,
  SetupError,
  tryLock,
  type GivenUrls,
} from '../infra';
import {
  parseStartArguments,
  refuseOptionsOfNpm,
  usage,
  withoutEffect,
  type StartArguments,
} from './arguments';
import { buildApps } from './build';
import { givenSettings } from './given-settings';
import { startOver, stopEverything, waitForStack } from './running-stack';
import { startStack } from './stack';
import type { StackFile } from './stack-file';

const lock = path.join(localDir, 'run', 'stack.lock');
const say = (line: string) => console.log(line);

async function main(): Promise<number> {
  const wanted = parseStartArguments(process.argv.slice(2));
  if (wanted.help) {
    say(usage);
    return 0;
  }
  refuseOptionsOfNpm(process.env);
  const given = givenUrls(process.env);
  if (wanted.fresh && given.databaseUrl)
    throw new SetupError(
      '--fresh would delete the encryption keys and keep the data in the database of DATABASE_URL, whose secrets could then not be read again: drop its schemas identity, submissions, datalists and webhooks instead, or start without DATABASE_URL.',
    );
  mkdirSync(path.join(localDir, 'run'), { recursive: true });
  if (wanted.stop || wanted.fresh) await stopEverything(localDir, lock, say);
  if (wanted.stop) return 0;
  if (wanted.fresh) await startOver(localDir);
  const release = tryLock(lock);
  if (release) return runStack(wanted, given).finally(release);

  say(`Canvass already runs (process ${lockHolder(lock)?.pid ?? 'unknown'}).`);
  const stack = await waitForStack(localDir, lock);
  const note = withoutEffect(wanted, stack.gatewayUrl);
  if (note !== null) say(note);
  printWelcome(stack);
  if (!wanted.demo) return 0;
  const status = await playDemoOn(stack);
  say(
    'The endpoints of the demo have ended, so deliveries to them fail until npm start -- --demo runs again.',
  );
  return status;
}

function givenUrls(env: NodeJS.ProcessEnv): GivenUrls {
  return {
    databaseUrl: env['DATABASE_URL'],
    amqpUrl: env['AMQP_URL'],
    amqpManagementUrl: env['AMQP_MANAGEMENT_URL'],
  };
}

async function runStack(wanted: StartArguments, given: GivenUrls): Promise<number> {
  const started = Date.now();
  await checkGivenServers(given);
  const env = await givenSettings(process.env);
  const interrupted = interruption();
  const starting = startStack({
    dir: localDir,
    replicas: wanted.replicas,
    gatewayPort: wanted.port,
    env,
    given,
    say,
    prepare: async () => {
      say('Building (only what changed) …');
      await buildApps();
    },
  });
  const stack = await Promise.race([starting, interrupted]);
  if (stack === null) {
    say('\nStopping …');
    killRunning(); // the build
    await starting.then((begun) => begun.stop()).catch(() => undefined);
    return 0;
  }
  say(`Everything runs (after ${((Date.now() - started) / 1000).toFixed(0)} s).`);
  try {
    printWelcome(stack.file);
    const played = wanted.demo ? await Promise.race([playDemoOn(stack.file), interrupted]) : 0;
    if (wanted.exit) return played ?? 0;
    say('Ctrl-C stops all of it.');
    await interrupted;
    return 0;
  } finally {
    say('\nStopping …');
    await stack.stop();
    say('Stopped.');
  }
}

/** Resolves on Ctrl-C or --stop, the usual end of a stack. A second Ctrl-C does not interrupt the stop. */
function interruption(): Promise<null> {
  return new Promise((resolve) => {
    const keepAlive = setInterval(() => undefined, 60_000);
    for (const signal of endingSignals)
      process.on(signal, () => {
        clearInterval(keepAlive);
        resolve(null);
      });
  });
}

/** Plays the demo on a running stack; 0 when every delivery was verified. Loaded only on request. */
async function playDemoOn(stack: StackFile): Promise<number> {
  try {
    const { playDemo } = await import('../demo/main');
    return (await playDemo(stack, localDir)) ? 0 : 1;
  } catch (error) {
    console.error(`The demo failed: ${messageOf(error)}`);
    return 1;
  }
}

/** Prints what a person needs first: addresses, a login, a request to try. */
function printWelcome({ gatewayUrl, demo, replicas }: StackFile): void {
  const copies = Object.entries(replicas).map(([name, more]) => `${name} ${more.length + 1} copies`);
  const login = JSON.stringify({ email: demo.adminEmail, password: demo.adminPassword });
  say(`
  Console   ${gatewayUrl}/console
  Gateway   ${gatewayUrl}
  API       ${gatewayUrl}/api/docs
  Health    ${gatewayUrl}/health/ui
  Login     ${demo.adminEmail}  ${demo.adminPassword}${copies.length ? `\n  Copies    ${copies.join(', ')}` : ''}

  Addresses and passwords for scripts are in .local/stack.json, logs in .local/logs/.
  Webhooks may go to loopback addresses: this is the development profile.

  Try:  curl -s ${gatewayUrl}/api/auth/login -H 'content-type: application/json' -d '${login}'
`);
}

runCommand(main);
