import type { InfraServer } from './private-server';

/** A server that someone else runs and that was named by URL: nothing of it is ours to start or stop. */
export class GivenServer implements InfraServer {
  constructor(
    readonly url: string,
    readonly managementUrl: string | null = null,
  ) {}

  pid(): null {
    return null;
  }

  alive(): boolean {
    return true;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async restart(): Promise<void> {}

  signal(): void {}
}
