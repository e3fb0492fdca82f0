import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './checkout';

const lowest = 20_000;
/**
 * A port below the range from which Linux (32768) and macOS (49152) take the local ports of outgoing
 * connections. Otherwise a client that reconnects to a server that is down could take the server's port.
 */
const highest = 32_767;

/** True if a server can listen on this loopback port now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Ports by name, remembered in a file, so that addresses stay the same from run to run. */
export class PortBook {
  private readonly ports: Record<string, number>;

  constructor(private readonly file: string) {
    const entries = Object.entries(readJson<Record<string, number>>(file) ?? {});
    this.ports = Object.fromEntries(entries.filter(([, port]) => Number.isInteger(port)));
  }

  /** The remembered port, whether or not a server listens on it. */
  remembered(name: string): number | undefined {
    return this.ports[name];
  }

  /**
   * The remembered port if it is free, else a new free one, which is remembered.
   *
   * @param patienceMs how long to wait for a taken port: for servers whose port others use already
   */
  async take(name: string, patienceMs = 0): Promise<number> {
    const known = this.ports[name];
    for (const deadline = Date.now() + patienceMs; known !== undefined; await sleep(50)) {
      if (await isFree(known)) return known;
      if (Date.now() >= deadline) break;
    }
    for (let attempt = 0; attempt < 200; attempt++) {
      const port = randomInt(lowest, highest + 1);
      if (!(await isFree(port)) || Object.values(this.ports).includes(port)) continue;
      this.ports[name] = port;
      writeJson(this.file, this.ports);
      return port;
    }
    throw new Error(`no free port between ${lowest} and ${highest}`);
  }

  /** Drops a port that another process took before our server did; the next `take` finds a new one. */
  forget(name: string): void {
    delete this.ports[name];
    writeJson(this.file, this.ports);
  }
}
