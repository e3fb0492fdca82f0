import { setTimeout as sleep } from 'node:timers/promises';
import type { InfraServer } from '../infra';

/** Starts a private server again when it dies, except between `stop` and `start`. */
export class SupervisedServer implements InfraServer {
  private wanted = false;
  private watching = false;
  /** A start after a death, in progress. A stop waits for it, else it would start what was just stopped. */
  private reviving: Promise<void> | null = null;

  constructor(
    readonly name: string,
    private readonly server: InfraServer,
    private readonly say: (line: string) => void,
    private readonly changed: () => void,
  ) {}

  get url(): string {
    return this.server.url;
  }

  pid(): number | null {
    return this.server.pid();
  }

  alive(): boolean {
    return this.server.alive();
  }

  async start(): Promise<void> {
    await this.server.start();
    this.wanted = true;
    this.changed();
    if (!this.watching && this.server.pid() !== null) void this.watch();
  }

  async stop(): Promise<void> {
    this.wanted = false;
    await this.reviving;
    await this.server.stop();
    this.changed();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    this.server.signal(signal);
  }

  private async watch(): Promise<void> {
    this.watching = true;
    for (let pauseMs = 200; this.wanted; await sleep(250, undefined, { ref: false })) {
      if (this.server.alive()) {
        pauseMs = 200;
        continue;
      }
      this.say(`${this.name} ended; starting it again in ${pauseMs / 1000} s`);
      this.changed();
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, 5_000);
      if (!this.wanted) break;
      this.reviving = this.server.start().catch((error: Error) => this.say(`${this.name}: ${error.message}`));
      await this.reviving;
      this.reviving = null;
      this.changed();
    }
    this.watching = false;
  }
}
