/**
 * Runs a private stack for the tests in its own process, which ends with its parent. Specs use the stack over
 * HTTP like any client. For everything else (kill a process, stop RabbitMQ) they use the control URL that
 * this process prints when the stack is ready.
 */
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { buildApps } from '../../../tools/start/build';
import { loadSecrets } from '../../../tools/start/secrets';
import { serviceNames, type ServiceEnvironments } from '../../../tools/start/services';
import { startStack, type Stack, type StackOptions } from '../../../tools/start/stack';
import { environment } from '../src/config';
import { startCollector } from './collector';
import { startOtherStack, type OtherStack } from './other-stack';

const dir = path.resolve(__dirname, '../../../.local', `e2e-${process.pid}`);

/** Short retry intervals, so that tests can wait for retries. */
const schedule = { Service__WebHooks__RetryScheduleSeconds: '[1,1,2,2,5,5,10]' };

/** The settings of what the web console shows of submitters. */
const consoleVariables = {
  NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS: 'department',
  NEXT_PUBLIC_SUBMITTER_PRIMARY_FILTER_LABEL: 'Customer number',
};

/** The lowest log level, because a test searches the logs for secrets. */
const debug = { Service__Logging__Level: 'debug' };

/** Programs to run in place of the built ones, by service, as JSON. */
const programs = JSON.parse(environment['E2E_PROGRAMS'] ?? '{}') as NonNullable<StackOptions['programs']>;

/** The other stack. Specs start and stop it. */
let other: OtherStack | undefined;

async function main(): Promise<void> {
  const collector = await startCollector();
  const common = { Service__Tracing__OtlpUrl: collector.url, ...debug };
  const stack = await startStack({
    dir,
    ephemeral: true,
    env: {
      ...Object.fromEntries(serviceNames.map((name) => [name, common])),
      'webhook-relay-svc': { ...common, ...schedule },
      gateway: { ...common, ...consoleVariables },
    },
    programs,
    prepare: buildApps,
    say: (line) => console.error(line),
  });
  const control = createServer((request, response) => {
    response.shouldKeepAlive = false; // requests are rare: an idle connection could close during the next request
    (request.url === '/spans' ? Promise.resolve(collector.spans) : command(stack, request)).then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  control.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(control.address() as AddressInfo).port}\n`);
  });
  const stop = async () => {
    await other?.stop();
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
    process.exit(0);
  };
  // The standard input closes when the parent ends.
  process.stdin.resume().once('close', () => void stop());
  process.once('SIGTERM', () => void stop());
}

/**
 * The control API. `GET /` returns stack.json, `/spans` the exported spans, `/secrets` the configured
 * secrets. `POST /<name>/<signal>` sends a signal. `/rabbitmq/stop` and `/rabbitmq/start` control the server,
 * likewise for postgres. `/other/start` (with the configuration as JSON) and `/other/stop` control the other
 * stack.
 */
async function command(stack: Stack, request: IncomingMessage): Promise<unknown> {
  const [name = '', verb = ''] = (request.url ?? '/').slice(1).split('/');
  if (name === '') return { ...stack.file, logs: path.join(dir, 'logs') };
  if (name === 'secrets') return secrets();
  if (name === 'other') {
    await other?.stop();
    other = undefined;
    if (verb !== 'start') return {};
    other = await startOtherStack(
      stack,
      path.join(dir, 'other'),
      (await json(request)) as ServiceEnvironments,
    );
    return other.file;
  }
  const server = name === 'rabbitmq' || name === 'postgres' ? stack.infra[name] : undefined;
  if (server && verb === 'stop') await server.stop();
  else if (server && verb === 'start') await server.start();
  else stack.kill(name, verb as NodeJS.Signals);
  return {};
}

/**
 * The secrets by their path in secrets.json (`rolePasswords.identity-svc`); encryption keys without their id,
 * and without the prefix of names, which logs may show.
 */
function secrets(): Record<string, string> {
  const flat = (value: unknown, at: string): [string, string][] =>
    typeof value === 'string'
      ? [[at, value.replace(/^k1:/, '')]]
      : Object.entries(value as object).flatMap(([key, member]) =>
          flat(member, at === '' ? key : `${at}.${key}`),
        );
  return Object.fromEntries(flat(loadSecrets(dir, serviceNames), '').filter(([at]) => at !== 'prefix'));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  rmSync(dir, { recursive: true, force: true });
  process.exit(1);
});
