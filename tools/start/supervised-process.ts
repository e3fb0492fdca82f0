import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, PidFile, SetupError, signalProcess, tail, terminate } from '../infra';

export interface ProcessSpec {
  /** As people and stack.json call it. */
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  logFile: string;
  pidFile: string;
}

const [shortestPauseMs, longestPauseMs] = [200, 5_000];
/** After a process has lived this long, the next pause is the shortest again. */
const steadyAfterMs = 10_000;
const longestLogBytes = 5_000_000;

/** How a process ended that was asked to. */
export interface Ending {
  /** Null when a signal ended it. */
  exitCode: number | null;
  seconds: number;
}

/** A service could not listen because another process took its port after we had found it free. */
export class PortTaken extends Error {}

/** One child process that is started again whenever it dies, until `stop`. */
export class SupervisedProcess {
  private readonly pidFile: PidFile;
  private wanted = false;
  private pauseMs = shortestPauseMs;
  private generation = 0;
  private child: ChildProcess | undefined;
  /** How often it died without a request. */
  deaths = 0;

  /** `say` prints a line; `changed` is called when the pid changes. */
  constructor(
    private readonly spec: ProcessSpec,
    private readonly say: (line: string) => void,
    private readonly changed: () => void,
  ) {
    this.pidFile = new PidFile(spec.pidFile);
  }

  get name(): string {
    return this.spec.name;
  }

  get pid(): number | null {
    return this.pidFile.live()?.pid ?? null;
  }

  async start(): Promise<void> {
    if (this.wanted) return;
    this.wanted = true;
    rotate(this.spec.logFile);
    await this.spawn();
  }

  /** Asks it to end (SIGTERM) and kills it after `patienceMs`. It is not started again. */
  async stop(patienceMs = 25_000): Promise<void> {
    this.wanted = false;
    this.generation += 1;
    await terminate(this.pidFile.live(), [['SIGTERM', patienceMs]]);
    this.pidFile.remove();
    this.changed();
  }

  /** Asks it to end (SIGTERM), or ends it (SIGKILL), waits until it has, and starts it again. */
  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<Ending> {
    const { child } = this;
    const record = this.pidFile.live();
    if (!child || !record) throw new Error(`${this.spec.name} does not run`);
    this.generation += 1; // this end is requested
    const from = performance.now();
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    signalProcess(record, signal);
    const exitCode = await ended;
    const seconds = (performance.now() - from) / 1000;
    await this.spawn();
    return { exitCode, seconds };
  }

  /** Sends just the signal; if it dies of it, it is started again. */
  signal(signal: NodeJS.Signals): void {
    signalProcess(this.pidFile.live(), signal);
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

  private async spawn(): Promise<void> {
    const generation = ++this.generation;
    const startedAt = Date.now();
    const child = await launch({ ...this.spec, account: null });
    this.child = child;
    child.once('exit', (code, signal) => {
      if (!this.wanted || generation !== this.generation) return;
      this.deaths += 1;
      void this.again(signal ?? `status ${code}`, Date.now() - startedAt);
    });
    try {
      this.pidFile.write(child.pid);
    } catch {
      // It is already gone; the exit event follows.
    }
    this.changed();
  }

  private async again(cause: string, livedMs: number): Promise<void> {
    if (livedMs >= steadyAfterMs) this.pauseMs = shortestPauseMs;
    const pauseMs = this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
    this.say(`${this.spec.name} ended (${cause}); starting it again in ${pauseMs / 1000} s`);
    this.changed();
    const { generation } = this;
    await sleep(pauseMs);
    if (!this.wanted || generation !== this.generation) return;
    await this.spawn().catch((error: Error) => this.again(error.message, 0));
  }
}

/** Keeps one older log, so that logs never grow without bound. */
function rotate(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && stat.size > longestLogBytes) renameSync(file, `${file}.1`);
}
