import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, prove, type Claim } from '@canvass/testing';
import { startHarness, endpointAt, newTenant, type Tenant, type Harness } from '../harness';
import { introduce, publishMany, startRelay, type RelayProcess } from './relays';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const queued = 10_000;
const perSecond = 50;
const mostRatio = 1.2;
const others = 5;

/**
 * Receives for a side: `/hang` is never answered, the rest at once, with the time from the event to its
 * arrival.
 */
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

const p99 = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;

interface Side {
  world: Harness;
  relay: RelayProcess;
  tenant: Tenant;
  receiver: Receiver;
  rounds: number[][];
}

/** A relay with a database, a broker and a receiver of its own, whose other endpoints are known to it. */
async function startSide(deliverToJobQueue: boolean, hangs: boolean): Promise<Side> {
  const world = await startHarness();
  const receiver = await startReceiver();
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
  return { world, relay, tenant, receiver, rounds: [] };
}

/**
 * Two sides of a mode: one has an endpoint that hangs with 10,000 deliveries queued, the other has not. Their
 * events are published in turns, so that whatever else the machine does falls on both.
 */
async function compare(deliverToJobQueue: boolean, rounds: number, roundSeconds: number) {
  const sides = [await startSide(deliverToJobQueue, false), await startSide(deliverToJobQueue, true)];
  await eventually(() => sides[1]!.receiver.held.size > 0, { timeoutMs: 60_000 });
  const events = roundSeconds * perSecond;
  for (let round = -1; round < rounds; round += 1) {
    for (let n = 0; n < events; n += 1) {
      for (const { world, tenant, receiver } of n % 2 === 0 ? sides : [...sides].reverse()) {
        const event = tenant.event();
        receiver.published.set(event.id, performance.now());
        void world.publish(event);
        await sleep(1000 / perSecond / sides.length);
      }
    }
    for (const { receiver, rounds: measured } of sides) {
      const all: number[] = [];
      await eventually(() => (all.push(...receiver.take()), all.length >= events * others), {
        timeoutMs: 120_000,
      });
      if (round >= 0) measured.push(all); // the first round warms up
    }
  }
  const count = async ({ world }: Side, rows: string) => {
    const [row] = await world.db.query<{ count: string }>(`select count(*) from ${rows}`);
    return Number(row!.count);
  };
  const waiting = await count(sides[1]!, 'waiting where attempts = 0');
  const failed = sides.map((side) =>
    count(
      side,
      `deliveries d cross join unnest(d.attempts) a (attempt)
       where d.tenant_id = ${side.tenant.tenantId} and a.attempt ->> 'outcome' <> 'success'`,
    ),
  );
  const found = {
    waiting,
    failed: await Promise.all(failed),
    p99: sides.map((side) => p99(side.rounds.flat())),
    ofRounds: Array.from({ length: rounds }, (_, n) => p99(sides[1]!.rounds[n]!) / p99(sides[0]!.rounds[n]!)),
  };
  for (const { world, relay, receiver } of sides) {
    await relay.stop();
    await world.close();
    receiver.close();
  }
  return found;
}

/** An endpoint that hangs, of a tenant of its own, and its queue. */
async function hang(world: Harness, relay: RelayProcess, url: string) {
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionCompleted', [endpointAt(url)]);
  await introduce(world, relay, tenant, 1);
  await publishMany(world, tenant, queued);
  await eventually(
    async () => {
      const [row] = await world.db.query<{ count: string }>(
        'select count(*) from delivery_log where tenant_id = $1',
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
    const { p99, ofRounds, waiting, failed } = await compare(deliverToJobQueue, rounds, roundSeconds);
    const [alone, beside] = p99 as [number, number];
    const ratio = beside / alone;
    claims.push({
      what: `p99 of others beside an endpoint that hangs, DeliverToJobQueue ${deliverToJobQueue ? 'on' : 'off'}`,
      found:
        `${beside.toFixed(1)} ms, ${alone.toFixed(1)} ms without it: ${ratio.toFixed(2)} times ` +
        `(rounds ${ofRounds.map((each) => each.toFixed(2)).join(', ')}); ${waiting} still wait, ` +
        `${failed.join(' and ')} attempts of others failed`,
      wanted: `at most ${mostRatio} times`,
      holds: ratio <= mostRatio,
    });
  }
  return claims;
}

prove(() => proveHanging(Number(process.argv[2] ?? 6), Number(process.argv[3] ?? 10)));
