import { silentLogger, startService } from '@canvass/service-kit';
import { eventually } from '@canvass/testing';
import { service as relayService } from '../src/service';
import { startHarness, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

it('waits for its database, reports it, and can be stopped while it waits', async () => {
  const settings = world.settings({});
  settings.Database.Url = 'postgres://unknown@127.0.0.1:1/none';
  settings.Hosting.ShutdownSeconds = 8;
  const warnings: string[] = [];
  const service = await startService({
    service: relayService,
    config: settings,
    logger: { ...silentLogger, warn: (_details, message) => void warnings.push(String(message)) },
  });
  expect((await fetch(`${service.url}/alive`)).status).toBe(200);
  expect((await fetch(`${service.url}/ready`)).status).toBe(503);
  expect((await fetch(`${service.url}/api/webhooks/deliveries`)).status).toBe(503);
  await eventually(() => warnings.includes('waiting for the database'));
  expect(await service.stop()).toBe(true); // false: it waited until the deadline
});
