import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, prove, type Claim } from '@canvass/testing';
import { startHarness, endpointAt, newTenant } from '../harness';
import { introduce, publishMany, startRelay } from './relays';
import { worstWindow } from './windows';

const limit = 10;

/**
 * Two relay processes, a backlog for an endpoint with a limit, and beside it traffic for one that has none.
 */
async function proveRate(seconds: number): Promise<Claim[]> {
  const world = await startHarness();
  const limited = new Map<string, number[]>();
  const free = new Set<string>();
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (request.url === '/limited') limited.set(id, [...(limited.get(id) ?? []), performance.now()]);
    else free.add(id);
    request.resume().on('end', () => response.writeHead(204).end());
  });
  receiver.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const webHooks = { SweepIntervalMs: 250 };
  const relays = await Promise.all([startRelay(world, { webHooks }), startRelay(world, { webHooks })]);

  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(`${url}/limited`);
  tenant.configure('SubmissionCompleted', [endpoint, endpointAt(`${url}/free`)]);
  const calls = await introduce(world, relays[0]!, tenant, 2);
  await calls.patch(`/api/webhooks/endpoints/${endpoint.endpointId}`, 200, { maxPerSecond: limit });

  const ids = await publishMany(world, tenant, seconds * limit);
  await eventually(() => free.size === ids.length, { timeoutMs: 120_000 });
  const freeAfter = limited.size;
  await eventually(() => limited.size === ids.length, { timeoutMs: (seconds * 3 + 60) * 1_000 });
  await Promise.all(relays.map((relay) => relay.stop()));
  receiver.close();
  receiver.closeAllConnections();
  await world.close();

  const times = [...limited.values()].flat().sort((a, b) => a - b);
  const worst = worstWindow(times);
  const average = (times.length - 1) / ((times.at(-1)! - times[0]!) / 1000);
  const lost = ids.filter((id) => !limited.has(id)).length;
  return [
    {
      what: 'most receptions in any window of one second',
      found: String(worst),
      wanted: `at most ${limit + 1}`,
      holds: worst <= limit + 1,
    },
    {
      what: 'receptions per second on average while a backlog waits',
      found: average.toFixed(2),
      wanted: 'at least 9',
      holds: average >= 9,
    },
    { what: 'lost', found: `${lost} of ${ids.length}`, wanted: '0', holds: lost === 0 },
    {
      what: 'received twice',
      found: String(times.length - limited.size),
      wanted: '0',
      holds: times.length === limited.size,
    },
    {
      what: 'an endpoint without a limit had all of its deliveries',
      found: `when the limited one had ${freeAfter}`,
      wanted: `fewer than ${ids.length / 2}`,
      holds: freeAfter < ids.length / 2,
    },
  ];
}

prove(() => proveRate(Number(process.argv[2] ?? 30)));
