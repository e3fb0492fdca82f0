import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrokerServer, InfraOptions } from './acquire';
import { checkoutDir } from './checkout';
import type { InfraServer } from './private-server';
import { onPath } from './programs';

const run = promisify(execFile);
const composeFile = path.join(checkoutDir, 'docker-compose.yml');

/**
 * PostgreSQL and RabbitMQ of `docker-compose.yml` in a Compose project of this stack, on free loopback ports. Null when
 * no Docker engine answers, or when it cannot start them (said in a line): the caller then starts private servers.
 */
export async function composeServers(
  options: InfraOptions,
): Promise<{ postgres: InfraServer; rabbitmq: BrokerServer; description: string } | null> {
  if (!existsSync(composeFile) || !(await engineAnswers())) return null;
  const compose = composeCommand(options);
  try {
    options.say('PostgreSQL and RabbitMQ: starting containers with Docker Compose …');
    await compose('up', '--detach', '--wait', 'postgres', 'rabbitmq');
    const password = options.postgresPassword ?? 'postgres';
    const postgresUrl = async () =>
      `postgres://postgres:${password}@127.0.0.1:${await hostPort(compose, 'postgres', 5432)}/postgres`;
    const postgres = new ComposeServer(
      'postgres',
      compose,
      options.ephemeral,
      await postgresUrl(),
      postgresUrl,
    );
    const brokerUrl = async () => `amqp://guest:guest@127.0.0.1:${await hostPort(compose, 'rabbitmq', 5672)}`;
    const rabbitmq = new ComposeBroker('rabbitmq', compose, options.ephemeral, await brokerUrl(), brokerUrl);
    rabbitmq.managementUrl = `http://guest:guest@127.0.0.1:${await hostPort(compose, 'rabbitmq', 15672)}`;
    return { postgres, rabbitmq, description: 'in containers' };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    options.say(
      `Docker answers, but Compose cannot start the servers (${reason}); starting private ones instead.`,
    );
    await compose('down').catch(() => undefined);
    return null;
  }
}

/** Removes the stack's containers and their data, if there is an engine that could hold any. */
export async function removeComposeServers(options: InfraOptions): Promise<void> {
  if (!existsSync(composeFile) || !(await engineAnswers())) return;
  await composeCommand(options)('down', '--volumes').catch(() => undefined);
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

type Compose = (...args: string[]) => Promise<string>;

function composeCommand({ dir, postgresPassword }: InfraOptions): Compose {
  const override = path.join(dir, 'compose.override.yml');
  mkdirSync(dir, { recursive: true });
  writeFileSync(override, overrides(postgresPassword ?? 'postgres'), { mode: 0o600 });
  const project = `canvass-${createHash('sha256').update(path.resolve(dir)).digest('hex').slice(0, 10)}`;
  return async (...args) => {
    const fixed = ['compose', '--project-name', project, '--file', composeFile, '--file', override];
    const { stdout } = await run('docker', [...fixed, ...args], { cwd: checkoutDir, timeout: 300_000 });
    return stdout.trim();
  };
}

/** Random host ports on loopback, and logins that we know. */
function overrides(postgresPassword: string): string {
  return `services:
  postgres:
    command: ['postgres', '-c', 'max_connections=300']
    environment: { POSTGRES_USER: postgres, POSTGRES_PASSWORD: '${postgresPassword}' }
    ports: !override ['127.0.0.1::5432']
  rabbitmq:
    environment: { RABBITMQ_DEFAULT_USER: guest, RABBITMQ_DEFAULT_PASS: guest }
    ports: !override ['127.0.0.1::5672', '127.0.0.1::15672']
`;
}

async function hostPort(compose: Compose, service: string, port: number): Promise<string> {
  const address = (await compose('port', service, String(port))).split('\n')[0] ?? '';
  return address.slice(address.lastIndexOf(':') + 1);
}

/** A server in a container. The engine watches over it; we only start and stop it. */
class ComposeServer implements InfraServer {
  constructor(
    private readonly service: string,
    private readonly compose: Compose,
    private readonly ephemeral: boolean,
    public url: string,
    /** The host port is another one after each start of the container. */
    private readonly findUrl: () => Promise<string>,
  ) {}

  pid(): null {
    return null;
  }

  alive(): boolean {
    return true;
  }

  async start(): Promise<void> {
    await this.compose('up', '--detach', '--wait', this.service);
    this.url = await this.findUrl();
  }

  async stop(): Promise<void> {
    await (this.ephemeral
      ? this.compose('rm', '--force', '--stop', '--volumes', this.service)
      : this.compose('stop', this.service));
  }

  async restart(): Promise<void> {
    await this.compose('restart', this.service);
    await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    void this.compose('kill', '--signal', signal, this.service).catch(() => undefined);
  }
}

class ComposeBroker extends ComposeServer implements BrokerServer {
  managementUrl: string | null = null;
}
