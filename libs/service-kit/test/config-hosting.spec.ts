import Joi from 'joi';
import { hostingSettings, loadConfig, type HostingSettings } from '../src';
import { faultsOf } from './config-harness';

const schema = Joi.object<{ Service: { Hosting: HostingSettings } }>({
  Service: Joi.object({ Hosting: hostingSettings(3001, 9001) }).required(),
});

const load = (env: NodeJS.ProcessEnv = {}) => loadConfig(schema, { argv: [], env }).Service;

describe('Service:Hosting', () => {
  test.each(['/health', '/Health', '/health/detail', '/HEALTH/ui'])(
    'LivenessPath %s would hide the health path',
    (value) => {
      const [fault] = faultsOf(() => load({ Service__Hosting__LivenessPath: value }));
      expect(fault).toMatch(
        /^Service:Hosting:LivenessPath answers under .* and so does Service:Hosting:HealthCheckPath\.$/,
      );
    },
  );

  test('two equal paths, and a path equal to a default', () => {
    expect(
      faultsOf(() => load({ Service__Hosting__LivenessPath: '/x', Service__Hosting__ReadinessPath: '/X' })),
    ).toEqual([
      'Service:Hosting:ReadinessPath answers under "/x", and so does Service:Hosting:LivenessPath.',
    ]);
    expect(faultsOf(() => load({ Service__Hosting__HealthCheckPath: '/ready' }))).toEqual([
      'Service:Hosting:HealthCheckPath answers under "/ready", and so does Service:Hosting:ReadinessPath.',
    ]);
  });

  test.each(['health', '/', '/a/', '//a', '/a//b', '/a/../b', '/a b', '/a?b', '/ä', '/:id', '/a%20'])(
    '%s is no path',
    (value) => {
      expect(faultsOf(() => load({ Service__Hosting__HealthCheckPath: value }))[0]).toMatch(
        /^Service:Hosting:HealthCheckPath must be a path/,
      );
    },
  );

  test.each(['/healthz', '/ops/v1.0/health_check', '/a~b/c-d'])('%s is a valid path', (value) => {
    expect(load({ Service__Hosting__HealthCheckPath: value }).Hosting.HealthCheckPath).toBe(value);
  });

  test('the two ports must differ, but both may be 0', () => {
    expect(faultsOf(() => load({ Service__Hosting__InternalPort: '3001' }))[0]).toContain(
      'InternalPort is the same port',
    );
    expect(faultsOf(() => load({ Service__Hosting__Port: '9001' }))[0]).toContain(
      'Hosting:Port is the same port',
    );
    expect(load({ Service__Hosting__Port: '0', Service__Hosting__InternalPort: '0' }).Hosting.Port).toBe(0);
  });

  test.each(['127.0.0.1', '::', '::1', 'localhost'])('Host %s', (host) => {
    expect(load({ Service__Hosting__Host: host })).toMatchObject({ Hosting: { Host: host } });
  });
});
