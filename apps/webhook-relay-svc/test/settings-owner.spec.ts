import { createSecretBox, createServiceTokens } from '@canvass/auth';
import { silentLogger } from '@canvass/service-kit';
import { createSettings, createSettingsOwner } from '../src/endpoints';
import { internalSecret } from './owner';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);

const settingsOf = () =>
  createSettings(
    world.db,
    createSettingsOwner({
      baseUrl: world.owner.url,
      timeoutMs: 30_000,
      serviceToken: () => createServiceTokens(internalSecret).sign('test'),
      logger: silentLogger,
    }),
    box,
  );

it('settings that their owner cannot give, of one tenant, do not affect other tenants', async () => {
  const settings = settingsOf();
  const [ill, well] = [newTenant(world.owner), newTenant(world.owner)];
  for (const { configure } of [ill, well])
    configure('SubmissionCompleted', [endpointAt('http://127.0.0.1:9/')]);
  world.owner.breakFor(ill.tenantId);
  expect(await settings.ensure(ill.tenantId, ill.ref)).toBe('away');
  expect(await settings.ensure(well.tenantId, well.ref)).toBe('known');
});

it('only a 404 of the owner that names the version means that it does not exist', async () => {
  const tenant = newTenant(world.owner);
  const ref = tenant.configure('SubmissionCompleted', [endpointAt('http://127.0.0.1:9/')]);
  const missing = { ...ref, version: '5' };
  expect(await settingsOf().ensure(tenant.tenantId, missing)).toBe('unknown');
  world.owner.setOwner(false);
  expect(await settingsOf().ensure(tenant.tenantId, missing)).toBe('away');
  expect(await settingsOf().ensure(tenant.tenantId, ref)).toBe('away');
  world.owner.setOwner(true);
  expect(await settingsOf().ensure(tenant.tenantId, ref)).toBe('known');
});
