import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverHome, type ServerHome } from './account';
import { localDir, messageOf, SetupError, tail } from './checkout';
import { PortBook } from './ports';
import { PidFile, signalProcess, terminate, type StopStep } from './processes';

/** A process that can be kept running. */
export interface Runnable {
  /** Null if it does not run, or is no process of ours. */
  pid(): number | null;
  alive(): boolean;
  /** Does nothing if it runs. */
  start(): Promise<void>;
  /** @param signal the first one; by default that of a regular stop */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Sends the signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /** The end of the last process; null while one runs, absent if that is not known. */
  readonly end?: { code: number | null; signal: NodeJS.Signals | null } | null | undefined;
}

/** A server that a stack needs. */
export interface InfraServer extends Runnable {
  readonly url: string;
}

export interface PrivateServerOptions {
  /** The stack's folder: pid files, ports, logs. */
  dir: string;
  /** Data is deleted at each start and nothing waits for the disk: for tests. */
  ephemeral: boolean;
  ports?: PortBook;
  /** Prints a line about what takes time. */
  say?: (line: string) => void;
}

export interface InfraOptions extends PrivateServerOptions {
  ports: PortBook;
  say(line: string): void;
  /** The password of a server that we create; null for one that asks for none. */
  postgresPassword: string | null;
  /** External servers, by URL. */
  given: GivenUrls;
  /** Use no containers. */
  privateOnly?: boolean;
}

/** URLs of external servers. */
export interface GivenUrls {
  databaseUrl?: string | undefined;
  amqpUrl?: string | undefined;
  /** Base URL of the broker's management API, with its login. */
  amqpManagementUrl?: string | undefined;
}

export interface BrokerServer extends InfraServer {
  /** Base URL of the management API with its login; null for an external broker without one. */
  readonly managementUrl: string | null;
}

/**
 * A server that this project starts, or found running from an earlier start: the steps that all of them
 * share.
 */
export abstract class PrivateServer implements InfraServer {
  protected readonly pidFile: PidFile;
  protected readonly data: string;
  protected readonly logFile: string;
  /** Folder of the data, and the account that the server runs as. */
  protected readonly home: ServerHome;
  /** Folder of programs that have to be downloaded or copied; one for all stacks of a checkout. */
  protected readonly programs: ServerHome;
  protected readonly say: (line: string) => void;
  protected readonly ephemeral: boolean;
  private readonly ports: PortBook;
  /** Returns whether it ran once: clients then use its port and rely on its data. */
  private hasRun = false;

  /** The ports, by the names in the port book. */
  protected abstract readonly portNames: readonly string[];
  protected abstract readonly stopSteps: readonly StopStep[];
  /** The text in the log of a server that ended because another process has its port. */
  protected abstract readonly portTaken: RegExp;
  protected abstract readonly readyTimeoutMs: number;
  abstract readonly url: string;

  constructor(
    private readonly label: string,
    name: string,
    { dir, ephemeral, ports, say }: PrivateServerOptions,
    /** Returns whether signals go to its whole process group. */
    private readonly group: boolean,
  ) {
    this.home = serverHome(dir);
    this.programs = serverHome(localDir);
    this.ports = ports ?? new PortBook(path.join(dir, 'ports.json'));
    this.say = say ?? (() => undefined);
    this.ephemeral = ephemeral;
    this.pidFile = new PidFile(path.join(dir, 'run', `${name}.json`));
    this.data = path.join(this.home.dir, `${name}-data`);
    this.logFile = path.join(dir, 'logs', `${name}.log`);
  }

  /** Installs programs and creates data. */
  protected abstract prepare(): Promise<void>;
  /** Launches the process; its log begins empty. */
  protected abstract launch(): Promise<{ pid: number }>;
  /** Asks the server: true when it is ready, else a reason. Rejects while it does not answer. */
  protected abstract isReady(): Promise<true | string>;

  pid(): number | null {
    return this.pidFile.live()?.pid ?? null;
  }

  alive(): boolean {
    return this.pid() !== null;
  }

  async start(): Promise<void> {
    if (this.alive()) return this.untilReady();
    await this.stop();
    if (this.ephemeral && !this.hasRun) rmSync(this.data, { recursive: true, force: true });
    await this.prepare();
    for (let attempt = 1; !(await this.launchOnce()); attempt++) {
      const log = existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
      await this.stop();
      if (attempt === 3 || !this.portTaken.test(log))
        throw new SetupError(`${this.label} did not start; the end of ${this.logFile}:\n${tail(log)}`);
      for (const name of this.portNames) this.ports.forget(name);
    }
  }

  async stop(): Promise<void> {
    await terminate(this.pidFile.live(), this.stopSteps, this.group);
    this.pidFile.remove();
  }

  signal(signal: NodeJS.Signals): void {
    signalProcess(this.pidFile.live(), signal, this.group);
  }

  protected port(name: string): number {
    return this.ports.remembered(name) ?? 0;
  }

  /** False when the process ended before it was ready. */
  private async launchOnce(): Promise<boolean> {
    for (const name of this.portNames) await this.ports.take(name, this.hasRun ? 5_000 : 0);
    rmSync(this.logFile, { force: true });
    const { pid } = await this.launch();
    try {
      this.pidFile.write(pid);
      await this.untilReady();
    } catch (error) {
      if (this.alive()) throw error;
      return false;
    }
    return (this.hasRun = true);
  }

  private async untilReady(): Promise<void> {
    const deadline = Date.now() + this.readyTimeoutMs;
    for (let last = 'no answer'; ; await sleep(50)) {
      if (!this.alive()) throw new Error(`${this.label} ended while starting`);
      const answer = await this.isReady().catch(messageOf);
      if (answer === true) return;
      last = answer;
      if (Date.now() > deadline) throw new SetupError(`${this.label} did not get ready in time: ${last}.`);
    }
  }
}
