import { createSecretBox, createServiceTokens } from '@canvass/auth';
import { silentLogger } from '@canvass/service-kit';
import { createSettings, createSettingsOwner } from '../src/endpoints';
import { internalSecret } from './owner';
import { createWorld, endpointAt, newTenant, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);

it('unavailable settings of one tenant do not delay the settings of other tenants', async () => {
  const owner = createSettingsOwner({
    baseUrl: world.owner.url,
    timeoutMs: 30_000,
    tokens: createServiceTokens(internalSecret),
    serviceName: 'test',
    logger: silentLogger,
  });
  const settings = createSettings(world.db, owner, box);
  const [ill, well] = [newTenant(world.owner), newTenant(world.owner)];
  for (const { configure } of [ill, well])
    configure('SubmissionCompleted', [endpointAt('http://127.0.0.1:9/')]);
  world.owner.breakFor(ill.tenantId);
  expect(await settings.ensure(ill.tenantId, ill.ref)).toBe('away');
  expect(await settings.ensure(well.tenantId, well.ref)).toBe('known');
});
