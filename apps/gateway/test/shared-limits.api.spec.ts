import { eventually, testRedis, type TestRedis } from '@canvass/testing';
import { startHarness, type Harness } from './harness';

/** Rate limits that two gateways share through a real Redis. */
let redis: TestRedis;
let gateways: Harness[] = [];
beforeAll(async () => {
  redis = await testRedis();
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  gateways = [];
});
afterAll(() => redis.stop());

const startGateway = (limits: Record<string, unknown>) =>
  startHarness({
    settings: {
      TrustedHops: 1,
      RateLimits: {
        WindowSeconds: 3600,
        PerAddress: 0,
        PerAccount: 0,
        PerFormToken: 0,
        // A busy machine must not look like a Redis that is away.
        Redis: { Url: redis.url, TimeoutMs: 20_000 },
        ...limits,
      },
    },
  });

const call = (gateway: Harness, address: string, token?: string) =>
  fetch(`${gateway.url}/${token ? 'api/public/forms/1/data-lists/2/items' : 'api/forms'}`, {
    headers: { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}) },
  });

/** Statuses of `count` concurrent requests that are spread over the gateways. */
const statuses = (count: number, address: () => string, token?: string): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const response = await call(gateways[n % gateways.length]!, address(), token);
      await response.text();
      return response.status;
    }),
  );

const admitted = (seen: readonly number[]) => {
  expect(seen.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return seen.filter((status) => status === 200).length;
};

/** The first request may meet a gateway that is still connecting. */
async function twoGateways(limits: Record<string, unknown>): Promise<void> {
  gateways = await Promise.all([startGateway(limits), startGateway(limits)]);
  await eventually(async () => {
    const address = `192.0.2.${Math.floor(Math.random() * 250) + 1}`;
    const seen = [];
    for (const gateway of gateways)
      seen.push((await call(gateway, address)).headers.get('ratelimit-remaining'));
    if (seen[0] !== null) expect(Number(seen[1])).toBe(Number(seen[0]) - 1);
  });
}

it('admits no more than the limit over two gateways, and leaves other clients alone', async () => {
  await twoGateways({ PerAddress: 60 });
  expect(admitted(await statuses(200, () => '203.0.113.1'))).toBe(60);
  const refused = await call(gateways[1]!, '203.0.113.1');
  expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
  expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
  expect((await call(gateways[1]!, '203.0.113.2')).headers.get('ratelimit-remaining')).toBe('59');
});

it('admits no more than the limit of a form token from many addresses', async () => {
  await twoGateways({ PerAddress: 1000, PerFormToken: 25 });
  let last = 0;
  expect(admitted(await statuses(80, () => `198.51.100.${(last += 1) % 200}`, 'a.form.token'))).toBe(25);
});

it('remembers a client when the gateway restarts', async () => {
  await twoGateways({ PerAddress: 20 });
  expect(admitted(await statuses(40, () => '203.0.113.3'))).toBe(20);
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await twoGateways({ PerAddress: 20 });
  expect(admitted(await statuses(5, () => '203.0.113.3'))).toBe(0);
});

it('counts per gateway while Redis is away, and together again when it is back', async () => {
  await twoGateways({ PerAddress: 20 });
  await redis.stop();
  expect(admitted(await statuses(100, () => '203.0.113.4'))).toBe(40);
  await redis.start();
  let last = 0;
  await eventually(async () => {
    const address = `203.0.113.${(last += 1) + 100}`;
    const first = await call(gateways[0]!, address);
    const second = await call(gateways[1]!, address);
    expect([first, second].map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['19', '18']);
  });
});
