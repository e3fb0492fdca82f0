import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { checkoutDir, launch, SetupError, tail, terminate, writeJson, startTimeOf } from '../infra';
import { engineDir, enginePrograms, type EnginePrograms } from './programs';

const readyMs = 60_000;
/** Builds of images print a lot. */
const maxOutput = 64 * 1024 * 1024;

/** A Docker engine of our own. It must be started in namespaces of its own (`inNamespaces`). */
export class Engine {
  private readonly run = mkdtempSync(path.join(os.tmpdir(), 'canvass-engine-'));
  private readonly socket = `unix://${path.join(this.run, 'docker.sock')}`;
  private pid = 0;

  private constructor(readonly programs: EnginePrograms) {}

  /**
   * Starts the engine with the images of earlier runs, and without containers.
   *
   * @param network `machine`: no networks for containers, but builds have that of the machine; `own`: Compose
   * can make networks, none of which leads out
   */
  static async start(programs: EnginePrograms, network: 'machine' | 'own'): Promise<Engine> {
    const engine = new Engine(programs);
    await engine.start(network);
    return engine;
  }

  private async start(network: 'machine' | 'own'): Promise<void> {
    const data = path.join(engineDir, 'data');
    const containers = path.join(data, 'containers');
    // Those of a run that was killed would start again. Images are built again quickly from what is kept.
    if (existsSync(containers) && readdirSync(containers).length > 0)
      rmSync(data, { recursive: true, force: true });
    rmSync(path.join(data, 'network'), { recursive: true, force: true });
    // With both hierarchies of control groups mounted, the engine takes the older one alone.
    spawnSync('umount', ['/sys/fs/cgroup/unified']);
    if (network === 'own') spawnSync('ip', ['link', 'set', 'lo', 'up']);
    const configuration = path.join(this.run, 'daemon.json');
    const files = openFilesLimit();
    writeJson(configuration, {
      'data-root': data,
      'exec-root': path.join(this.run, 'exec'),
      pidfile: path.join(this.run, 'docker.pid'),
      hosts: [this.socket],
      ip6tables: false,
      // Without CAP_SYS_RESOURCE an engine cannot raise it.
      'default-ulimits': { nofile: { Name: 'nofile', Hard: files, Soft: files } },
      'log-opts': { 'max-size': '10m', 'max-file': '2' },
      ...(network === 'machine'
        ? { bridge: 'none', iptables: false, 'ip-forward': false, 'ip-masq': false }
        : {}),
    });
    const logFile = path.join(engineDir, 'dockerd.log');
    rmSync(logFile, { force: true });
    const child = await launch({
      command: path.join(this.programs.bin, 'dockerd'),
      args: ['--config-file', configuration],
      env: this.environment(),
      cwd: this.run,
      logFile,
      account: null,
    });
    this.pid = child.pid;
    for (const deadline = Date.now() + readyMs; ; await sleep(200)) {
      if (await this.answers()) return;
      if (startTimeOf(this.pid) === null || Date.now() > deadline)
        throw new SetupError(`The engine does not start:\n${tail(readFileSync(logFile, 'utf8'))}`);
    }
  }

  private answers = () =>
    this.docker('version').then(
      () => true,
      () => false,
    );

  /**
   * Runs `docker` and returns what it printed.
   *
   * @throws {Error} with what it printed when it fails
   */
  docker = (...args: string[]): Promise<string> => this.dockerIn(engineDir, ...args);

  /** Runs `docker` in a folder. @throws {Error} with what it printed when it fails */
  async dockerIn(cwd: string, ...args: string[]): Promise<string> {
    const options = { cwd, env: this.environment(), maxBuffer: maxOutput };
    const { stdout } = await promisify(execFile)(path.join(this.programs.bin, 'docker'), args, options);
    return stdout.trim();
  }

  /** Builds the Dockerfile of this checkout on a base. The engine must have the network of this machine, for npm. */
  async build(nodeImage: string, tag: string): Promise<void> {
    const options = [
      '--network=host',
      '--progress=plain',
      `--build-arg=NODE_IMAGE=${nodeImage}`,
      `--tag=${tag}`,
    ];
    await this.dockerIn(checkoutDir, 'build', ...options, '.');
  }

  /** Bytes of an image, with its base. */
  async sizeOf(image: string): Promise<number> {
    return Number(await this.docker('image', 'inspect', '--format', '{{.Size}}', image));
  }

  /** Removes all containers and their data, and ends the engine. Images stay. */
  async stop(): Promise<void> {
    const containers = await this.docker('ps', '--all', '--quiet').catch(() => '');
    if (containers !== '') await this.docker('rm', '--force', '--volumes', ...containers.split('\n'));
    await this.docker('volume', 'prune', '--all', '--force').catch(() => undefined);
    const startedAt = startTimeOf(this.pid);
    if (startedAt !== null) await terminate({ pid: this.pid, startedAt }, [['SIGTERM', 30_000]]);
    // A container with the network of the machine leaves this mount.
    spawnSync('umount', [path.join(this.run, 'exec/netns/default')]);
    rmSync(this.run, { recursive: true, force: true });
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      // Compose reads variables of the caller before those of its file.
      ...Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(CANVASS|COMPOSE|DOCKER)_/.test(name)),
      ),
      PATH: `${this.programs.bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: this.run,
      DOCKER_HOST: this.socket,
      DOCKER_CONFIG: this.programs.config,
    };
  }
}

/**
 * Starts an engine, uses it, and ends it: what a program does that runs in its namespaces.
 *
 * @returns 0, for the exit status
 */
export async function withEngine(
  network: 'machine' | 'own',
  say: (line: string) => void,
  use: (engine: Engine) => Promise<void>,
): Promise<number> {
  process.stdin.on('end', () => process.exit(1)).resume(); // the program outside was killed
  const engine = await Engine.start(await enginePrograms(say), network);
  try {
    await use(engine);
    return 0;
  } finally {
    await engine.stop();
  }
}

/** The highest number of open files that this process may allow. */
function openFilesLimit(): number {
  const [, hard] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(hard ?? 1024);
}
