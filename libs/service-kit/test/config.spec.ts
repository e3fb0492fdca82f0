import { describeConfig, loadConfig, maskSecrets } from '../src';
import { base, databaseUrl, faultsOf, file, load, schema } from './config-harness';

describe('sources', () => {
  test('missing keys have their defaults', () => {
    expect(load()).toEqual({
      Hosting: {
        Host: '0.0.0.0',
        Port: 3001,
        InternalPort: 9001,
        HealthCheckPath: '/health',
        LivenessPath: '/alive',
        ReadinessPath: '/ready',
        DrainSeconds: 1,
        PublicHealthDetails: true,
        MaxConnections: 16000,
        ShutdownSeconds: 20,
      },
      Logging: { Level: 'info' },
      Database: { Url: databaseUrl, PoolMax: 10 },
      Submitter: { Fields: [] },
      Auth: { Providers: [] },
      Outbox: { DeliverToJobQueue: false },
    });
  });

  test('the environment overrides a file of nested objects', () => {
    const config = file('config.json', {
      Service: { Hosting: { Port: 1, HealthCheckPath: '/h' }, Database: { PoolMax: 3 } },
    });
    const service = load({ Service__Hosting__Port: '2', CANVASS_CONFIG: config });
    expect(service.Hosting).toMatchObject({ Port: 2, HealthCheckPath: '/h' });
    expect(service.Database).toEqual({ Url: databaseUrl, PoolMax: 3 });
  });

  test.each([(name: string) => ['--config', name], (name: string) => [`--config=${name}`]])(
    '--config names the file and wins over CANVASS_CONFIG',
    (argv) => {
      const mine = file('mine.json', { Service: { Hosting: { Port: 7 } } });
      const other = file('other.json', { Service: { Hosting: { Port: 8 } } });
      expect(load({ CANVASS_CONFIG: other }, argv(mine)).Hosting.Port).toBe(7);
    },
  );

  test('config.json is read if it exists, and keys beside Service are ignored', () => {
    const defaultsFile = file('default.json', {
      $schema: 'x',
      Other: { a: 1 },
      Service: { Hosting: { Port: 9 } },
    });
    expect(loadConfig(schema, { argv: [], env: base, defaultsFile })).toEqual({
      Service: expect.objectContaining({ Hosting: expect.objectContaining({ Port: 9 }) as object }) as object,
      $schema: 'x',
      Other: { a: 1 },
    });
  });

  test('numbers and booleans of the environment are converted', () => {
    const service = load({ Service__Database__PoolMax: '25', Service__Outbox__DeliverToJobQueue: 'true' });
    expect([service.Database.PoolMax, service.Outbox.DeliverToJobQueue]).toEqual([25, true]);
  });

  test.each<[string, NodeJS.ProcessEnv]>([
    ['in parts', { Service__Submitter__Fields__0: 'email', Service__Submitter__Fields__1: 'name' }],
    ['as one JSON text', { Service__Submitter__Fields: '["email","name"]' }],
  ])('a list may be given %s', (_, env) => expect(load(env).Submitter.Fields).toEqual(['email', 'name']));

  test('a list of objects, in parts and as JSON text', () => {
    const inParts = load({
      Service__Auth__Providers__0__Name: 'keycloak',
      Service__Auth__Providers__0__Audience: 'api',
      Service__Auth__Providers__0__RoleMap__editor: 'Editor',
    });
    const expected = [{ Name: 'keycloak', Audience: 'api', RoleMap: { editor: 'Editor' } }];
    expect(inParts.Auth.Providers).toEqual(expected);
    expect(load({ Service__Auth__Providers: JSON.stringify(expected) }).Auth.Providers).toEqual(expected);
  });

  test('parts in the environment replace elements of a list in the file', () => {
    const config = file('list.json', { Service: { Submitter: { Fields: ['a', 'b'] } } });
    expect(load({ CANVASS_CONFIG: config, Service__Submitter__Fields__1: 'c' }).Submitter.Fields).toEqual([
      'a',
      'c',
    ]);
    expect(load({ CANVASS_CONFIG: config, Service__Submitter__Fields: '["x"]' }).Submitter.Fields).toEqual([
      'x',
    ]);
  });

  test('a secret may come from a file, without its final line break', () => {
    const secret = file('url', 'postgres://from:file@db/x\n');
    expect(
      load({ Service__Database__Url: undefined, Service__Database__Url_FILE: secret }).Database.Url,
    ).toBe('postgres://from:file@db/x');
    const config = file('secret.json', { Service: { Database: { Url_FILE: secret } } });
    expect(load({ Service__Database__Url: '', CANVASS_CONFIG: config }).Database.Url).toBe(
      'postgres://from:file@db/x',
    );
  });

  test('a secret in a list in the file may also come from a file', () => {
    const secret = file('audience', 'from-a-file\n');
    const config = file('list.json', {
      Service: { Auth: { Providers: [{ Name: 'A', Audience_FILE: secret }] } },
    });
    expect(load({ CANVASS_CONFIG: config }).Auth.Providers).toEqual([{ Name: 'A', Audience: 'from-a-file' }]);
  });

  test('other variables and empty ones are ignored', () => {
    expect(
      load({ SERVICE__X: '1', Servicex: '2', Service: '3', Service__Hosting__Port: '' }).Hosting.Port,
    ).toBe(3001);
  });

  test('an optional section may be absent; if one of its keys is given, it is validated', () => {
    expect(load()).not.toHaveProperty('Optional');
    expect(faultsOf(() => load({ Service__Optional__Other: 'x' }))).toEqual([
      'Service:Optional:Url is required.',
      'Service:Optional:Other is not a known key.',
    ]);
  });
});

describe('output of the configuration', () => {
  test('secrets are masked, also in lists and in URLs of other keys', () => {
    const masked = maskSecrets({ Service: { ...load(), Other: 'amqp://guest:hunter2@rabbit' } }, schema);
    expect(JSON.stringify(masked)).not.toContain('hunter2');
    expect(masked).toMatchObject({ Service: { Database: { Url: '********', PoolMax: 10 } } });
  });

  test('describeConfig lists every key with its variable, type, default and description', () => {
    const keys = describeConfig(schema);
    expect(keys.find(({ key }) => key === 'Service:Database:Url')).toEqual({
      key: 'Service:Database:Url',
      env: 'Service__Database__Url',
      type: 'string',
      default: null,
      required: true,
      within: null,
      secret: true,
      description: 'Connection string.',
      allowed: [],
      min: null,
      max: null,
    });
    expect(keys.find(({ key }) => key === 'Service:Logging:Level')?.allowed).toEqual([
      'debug',
      'info',
      'warn',
      'error',
    ]);
    expect(keys.map(({ key, type }) => `${key} ${type}`)).toEqual(
      expect.arrayContaining([
        'Service:Hosting:Port integer',
        'Service:Submitter:Fields list of string',
        'Service:Auth:Providers:[n]:Name string',
      ]),
    );
    expect(keys.find(({ key }) => key === 'Service:Optional:Url')?.within).toBe('Service:Optional');
    expect(keys.find(({ key }) => key === 'Service:Hosting:ShutdownSeconds')).toMatchObject({
      min: 1,
      max: 600,
    });
  });
});
