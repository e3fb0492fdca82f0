import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, PidFile, SetupError, tail, type Runnable } from '../infra';
import { Supervisor } from './supervisor';

export interface ProcessSpec {
  /** The name as people and stack.json call it. */
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  logFile: string;
  pidFile: string;
}

const patienceMs = 25_000;
const maxLogBytes = 5_000_000;

/** A service could not listen because another process took its port after we had found it free. */
export class PortTaken extends Error {}

/** A child process. Its pid file is for another supervisor, which finds it if this one is killed. */
class ServiceProcess implements Runnable {
  end: Runnable['end'] = null;
  private child: ChildProcess | null = null;
  private exited = Promise.resolve();
  private readonly pidFile: PidFile;

  constructor(private readonly spec: ProcessSpec) {
    this.pidFile = new PidFile(spec.pidFile);
  }

  pid(): number | null {
    return this.child?.pid ?? null;
  }

  alive(): boolean {
    return this.child !== null;
  }

  async start(): Promise<void> {
    if (this.child) return;
    const child = await launch({ ...this.spec, account: null });
    this.child = child;
    this.end = null;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.child = null;
        this.end = { code, signal };
        resolve();
      });
    });
    try {
      this.pidFile.write(child.pid);
    } catch {
      // It has already ended; the exit event follows.
    }
  }

  /** Kills it if the signal does not end it in time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.signal(signal);
    const late = setTimeout(() => this.signal('SIGKILL'), patienceMs);
    await this.exited;
    clearTimeout(late);
    this.pidFile.remove();
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }
}

/** A service process that is started again whenever it dies, until `stop`. */
export class SupervisedProcess extends Supervisor {
  constructor(
    private readonly spec: ProcessSpec,
    say: (line: string) => void,
    changed: () => void,
  ) {
    super(spec.name, new ServiceProcess(spec), say, changed);
    rotate(spec.logFile);
  }

  /** The last lines it wrote. */
  logTail(lines = 15): string {
    return existsSync(this.spec.logFile) ? tail(readFileSync(this.spec.logFile, 'utf8'), lines) : '';
  }

  /**
   * Waits until the readiness probe at `url` answers 200.
   *
   * @throws {PortTaken} when another process took its port
   * @throws {SetupError} with its last lines, when it dies again and again or takes too long
   */
  async waitReady(url: string, timeoutMs = 90_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (let last = 'no answer'; ; await sleep(50)) {
      if (this.deaths > 0 && /EADDRINUSE|another process listens/.test(this.logTail(5)))
        throw new PortTaken(`the port of ${this.name} was taken`);
      const end = `the end of its log:\n${this.logTail()}`;
      if (this.deaths >= 3) throw new SetupError(`${this.name} does not stay up; ${end}`);
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      const body = await answer?.text().catch(() => '');
      if (answer?.status === 200) return;
      last = answer ? `${answer.status} ${body?.slice(0, 200)}` : 'no answer';
      if (Date.now() > deadline)
        throw new SetupError(`${this.name} did not get ready within ${timeoutMs / 1000} s (${last}); ${end}`);
    }
  }
}

/** Keeps one older log, so that logs never grow without bound. */
function rotate(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && stat.size > maxLogBytes) renameSync(file, `${file}.1`);
}
