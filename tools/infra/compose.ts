import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkoutDir } from './checkout';
import type { BrokerServer, InfraOptions } from './infra';
import type { InfraServer } from './private-server';
import { onPath } from './programs';

const run = promisify(execFile);
const composeFile = path.join(checkoutDir, 'docker-compose.yml');

/**
 * The services `postgres` and `rabbitmq` of `docker-compose.yml` in a Compose project of this stack, on free loopback
 * ports that are remembered. Null when no Docker engine answers, or when it cannot start them (said in a line): the
 * caller then starts private servers.
 */
export async function composeServers(
  options: InfraOptions,
): Promise<{ postgres: InfraServer; rabbitmq: BrokerServer; description: string } | null> {
  if (!(await engineAnswers())) return null;
  const { ports, postgresPassword, ephemeral } = options;
  const password = postgresPassword ?? 'postgres';
  const compose = composeCommand(options, password);
  try {
    options.say('PostgreSQL and RabbitMQ: starting containers with Docker Compose …');
    const running = await compose('ps', '--services', '--status', 'running');
    for (const name of portNames) {
      // A port that our own container holds is not free, and right all the same.
      if (!running.includes('postgres') || ports.remembered(name) === undefined) await ports.take(name);
    }
    await compose('up', '--detach', '--wait', 'postgres', 'rabbitmq');
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    options.say(`Docker Compose cannot start the servers (${reason}); starting private ones instead.`);
    await compose('down').catch(() => undefined);
    return null;
  }
  const at = (name: (typeof portNames)[number]) => `127.0.0.1:${ports.remembered(name) ?? 0}`;
  const postgres = new ComposeServer(
    'postgres',
    compose,
    ephemeral,
    `postgres://postgres:${password}@${at('postgres')}/postgres`,
  );
  const broker = new ComposeServer(
    'rabbitmq',
    compose,
    ephemeral,
    `amqp://canvass:${password}@${at('amqp')}`,
  );
  const managementUrl = `http://canvass:${password}@${at('amqp-management')}`;
  return { postgres, rabbitmq: Object.assign(broker, { managementUrl }), description: 'in containers' };
}

/** Removes the stack's containers and their data, if there is an engine that could hold any. */
export async function removeComposeServers(options: Pick<InfraOptions, 'dir' | 'ports'>): Promise<void> {
  if (!(await engineAnswers())) return;
  await composeCommand(options, '')('down', '--volumes').catch(() => undefined);
}

async function engineAnswers(): Promise<boolean> {
  if (!existsSync(composeFile) || !onPath('docker')) return false;
  try {
    const { stdout } = await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 3_000 });
    await run('docker', ['compose', 'version'], { timeout: 3_000 });
    return stdout.trim() !== '';
  } catch {
    return false;
  }
}

const portNames = ['postgres', 'amqp', 'amqp-management'] as const;

type Compose = (...args: string[]) => Promise<string>;

/** Runs `docker compose` for the stack's project; passwords and ports reach the file as its variables. */
function composeCommand({ dir, ports }: Pick<InfraOptions, 'dir' | 'ports'>, password: string): Compose {
  const project = `canvass-${createHash('sha256').update(path.resolve(dir)).digest('hex').slice(0, 10)}`;
  return async (...args) => {
    const { stdout } = await run(
      'docker',
      ['compose', '--project-name', project, '--file', composeFile, ...args],
      {
        cwd: checkoutDir,
        timeout: 300_000,
        env: {
          ...process.env,
          CANVASS_POSTGRES_PASSWORD: password,
          CANVASS_RABBITMQ_PASSWORD: password,
          CANVASS_POSTGRES_PORT: String(ports.remembered('postgres') ?? 0),
          CANVASS_AMQP_PORT: String(ports.remembered('amqp') ?? 0),
          CANVASS_AMQP_MANAGEMENT_PORT: String(ports.remembered('amqp-management') ?? 0),
        },
      },
    );
    return stdout.trim();
  };
}

/** A server in a container. The engine watches over it; we only start and stop it. */
class ComposeServer implements InfraServer {
  constructor(
    private readonly service: string,
    private readonly compose: Compose,
    private readonly ephemeral: boolean,
    readonly url: string,
  ) {}

  pid(): null {
    return null;
  }

  alive(): boolean {
    return true;
  }

  async start(): Promise<void> {
    await this.compose('up', '--detach', '--wait', this.service);
  }

  async stop(): Promise<void> {
    const how = this.ephemeral ? ['rm', '--force', '--stop', '--volumes'] : ['stop'];
    await this.compose(...how, this.service);
  }

  async restart(): Promise<void> {
    await this.compose('restart', this.service);
    await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    void this.compose('kill', '--signal', signal, this.service).catch(() => undefined);
  }
}
