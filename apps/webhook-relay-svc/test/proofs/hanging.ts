import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@canvass/testing';
import { createWorld, endpointAt, newTenant, type World } from '../world';
import { prove, type Claim } from './claims';
import { introduce, publishMany, startRelay } from './relays';

const queued = 10_000;
const perSecond = 50;
const mostRatio = 1.2;
const others = 5;

/** Receives for both: `/hang` is never answered, the rest at once, with the time from the event to its arrival. */
async function startReceiver() {
  const held = new Set<ServerResponse>();
  let latencies: number[] = [];
  const published = new Map<string, number>();
  const server = createServer((request, response) => {
    if (request.url === '/hang') {
      held.add(response);
      response.on('close', () => held.delete(response));
      return;
    }
    const at = published.get(String(request.headers['webhook-id']));
    if (at !== undefined) latencies.push(performance.now() - at);
    request.resume().on('end', () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    published,
    /** Those since the last call. */
    take: () => [latencies, (latencies = [])][0]!,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const p99 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;

/**
 * Two relays of a mode, each with a database and a broker of its own, so that a round of either finds the machine alike: one has an endpoint that hangs with
 * 10,000 deliveries queued, the other has not. Traffic for other endpoints takes turns between them.
 */
async function ratioOf(deliverToJobQueue: boolean, rounds: number, roundSeconds: number) {
  const receiver = await startReceiver();
  const side = async (hangs: boolean) => {
    const world = await createWorld();
    const webHooks = { SweepIntervalMs: 250, TimeoutSeconds: 15, RetryScheduleSeconds: Array(20).fill(60) };
    const relay = await startRelay(world, { deliverToJobQueue, webHooks });
    const tenant = newTenant(world.owner);
    tenant.configure(
      'SubmissionCompleted',
      Array.from({ length: others }, (_, n) => endpointAt(`${receiver.url}/${n}`)),
    );
    await introduce(world, relay, tenant, others);
    if (hangs) await hang(world, relay, `${receiver.url}/hang`);
    await world.db.query('analyze');
    return { world, relay, tenant, latencies: [] as number[][] };
  };
  const sides = [await side(false), await side(true)];
  await eventually(() => receiver.held.size > 0, { timeoutMs: 60_000 });
  for (let round = -1; round < rounds; round += 1) {
    for (const { world, tenant, latencies } of round % 2 === 0 ? sides : [...sides].reverse()) {
      const expected = roundSeconds * perSecond;
      for (let n = 0; n < expected; n += 1) {
        const event = tenant.event();
        receiver.published.set(event.id, performance.now());
        void world.publish(event);
        await sleep(1000 / perSecond);
      }
      const all: number[] = [];
      await eventually(() => (all.push(...receiver.take()), all.length >= expected * others), {
        timeoutMs: 120_000,
      });
      if (round >= 0) latencies.push(all); // the first round warms up
    }
  }
  const waiting = await sides[1]!.world.db.query(
    `select from deliveries where next_attempt_at is not null and attempts = 0`,
  );
  for (const { world, relay } of sides) {
    await relay.stop();
    await world.close();
  }
  receiver.close();
  const [alone, beside] = sides.map(({ latencies }) => p99(latencies.flat()));
  return { alone: alone!, beside: beside!, waiting: waiting.length };
}

/** An endpoint that hangs, of a tenant of its own, and its queue. */
async function hang(world: World, relay: Awaited<ReturnType<typeof startRelay>>, url: string) {
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionCompleted', [endpointAt(url)]);
  await introduce(world, relay, tenant, 1);
  await publishMany(world, tenant, queued);
  await eventually(
    async () => {
      const [row] = await world.db.query<{ count: string }>(
        'select count(*) from deliveries where tenant_id = $1',
        [tenant.tenantId],
      );
      return Number(row!.count) === queued;
    },
    { timeoutMs: 300_000 },
  );
}

async function proveHanging(rounds: number, roundSeconds: number): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const deliverToJobQueue of [false, true]) {
    const { alone, beside, waiting } = await ratioOf(deliverToJobQueue, rounds, roundSeconds);
    const ratio = beside / alone;
    claims.push({
      what: `p99 of others beside an endpoint that hangs, DeliverToJobQueue ${deliverToJobQueue ? 'on' : 'off'}`,
      found: `${beside.toFixed(1)} ms, ${alone.toFixed(1)} ms without it: ${ratio.toFixed(2)} times; ${waiting} still wait`,
      wanted: `at most ${mostRatio} times`,
      holds: ratio <= mostRatio,
    });
  }
  return claims;
}

prove(() => proveHanging(Number(process.argv[2] ?? 6), Number(process.argv[3] ?? 10)));
