/**
 * Holds many connections to a gateway that say nothing, half of a head, or nothing more after an answer, while other
 * clients go on. Passes when those are served as before, when each connection costs little, and when the gateway has
 * closed all of them by itself in the end. Then the same with more connections than its limit.
 */
import { eventually, listen } from '@canvass/testing';
import { buildApps } from '@canvass/stack';
import { GatewayProcess } from './gateway-process';
import { IdleConnections } from './idle-connections';
import { measure, type Measured } from './other-clients';

const count = Number(process.argv[2] ?? 10_000);
const seconds = Number(process.argv[3] ?? 8);
/** What the gateway waits for a head (20 s, looked at every 5 s) and keeps an idle connection for (75 s), and some time. */
const patienceMs = 150_000;
const mostKilobytes = 50;

let missed = 0;
function claim(what: string, found: string, wanted: string, holds: boolean): void {
  if (!holds) missed += 1;
  console.log(`  ${holds ? 'ok    ' : 'MISSED'}  ${what}: ${found} (wanted ${wanted})`);
}
const told = ({ requests, failed, p50, p99 }: Measured) =>
  `${requests} requests, ${failed} failed, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

async function proveIdle(serviceUrl: string): Promise<void> {
  const gateway = await GatewayProcess.start(serviceUrl, { MaxConnections: String(count + 1_000) });
  try {
    await measure(gateway.url, seconds / 2); // code is loaded and compiled
    const before = await measure(gateway.url, seconds);
    const memoryBefore = gateway.residentBytes();
    const idle = await IdleConnections.open(gateway.port, count);
    const during = await measure(gateway.url, seconds);
    const [open, memory] = [await gateway.openConnections(), gateway.residentBytes()];
    console.log(`  before: ${told(before)}`);
    console.log(`  during: ${told(during)}; ${open} connections open at the gateway`);
    claim('connections held', String(idle.open), `${count}`, idle.open === count);
    claim('requests of others that failed', String(during.failed), '0', before.failed + during.failed === 0);
    const [ratio, most] = [during.p99 / before.p99, 3];
    claim('p99 of others', `${ratio.toFixed(2)} of before`, `at most ${most}`, ratio <= most);
    const kilobytes = (memory - memoryBefore) / 1024 / count;
    claim(
      'memory of the gateway',
      `${((memory - memoryBefore) / 1024 ** 2).toFixed(0)} MB more, ${kilobytes.toFixed(1)} KB a connection`,
      `at most ${mostKilobytes} KB`,
      kilobytes <= mostKilobytes,
    );
    const started = performance.now();
    await eventually(() => idle.open === 0, { timeoutMs: patienceMs }).catch(() => undefined);
    const elapsed = ((performance.now() - started) / 1000).toFixed(0);
    claim('connections left', `${idle.open} after ${elapsed} s`, '0', idle.open === 0);
    const after = await measure(gateway.url, seconds);
    console.log(`  after:  ${told(after)}; ${(gateway.residentBytes() / 1024 ** 2).toFixed(0)} MB resident`);
    idle.end();
  } finally {
    await gateway.stop();
  }
}

/** Somebody opens more than the limit, again and again, while others come and go: each of them is let in. */
async function proveLimit(serviceUrl: string): Promise<void> {
  const limit = Math.ceil(count / 2);
  const gateway = await GatewayProcess.start(serviceUrl, { MaxConnections: String(limit) });
  try {
    const flood = IdleConnections.open(gateway.port, count);
    const during = await measure(gateway.url, seconds, { reconnect: true });
    const idle = await flood;
    const open = await gateway.openConnections();
    console.log(`  ${count} to a limit of ${limit}: ${told(during)}, each on a connection of its own`);
    claim('requests of others that failed', String(during.failed), '0', during.failed === 0);
    claim('open connections', String(open), `at most ${limit}`, open <= limit);
    idle.end();
  } finally {
    await gateway.stop();
  }
}

async function main(): Promise<number> {
  await buildApps();
  const service = await listen((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{}'),
  );
  try {
    await proveIdle(service.url);
    await proveLimit(service.url);
  } finally {
    await service.close();
  }
  return missed === 0 ? 0 : 1;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
