import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './atomic-file';

const lowest = 20_000;
/**
 * Below the range from which Linux (32768) and macOS (49152) take the local ports of outgoing connections: a server
 * that is down for a moment would otherwise find its port taken by a client that is trying to reach it.
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

async function becomesFree(port: number, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (!(await isFree(port))) {
    if (Date.now() >= deadline) return false;
    await sleep(50);
  }
  return true;
}

/** Ports by name, remembered in a file, so that addresses stay the same from run to run. */
export class PortBook {
  private readonly ports: Map<string, number>;

  constructor(private readonly file: string) {
    this.ports = new Map(
      Object.entries(readJson<Record<string, unknown>>(file) ?? {}).filter(
        (entry): entry is [string, number] => Number.isInteger(entry[1]),
      ),
    );
  }

  /** The remembered port, whether or not anyone listens on it; undefined if there is none. */
  remembered(name: string): number | undefined {
    return this.ports.get(name);
  }

  /**
   * The remembered port if it is free, else a new free one, remembered from now on. A server that others already know
   * by its port gives `patienceMs`: that long a taken port is waited for.
   */
  async take(name: string, patienceMs = 0): Promise<number> {
    const known = this.ports.get(name);
    if (known !== undefined && (await becomesFree(known, patienceMs))) return known;
    for (let attempt = 0; attempt < 200; attempt++) {
      const port = randomInt(lowest, highest + 1);
      if (!(await isFree(port)) || [...this.ports.values()].includes(port)) continue;
      this.ports.set(name, port);
      writeJson(this.file, Object.fromEntries(this.ports));
      return port;
    }
    throw new Error(`no free port between ${lowest} and ${highest}`);
  }

  /** Drops a port that another process took between our look and the server's start; the next `take` finds a new one. */
  forget(name: string): void {
    this.ports.delete(name);
    writeJson(this.file, Object.fromEntries(this.ports));
  }
}
