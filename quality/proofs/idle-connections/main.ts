/**
 * Holds many connections to a gateway that send nothing, half of a head, or nothing more after an answer,
 * while other clients send requests. Passes if those are served as before, each connection costs little
 * memory, and the gateway closes all of them in the end. Then the same with more connections than the limit
 * of a second gateway.
 */
import { eventually } from '@canvass/testing';
import { proveOnStack } from '../private-stack';
import { memoryOf, metricOf, type Watched } from '../processes';
import { IdleConnections } from './idle-connections';
import { measure } from './other-clients';

const count = Number(process.argv[2] ?? 10_000);
const seconds = Number(process.argv[3] ?? 8);
const limit = Math.ceil(count / 2);
/** Longer than the gateway keeps an idle connection (75 s, checked every 5 s). */
const closingMs = 150_000;
const mostKilobytes = 50;
const mostRatio = 3;

let missed = 0;
function claim(what: string, found: string, wanted: string, holds: boolean): void {
  if (!holds) missed += 1;
  console.log(`  ${holds ? 'ok    ' : 'MISSED'}  ${what}: ${found} (wanted ${wanted})`);
}
const openConnections = (gateway: Watched) => metricOf(gateway, 'http_open_connections{port="public"');
const portOf = ({ url }: Watched) => Number(new URL(url).port);

async function proveIdle(gateway: Watched): Promise<void> {
  await measure(gateway.url, seconds / 2); // code is loaded and compiled
  const before = await measure(gateway.url, seconds);
  const memoryBefore = await memoryOf(gateway);
  const idle = await IdleConnections.open(portOf(gateway), count);
  const during = await measure(gateway.url, seconds);
  const memory = (await memoryOf(gateway)) - memoryBefore;
  console.log(`  before: ${before.text}`);
  console.log(`  during: ${during.text}; ${await openConnections(gateway)} connections open at the gateway`);
  claim('connections held', String(idle.open), `${count}`, idle.open === count);
  claim('requests of others that failed', String(during.failed), '0', before.failed + during.failed === 0);
  const ratio = during.p99 / before.p99;
  claim('p99 of others', `${ratio.toFixed(2)} of before`, `at most ${mostRatio}`, ratio <= mostRatio);
  const [megabytes, kilobytes] = [memory / 1024 ** 2, memory / 1024 / count];
  const found = `${megabytes.toFixed(0)} MB more, ${kilobytes.toFixed(1)} KB a connection`;
  claim('memory of the gateway', found, `at most ${mostKilobytes} KB`, kilobytes <= mostKilobytes);
  const started = performance.now();
  await eventually(() => idle.open === 0, { timeoutMs: closingMs }).catch(() => undefined);
  const elapsed = ((performance.now() - started) / 1000).toFixed(0);
  claim('connections left', `${idle.open} after ${elapsed} s`, '0', idle.open === 0);
  const after = await measure(gateway.url, seconds);
  console.log(`  after:  ${after.text}; ${((await memoryOf(gateway)) / 1024 ** 2).toFixed(0)} MB resident`);
  idle.end();
}

/** More connections than the limit, while other clients open one per request: each of them is accepted. */
async function proveLimit(gateway: Watched): Promise<void> {
  const opening = IdleConnections.open(portOf(gateway), count);
  const during = await measure(gateway.url, seconds, { reconnect: true });
  const idle = await opening;
  const open = await openConnections(gateway);
  console.log(`  ${count} to a limit of ${limit}: ${during.text}, each on a connection of its own`);
  claim('requests of others that failed', String(during.failed), '0', during.failed === 0);
  claim('open connections', String(open), `at most ${limit}`, open <= limit);
  idle.end();
}

const withLimit = (connections: number) => ({ Service__Hosting__MaxConnections: String(connections) });
const env = { gateway: withLimit(count + 1_000), 'gateway-2': withLimit(limit) };

proveOnStack('idle-connections', { replicas: { gateway: 2 }, env }, async ({ file }) => {
  await proveIdle(file.services.gateway);
  await proveLimit(file.replicas.gateway![0]!);
  return missed === 0;
});
