/**
 * Loaded by each service process of the harness before its program: a clock and a name server that faults can
 * change. Without the two environment variables it does nothing.
 */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';

const readEveryMs = 100;

const clockFile = process.env['CHAOS_CLOCK'];
if (clockFile !== undefined) stepClock(clockFile);
const nameServer = process.env['CHAOS_NAME_SERVER'];
if (nameServer !== undefined) useNameServer(nameServer);

/** The clock differs from that of the system by the milliseconds in the file, if it exists. */
function stepClock(file: string): void {
  const systemNow = Date.now;
  let offsetMs = 0;
  const read = () => {
    try {
      offsetMs = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      offsetMs = 0;
    }
  };
  read();
  setInterval(read, readEveryMs).unref();
  const now = () => systemNow() + offsetMs;
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    apply: () => new Date(now()).toString(),
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args) as Date,
  });
}

/** Resolvers ask this server instead of those of the system. */
function useNameServer(address: string): void {
  class Resolver extends dns.promises.Resolver {
    constructor(options?: dns.ResolverOptions) {
      super(options);
      this.setServers([address]);
    }
  }
  dns.promises.Resolver = Resolver as typeof dns.promises.Resolver;
}
