import { createDatabase, migrate, type Migration } from '@canvass/postgres';
import { silentLogger, startService, type RunningService, type ServiceParts } from '@canvass/service-kit';
import { listen, testDatabase, type Listening, type TestDatabase } from '@canvass/testing';
import type Joi from 'joi';
import path from 'node:path';
import { exportsOf } from '../routes/endpoint-tables';

const secret = 'a secret that only the gateways of this spec share';
const hosting = { Host: '127.0.0.1', Port: 0, InternalPort: 0, DrainSeconds: 0, ShutdownSeconds: 2 };
const nowhere = 'http://127.0.0.1:1';

type Create = (...all: unknown[]) => ServiceParts;
let database: TestDatabase;
let service: Listening;
let identity: RunningService;
let gateways: RunningService[] = [];

async function start(name: string, section: object, args: (settings: never, context: unknown) => unknown[]) {
  const { configSchema } = await exportsOf(name, 'config.ts');
  const { createApp } = await exportsOf(name, 'app.ts');
  const { value, error } = (configSchema as Joi.ObjectSchema<{ Service: never }>).validate({
    Service: { Hosting: hosting, Logging: {}, ...section },
  });
  if (error) throw error;
  const running = await startService({
    name,
    config: value.Service,
    logger: silentLogger,
    build: (context) => (createApp as Create)(...args(value.Service, context)),
  });
  await running.ready;
  return running;
}

const startGateway = (limits: object) =>
  start(
    'gateway',
    {
      Gateway: {
        Services: { Submissions: service.url, DataLists: service.url, WebHookRelay: nowhere },
        TrustedHops: 1,
        RateLimits: {
          WindowSeconds: 3600,
          // Slow is not away: a busy machine must not make a gateway count for itself.
          Ledger: { Url: identity.internalUrl, Secret: secret, TimeoutMs: 60_000 },
          ...limits,
        },
      },
    },
    ({ Gateway }: { Gateway: unknown }, context) => [Gateway, context],
  );

beforeAll(async () => {
  const { migrations } = (await import(path.resolve(__dirname, '../../apps/identity-svc/migrations'))) as {
    migrations: Migration[];
  };
  database = await testDatabase({
    template: `limits ${migrations.map(({ name }) => name).join(' ')}`,
    schema: 'identity',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  service = await listen((_request, response) => response.end('{}'));
  identity = await start(
    'identity-svc',
    {
      Database: { Url: database.url, PoolMax: 4 },
      Encryption: { Keys: [`k1:${Buffer.alloc(32, 1).toString('base64')}`] },
      RateLimits: { Secret: secret },
    },
    (settings: { Database: never }, context) => [
      { settings, db: createDatabase(settings.Database) },
      context,
    ],
  );
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  gateways = [];
});
afterAll(async () => {
  await identity.stop();
  await service.close();
  await database.drop();
});

const call = (gateway: RunningService, address: string, token?: string) =>
  fetch(`${gateway.url}/${token ? 'api/public/forms/1/data-lists/2/items' : 'api/forms'}`, {
    headers: { 'x-forwarded-for': address, ...(token ? { authorization: `Bearer ${token}` } : {}) },
  });

/** Of `count` requests spread over the gateways and side by side, how many were let through. */
async function admitted(count: number, address: () => string, token?: string): Promise<number> {
  const seen: number[] = [];
  const worker = async (n: number) => {
    for (let sent = n; sent < count; sent += 10) {
      const response = await call(gateways[sent % gateways.length]!, address(), token);
      await response.text();
      seen.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, n) => worker(n)));
  expect(new Set(seen.filter((status) => status !== 200 && status !== 429))).toEqual(new Set());
  return seen.filter((status) => status === 200).length;
}

it('two gateways together let no more through than the limit, and leave other clients alone', async () => {
  gateways = await Promise.all([startGateway({ PerAddress: 60 }), startGateway({ PerAddress: 60 })]);
  // Both gateways are asked until both refuse: nothing of the budget is left in either.
  expect(await admitted(200, () => '203.0.113.1')).toBe(60);
  const refused = await call(gateways[1]!, '203.0.113.1');
  expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
  expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
  const other = await call(gateways[1]!, '203.0.113.2');
  expect(['status', other.status, other.headers.get('ratelimit-remaining')]).toEqual(['status', 200, '59']);
});

it('so does a form token, from many addresses', async () => {
  gateways = await Promise.all([startGateway({ PerFormToken: 25 }), startGateway({ PerFormToken: 25 })]);
  let last = 0;
  expect(await admitted(80, () => `198.51.100.${(last += 1) % 200}`, 'a.form.token')).toBe(25);
});

it('a gateway that starts anew gets no new budget', async () => {
  gateways = [await startGateway({ PerAddress: 20 })];
  expect(await admitted(40, () => '203.0.113.3')).toBe(20);
  await gateways[0]!.stop();
  gateways = [await startGateway({ PerAddress: 20 })];
  expect(await admitted(5, () => '203.0.113.3')).toBe(0);
});

it('without identity-svc requests are served, each gateway keeping to its part', async () => {
  await identity.stop();
  const limits = { PerAddress: 20, Copies: 2 };
  gateways = await Promise.all([startGateway(limits), startGateway(limits)]);
  expect(await admitted(60, () => '203.0.113.4')).toBe(20);
});
