import { setTimeout as sleep } from 'node:timers/promises';
import type { Runnable } from '../infra';

/** The end of a process that was asked to end. */
export interface Ending {
  /** Null when a signal ended it, or when it is not known. */
  exitCode: number | null;
  seconds: number;
}

const [minPauseMs, maxPauseMs] = [200, 5_000];
/** The time that a process lives before the next pause is the shortest again. */
const steadyAfterMs = 10_000;
const lookMs = 100;

/** Starts a process again whenever it dies, except between `stop` and `start`. */
export class Supervisor {
  /** The number of times it died without a request. */
  deaths = 0;
  private wanted = false;
  private watching = false;
  /** A start after a death, in progress. A stop waits for it, else it would start what was just stopped. */
  private reviving: Promise<void> | null = null;

  /** `say` prints a line; `changed` is called when the pid changes. */
  constructor(
    readonly name: string,
    private readonly process: Runnable,
    private readonly say: (line: string) => void,
    private readonly changed: () => void,
  ) {}

  pid(): number | null {
    return this.process.pid();
  }

  alive(): boolean {
    return this.process.alive();
  }

  async start(): Promise<void> {
    await this.process.start();
    this.wanted = true;
    this.changed();
    if (!this.watching) void this.watch();
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    this.wanted = false;
    await this.reviving;
    await this.process.stop(signal);
    this.changed();
  }

  /** Stops it, by default as `stop` does, starts it again and returns how it ended. */
  async restart(signal?: NodeJS.Signals): Promise<Ending> {
    const from = performance.now();
    await this.stop(signal);
    const seconds = (performance.now() - from) / 1000;
    const exitCode = this.process.end?.code ?? null;
    await this.start();
    return { exitCode, seconds };
  }

  /** Sends just the signal; if it dies of it, it is started again. */
  signal(signal: NodeJS.Signals): void {
    this.process.signal(signal);
  }

  private async watch(): Promise<void> {
    this.watching = true;
    let [pauseMs, startedAt] = [minPauseMs, Date.now()];
    for (; this.wanted; await sleep(lookMs, undefined, { ref: false })) {
      if (this.process.alive()) continue;
      if (Date.now() - startedAt >= steadyAfterMs) pauseMs = minPauseMs;
      const { end } = this.process;
      const cause = end ? ` (${end.signal ?? `status ${end.code}`})` : '';
      this.deaths += 1;
      this.say(`${this.name} ended${cause}; starting it again in ${pauseMs / 1000} s`);
      this.changed();
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      if (!this.wanted) break;
      this.reviving = this.process
        .start()
        .catch((error: Error) => this.say(`${this.name}: ${error.message}`));
      await this.reviving;
      this.reviving = null;
      startedAt = Date.now();
      this.changed();
    }
    this.watching = false;
  }
}
