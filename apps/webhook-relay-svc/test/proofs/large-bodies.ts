import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchanges } from '@canvass/contracts';
import { eventually, prove, type Claim } from '@canvass/testing';
import { startHarness, endpointAt, newTenant, type Tenant, type Harness } from '../harness';
import { introduce, startRelay } from './relays';

const MiB = 1024 * 1024;
/** The size of the relay's heap. */
const heapMb = 256;
const maxGrowthMb = 256;
/** Events that wait in the queue while the relay works. */
const ahead = 100;

/** Takes webhooks and counts those whose body is whole. */
async function startReceiver() {
  const whole = new Set<string>();
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      const wanted = Number(request.headers['content-length']);
      if (bytes === wanted && bytes > MiB) whole.add(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    whole,
    close: () => (server.close(), server.closeAllConnections()),
  };
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Publishes events with answers of so many bytes, as fast as the relay takes them; some wait. */
async function publish(
  world: Harness,
  tenant: Tenant,
  count: number,
  bytes: number,
  delivered: () => number,
) {
  const jsonData = JSON.stringify({ photo: 'x'.repeat(bytes) });
  const before = delivered();
  for (let n = 0; n < count; n += 1) {
    while (n - (delivered() - before) > ahead) await sleep(20);
    const event = tenant.event();
    const body = Buffer.from(JSON.stringify({ ...event, data: { ...event.data, jsonData } }));
    const message = { exchange: exchanges.events, routingKey: event.type, messageId: event.id, body };
    // A broker with a memory alarm takes nothing for minutes.
    await eventually(async () => (await world.broker.publish([message])).every(({ ok }) => ok), {
      timeoutMs: 600_000,
    });
  }
}

/** One relay with a small heap takes a backlog of events of 1 MiB, and then of 4 MiB. */
async function proveLargeBodies(count: number, countOfLargest: number): Promise<Claim[]> {
  const world = await startHarness();
  const receiver = await startReceiver();
  const tenant = newTenant(world.owner);
  const relay = await startRelay(world, { webHooks: { SweepIntervalMs: 250 } }, [
    `--max-old-space-size=${heapMb}`,
  ]);
  let ended = false;
  void relay.ended.then(() => (ended = true));
  tenant.configure('SubmissionCompleted', [endpointAt(receiver.url)]);
  await introduce(world, relay, tenant, 1);
  await sleep(2_000);
  const idle = residentMb(relay.pid);
  let peak = idle;
  const watch = setInterval(() => !ended && (peak = Math.max(peak, residentMb(relay.pid))), 50);

  const claims: Claim[] = [];
  for (const [events, mebibytes] of [
    [count, 1],
    [countOfLargest, 4],
  ] as const) {
    const before = receiver.whole.size;
    const delivered = () => receiver.whole.size;
    await publish(world, tenant, events, mebibytes * MiB, delivered);
    await eventually(() => delivered() - before === events || ended, { timeoutMs: 300_000 }).catch(
      () => undefined,
    );
    claims.push({
      what: `events of ${mebibytes} MiB that were delivered whole`,
      found: `${delivered() - before} of ${events}, most memory so far ${(peak - idle).toFixed(0)} MB above ${idle.toFixed(0)} MB`,
      wanted: 'all of them',
      holds: delivered() - before === events,
    });
  }
  clearInterval(watch);
  claims.push({
    what: `memory of the relay with a heap of ${heapMb} MB`,
    found: `rose by ${(peak - idle).toFixed(0)} MB${ended ? ', and it ended' : ''}`,
    wanted: `at most ${maxGrowthMb} MB, without a restart`,
    holds: peak - idle <= maxGrowthMb && !ended,
  });
  if (!ended) await relay.stop();
  receiver.close();
  await world.close();
  return claims;
}

const [count = 10_000, countOfLargest = 500] = process.argv.slice(2).map(Number);
prove(() => proveLargeBodies(count, countOfLargest));
