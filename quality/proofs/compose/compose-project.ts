import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serverImages, type Engine } from '@canvass/engine';
import { checkoutDir, messageOf } from '@canvass/infra';
import type { Installation, ReceivedWebhook } from '../main-job';

/** Files of a release that run with Compose. */
const releaseFiles = ['docker-compose.yml', 'docker-compose.secrets.yml', 'deploy/new-secrets.mjs'];

/** docker-compose.yml in a folder of its own, with the profile `demo`: what a host has that installs a release. */
export class ComposeProject implements Installation {
  readonly gatewayUrl = 'http://127.0.0.1:8080';
  readonly webhookOrigin = 'http://webhook-sink:8080';
  private files: string[] = ['docker-compose.yml'];

  private constructor(
    private readonly engine: Engine,
    private readonly dir: string,
  ) {}

  /**
   * Creates the folder with new secrets; nothing is started.
   *
   * @param secretFiles whether secrets are in files instead of environment variables
   */
  static create(engine: Engine, secretFiles: boolean): ComposeProject {
    const project = new ComposeProject(engine, mkdtempSync(path.join(os.tmpdir(), 'canvass-compose-')));
    for (const file of releaseFiles)
      cpSync(path.join(checkoutDir, file), path.join(project.dir, path.basename(file)));
    const args = secretFiles ? ['--files'] : [];
    execFileSync(process.execPath, ['new-secrets.mjs', ...args], { cwd: project.dir });
    if (secretFiles) project.files.push('docker-compose.secrets.yml');
    project.set('CANVASS_POSTGRES_IMAGE', serverImages.postgres);
    project.set('CANVASS_RABBITMQ_IMAGE', serverImages.rabbitmq);
    // The networks that Compose makes: webhooks go to a container.
    project.set('CANVASS_ALLOWED_NETWORKS', '["172.16.0.0/12","192.168.0.0/16"]');
    return project;
  }

  /** Sets a variable of the environment file. */
  private set(name: string, value: string): void {
    appendFileSync(path.join(this.dir, '.env'), `${name}=${value}\n`);
  }

  /** The webhooks that the container `webhook-sink` lists. */
  async received(): Promise<ReceivedWebhook[]> {
    return (await (await fetch('http://127.0.0.1:8081')).json()) as ReceivedWebhook[];
  }

  /** Login of the first administrator. */
  get administrator(): { email: string; password: string } {
    const variables = this.read('.env');
    const email = /^CANVASS_ADMIN_EMAIL=(.*)$/m.exec(variables)![1]!;
    const password = /^CANVASS_ADMIN_PASSWORD=(.*)$/m.exec(variables)?.[1];
    if (password !== undefined) return { email, password };
    const { Service } = JSON.parse(this.read('secrets/identity-svc.json')) as {
      Service: { Bootstrap: [{ AdminPassword: string }] };
    };
    return { email, password: Service.Bootstrap[0].AdminPassword };
  }

  private read = (file: string) => readFileSync(path.join(this.dir, file), 'utf8');

  /**
   * Starts everything and waits until it is healthy.
   *
   * @param copies how many containers each of these services gets; one by default
   * @returns the seconds it took
   * @throws {Error} if a container does not get healthy
   */
  async up(copies: Record<string, number> = {}): Promise<number> {
    const started = performance.now();
    const scale = Object.entries(copies).flatMap(([service, count]) => ['--scale', `${service}=${count}`]);
    await this.compose('up', '--detach', '--no-build', '--wait', '--wait-timeout', '300', ...scale);
    return (performance.now() - started) / 1000;
  }

  /** The states of all containers, and the last lines of each, for an error message. */
  async describe(): Promise<string> {
    const states = await this.compose('ps', '--all').catch(messageOf);
    return `${states}\n${await this.compose('logs', '--no-color', '--tail', '15').catch(messageOf)}`;
  }

  /** The variables of containers that hold a text of the secret files, which they must not. */
  async secretsInEnvironments(): Promise<string[]> {
    const texts = readdirSync(path.join(this.dir, 'secrets')).map((name) => this.read(`secrets/${name}`));
    const secrets = texts.flatMap((text) => text.match(/[0-9a-f]{24,}|[\w+/]{43}=/g) ?? []);
    const ids = (await this.compose('ps', '--all', '--quiet')).split('\n');
    const inspected = await this.engine.docker('inspect', '--format', '{{.Name}} {{.Config.Env}}', ...ids);
    const lines = inspected.split('\n').filter((line) => secrets.some((secret) => line.includes(secret)));
    return lines.map((line) => `${line.split(' ')[0]} has a secret in its environment`);
  }

  /** Ends all containers, removes their data and the folder. */
  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '10');
    rmSync(this.dir, { recursive: true, force: true });
  }

  private compose = (...args: string[]): Promise<string> =>
    this.engine.dockerIn(
      this.dir,
      'compose',
      ...this.files.flatMap((file) => ['--file', file]),
      '--profile',
      'demo',
      ...args,
    );
}
