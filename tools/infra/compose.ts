import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkoutDir, messageOf, tail } from './checkout';
import type { BrokerServer, InfraOptions, InfraServer } from './private-server';
import { onPath } from './programs';

const run = promisify(execFile);
const portNames = ['postgres', 'amqp', 'amqp-management'] as const;

type Compose = (...args: string[]) => Promise<string>;
type Project = Pick<InfraOptions, 'dir'> & { ports: NonNullable<InfraOptions['ports']> };

/**
 * The services `postgres` and `rabbitmq` of `docker-compose.yml` in a Compose project of this stack, on
 * free loopback ports that are remembered. Null when no Docker engine answers, or when it cannot start them
 * (printed in a line): the caller then starts private servers.
 */
export async function composeServers(
  options: InfraOptions,
): Promise<{ postgres: InfraServer; rabbitmq: BrokerServer } | null> {
  if (!(await engineAnswers())) return null;
  const { ports, postgresPassword, ephemeral } = options;
  const password = postgresPassword ?? 'postgres';
  const compose = composeCommand(options, password);
  try {
    options.say('PostgreSQL and RabbitMQ: starting containers with Docker Compose …');
    const running = await compose('ps', '--services', '--status', 'running');
    // A port that our own container has is not free and stays.
    for (const name of portNames)
      if (!running.includes('postgres') || ports.remembered(name) === undefined) await ports.take(name);
    await compose('up', '--detach', '--wait', 'postgres', 'rabbitmq');
  } catch (error) {
    const reason = tail(messageOf(error), 1);
    options.say(`Docker Compose cannot start the servers (${reason}); starting private ones instead.`);
    await compose('down').catch(() => undefined);
    return null;
  }
  const server = (service: string, url: string): InfraServer => ({
    url,
    pid: () => null,
    // The engine supervises it.
    alive: () => true,
    start: async () => void (await compose('up', '--detach', '--wait', service)),
    async stop() {
      await compose(...(ephemeral ? ['rm', '--force', '--stop', '--volumes'] : ['stop']), service);
    },
    signal: (signal) => void compose('kill', '--signal', signal, service).catch(() => undefined),
  });
  const at = (name: (typeof portNames)[number]) => `127.0.0.1:${ports.remembered(name)}`;
  return {
    postgres: server('postgres', `postgres://postgres:${password}@${at('postgres')}/postgres`),
    rabbitmq: {
      ...server('rabbitmq', `amqp://canvass:${password}@${at('amqp')}`),
      managementUrl: `http://canvass:${password}@${at('amqp-management')}`,
    },
  };
}

/** Removes the stack's containers and their data, if a Docker engine answers. */
export async function removeComposeServers(project: Project): Promise<void> {
  if (!(await engineAnswers())) return;
  await composeCommand(project, '')('down', '--volumes').catch(() => undefined);
}

async function engineAnswers(): Promise<boolean> {
  if (!onPath('docker')) return false;
  try {
    const { stdout } = await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 3_000 });
    await run('docker', ['compose', 'version'], { timeout: 3_000 });
    return stdout.trim() !== '';
  } catch {
    return false;
  }
}

/** Runs `docker compose` for the stack's project; passwords and ports are variables of the file. */
function composeCommand({ dir, ports }: Project, password: string): Compose {
  const name = `canvass-${createHash('sha256').update(path.resolve(dir)).digest('hex').slice(0, 10)}`;
  return async (...args) => {
    const { stdout } = await run('docker', ['compose', '--project-name', name, ...args], {
      cwd: checkoutDir,
      timeout: 300_000,
      env: {
        ...process.env,
        CANVASS_POSTGRES_PASSWORD: password,
        CANVASS_RABBITMQ_PASSWORD: password,
        CANVASS_GRAFANA_PASSWORD: password, // Compose demands it, also if Grafana is not started
        CANVASS_POSTGRES_PORT: String(ports.remembered('postgres') ?? 0),
        CANVASS_AMQP_PORT: String(ports.remembered('amqp') ?? 0),
        CANVASS_AMQP_MANAGEMENT_PORT: String(ports.remembered('amqp-management') ?? 0),
      },
    });
    return stdout.trim();
  };
}
