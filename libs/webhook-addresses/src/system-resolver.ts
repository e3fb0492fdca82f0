import dns from 'node:dns';

/** All addresses of a host name. Rejects if there are none. */
export type Resolver = (hostname: string) => Promise<string[]>;

/** Returns whether a name means this machine, whatever DNS has (RFC 6761, section 6.3). */
export const isLocalhost = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Resolves names by DNS without blocking. It asks the operating system (hosts file, search domains) only for
 * names that DNS does not have: that resolver runs on the four threads of libuv, so a few names whose servers
 * never respond would block every other lookup of the process.
 */
export const systemResolver: Resolver = async (hostname) => {
  if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new dns.promises.Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  for (const answer of answers) {
    if (answer.status === 'rejected' && !notInDns.has((answer.reason as NodeJS.ErrnoException).code ?? ''))
      throw answer.reason;
  }
  return askOperatingSystem(hostname);
};

/** Half of libuv's threads. The lookups of database and broker use the others. */
const maxAtOnce = 2;
/**
 * Bounded, because a lookup cannot be cancelled: pending ones would outlive their attempts and use up memory.
 */
const maxWaiting = 1_000;
const maxWaitMs = 5_000;

let asking = 0;
const waiting: (() => void)[] = [];

/** If the queue is full or the wait too long, the result is that of DNS: the name is not found. */
async function askOperatingSystem(hostname: string): Promise<string[]> {
  const since = performance.now();
  if (asking < maxAtOnce) asking += 1;
  else if (waiting.length >= maxWaiting) throw notFound(hostname);
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    if (performance.now() - since > maxWaitMs) throw notFound(hostname);
    return (await dns.promises.lookup(hostname, { all: true })).map(({ address }) => address);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else asking -= 1;
  }
}

const notFound = (hostname: string) =>
  Object.assign(new Error(`${hostname} is not in DNS`), { code: 'ENOTFOUND' });
