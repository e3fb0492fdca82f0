import { startHarness, tenantOf, type Harness, type Reply, type Tenant } from './harness';
import { endpointsOf, key, mask, none, resolved, settings } from './settings-calls';

let test: Harness;
/** Called whenever a name is resolved. */
let onResolve: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  test = await startHarness({
    resolver: async (host) => (await onResolve(), addressesOf(host)),
    allowedNetworks: ['10.99.0.0/16'],
  });
});
afterAll(() => test.close());

const addressesOf = (host: string): Promise<string[]> =>
  host === 'inside.example'
    ? Promise.resolve(['93.184.215.14', '10.0.0.7'])
    : host === 'allowed.example'
      ? Promise.resolve(['10.99.0.1'])
      : host === 'public.example'
        ? Promise.resolve(['93.184.215.14'])
        : Promise.reject(new Error('no such host'));

const maskedField =
  'webHookSettingsJson.Events.SubmissionCompleted.WebHookEndpoints[0].Authentication.ApiKey';
const savedBy: [string, (tenant: Tenant) => Promise<(webHookSettingsJson: string) => Promise<Reply>>][] = [
  [
    'a form',
    async (tenant) => {
      const id = await tenant.form();
      return (webHookSettingsJson) => tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson });
    },
  ],
  [
    'the tenant',
    ({ admin }) =>
      Promise.resolve((webHookSettingsJson) =>
        admin.put('/api/tenant/webhook-settings', { webHookSettingsJson }),
      ),
  ],
];

describe.each(savedBy)('the mask of an API key of %s', (_name, saver) => {
  const at = (Url: string, ApiKeyHeader: string) =>
    settings({ Url, Authentication: key(mask, ApiKeyHeader) });

  it('stands for the key of the same URL and header name only', async () => {
    const save = await saver(tenantOf(test));
    const url = 'https://public.example/a?b=c';
    await save(settings({ Url: url, Authentication: key('s3cret', 'X-Key') }));
    for (const [elsewhere, header] of [
      ['https://public.example/attacker', 'X-Key'],
      ['https://public.example/a?b=attacker', 'X-Key'],
      ['https://public.example/a', 'X-Key'],
      ['http://public.example/a?b=c', 'X-Key'],
      ['https://evil.example/a?b=c', 'X-Key'],
      [url, 'X-Other'],
    ] as const) {
      const { status, body } = await save(at(elsewhere, header));
      expect([elsewhere, header, status, body['errors']]).toEqual([
        elsewhere,
        header,
        400,
        {
          [maskedField]: [
            'stands for the stored secret of the same URL and header, client or certificate only; send the secret',
          ],
        },
      ]);
    }
    expect((await save(at(url, 'x-key'))).status).toBe(200);
  });
});

describe('webHookSettingsJson of a form', () => {
  it('masks API keys on reads, stores them sealed, and keeps the stored key when the mask comes back', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form({
      webHookSettingsJson: settings({ Url: 'https://public.example/a', Authentication: key('s3cret-one') }),
    });
    const read = await tenant.admin.get<{ webHookSettingsJson: string }>(`/api/forms/${id}`);
    expect(read.body.webHookSettingsJson).toBe(
      settings({ Url: 'https://public.example/a', Authentication: key(mask) }),
    );
    const rows = await test.db.query(
      `select web_hook_settings_json as text from forms where id = $1
       union all select events::text from webhook_settings_versions where scope_id = $1
       union all select data::text from outbox where entity_id = $1`,
      [id],
    );
    expect(JSON.stringify(rows)).not.toContain('s3cret-one');

    const put = await tenant.admin.put(`/api/forms/${id}`, { name: 'F', isEnabled: true, ...read.body });
    expect(put.status).toBe(200);
    const [endpoint] = endpointsOf(await resolved(test, tenant, ['form', id]));
    expect(endpoint?.authentication).toEqual({ type: 'ApiKey', header: 'X-Api-Key', apiKey: 's3cret-one' });
  });

  it('refuses a mask that stands for no stored key', async () => {
    const { status, body } = await tenantOf(test).admin.post('/api/forms', {
      name: 'F',
      webHookSettingsJson: settings({ Url: 'https://public.example/a', Authentication: key(mask) }),
    });
    expect([status, body['errors']]).toEqual([400, { [maskedField]: [expect.stringMatching(/same URL/)] }]);
  });

  it('means no override when absent on POST and PUT, stays when absent on PATCH, is removed by null', async () => {
    const tenant = tenantOf(test);
    const id = await tenant.form();
    const json = async () => (await tenant.admin.get(`/api/forms/${id}`)).body['webHookSettingsJson'];
    expect(await json()).toBeNull();
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: '{}' });
    expect(await json()).toBe('{}');
    await tenant.admin.patch(`/api/forms/${id}`, { name: 'Other' });
    expect(await json()).toBe('{}');
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: null });
    expect(await json()).toBeNull();
    await tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson: '{}' });
    await tenant.admin.put(`/api/forms/${id}`, { name: 'Replaced', isEnabled: true });
    expect(await json()).toBeNull();
  });

  it.each([
    ['no JSON', '{', ''],
    ['no object', '[]', ''],
    ['null', 'null', ''],
    ['an unknown member', '{"Event":{}}', '.Event'],
    [
      'an unknown event',
      '{"Events":{"FormOpened":{"IsEnabled":true,"WebHookEndpoints":[]}}}',
      '.Events.FormOpened',
    ],
    ['a relative URL', settings({ Url: '/hook', Authentication: none }), '.Url'],
    ['another scheme', settings({ Url: 'ftp://public.example/', Authentication: none }), '.Url'],
    [
      'text that cannot be stored',
      settings({ Url: 'https://public.example/\0', Authentication: none }),
      '.Url',
    ],
    [
      'more errors than are listed',
      `{"Events":{"FormCreated":{"IsEnabled":true,"WebHookEndpoints":[${'0,'.repeat(129_000)}0]}}}`,
      'WebHookEndpoints[0]',
    ],
    ['user info', settings({ Url: 'https://a:b@public.example/', Authentication: none }), '.Url'],
    ['a loopback address', settings({ Url: 'http://127.0.0.1:9/', Authentication: none }), '.Url'],
    [
      'a mapped loopback address',
      settings({ Url: 'http://[::ffff:127.0.0.1]/', Authentication: none }),
      '.Url',
    ],
    ['the metadata address', settings({ Url: 'http://169.254.169.254/', Authentication: none }), '.Url'],
    ['a decimal address', settings({ Url: 'http://2130706433/', Authentication: none }), '.Url'],
    [
      'a name with one private address',
      settings({ Url: 'https://inside.example/', Authentication: none }),
      '.Url',
    ],
    [
      'a reserved header',
      settings({ Url: 'https://public.example/', Authentication: key('k', 'Webhook-Signature') }),
      '.ApiKeyHeader',
    ],
    [
      'a bad header name',
      settings({ Url: 'https://public.example/', Authentication: key('k', 'X Key') }),
      '.ApiKeyHeader',
    ],
    [
      'a header injection',
      settings({ Url: 'https://public.example/', Authentication: key('k\r\nHost: x') }),
      '.ApiKey',
    ],
    [
      'an ApiKey without key',
      settings({ Url: 'https://public.example/', Authentication: { Type: 'ApiKey' } }),
      '.ApiKey',
    ],
  ])('refuses %s and names the field', async (_name, webHookSettingsJson, path) => {
    const { admin } = tenantOf(test);
    const { status, body } = await admin.post('/api/forms', {
      name: 'F',
      isEnabled: true,
      webHookSettingsJson,
    });
    expect([status, body['errorCode']]).toEqual([400, 'validation_failed']);
    expect(
      Object.keys(body['errors'] as object).some(
        (name) => name.startsWith('webHookSettingsJson') && name.endsWith(path),
      ),
    ).toBe(true);
  });

  it('asks the network outside of transactions, also for a create with a key, whose repetition replays', async () => {
    const { admin } = tenantOf(test);
    const states: string[][] = [];
    onResolve = async () => {
      const open = await test.db.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
         and query = 'set local lock_timeout = default'`, // the last step before a keyed create
      );
      states.push(open.map(({ query }) => query));
    };
    const create = (Url: string, key: string) =>
      admin.post(
        '/api/forms',
        { name: 'F', isEnabled: true, webHookSettingsJson: settings({ Url, Authentication: none }) },
        { 'idempotency-key': key },
      );
    const made = await create('https://public.example/', 'made');
    const refused = await create('https://inside.example/', 'refused');
    onResolve = () => Promise.reject(new Error('DNS is away'));
    const again = await create('https://public.example/', 'made');
    onResolve = () => Promise.resolve();
    expect([made.status, refused.status, again.status]).toEqual([201, 400, 201]);
    expect(again.body['id']).toBe(made.body['id']);
    expect(states).toEqual([[], []]);
  });

  it('accepts null for optional members of the settings', async () => {
    const { admin } = tenantOf(test);
    const type = { Type: 'None', ApiKeyHeader: null, ApiKey: null };
    const events = {
      FormCreated: null,
      FormUpdated: { IsEnabled: true, WebHookEndpoints: null },
      SubmissionCompleted: {
        IsEnabled: true,
        WebHookEndpoints: [
          { Url: 'https://public.example/a', Authentication: type },
          { Url: 'https://public.example/b', Authentication: null },
        ],
      },
    };
    const save = (webHookSettingsJson: string) =>
      admin.post<{ webHookSettingsJson: string; errors: object }>('/api/forms', {
        name: 'F',
        isEnabled: true,
        webHookSettingsJson,
      });
    const { body } = await save(JSON.stringify({ Events: events }));
    expect(JSON.parse(body.webHookSettingsJson)).toMatchObject({
      Events: {
        SubmissionCompleted: { WebHookEndpoints: [{ Authentication: none }, { Authentication: none }] },
      },
    });
    const refused = await save(JSON.stringify({ Events: { FormUpdated: { IsEnabled: null } } }));
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { 'webHookSettingsJson.Events.FormUpdated.IsEnabled': ['is required and must not be null'] },
    ]);
  });

  it('accepts a name that does not resolve and an address in an allowed network', async () => {
    const { form } = tenantOf(test);
    const urls = ['https://not-yet.example/', 'http://allowed.example/', 'http://10.99.3.4:8080/hook'];
    const webHookSettingsJson = settings(...urls.map((Url) => ({ Url, Authentication: none })));
    await expect(form({ webHookSettingsJson })).resolves.toEqual(expect.any(String));
  });
});

describe('GET and PUT /api/tenant/webhook-settings', () => {
  it('is empty at first, then masked, with If-Match', async () => {
    const { admin } = tenantOf(test);
    const path = '/api/tenant/webhook-settings';
    const first = await admin.get(path);
    expect(first.body).toEqual({ webHookSettingsJson: null, revision: '0' });
    expect(first.headers.get('etag')).toBe('"0"');
    const body = {
      webHookSettingsJson: settings({ Url: 'https://public.example/', Authentication: key('abc') }),
    };
    const saved = await admin.put(path, body, { 'if-match': '"0"' });
    expect((await admin.put(path, body, { 'if-match': '"0"' })).status).toBe(412);
    expect(saved.body['webHookSettingsJson']).toContain(mask);
    expect((await admin.get(path)).headers.get('etag')).toBe('"1"');
    expect((await admin.put(path, { webHookSettingsJson: '{}' }, { 'if-match': '"4"' })).status).toBe(412);
    expect((await admin.put(path, saved.body, { 'if-match': '"1"' })).body['revision']).toBe('1');
    expect((await admin.put(path, {})).status).toBe(400);
  });

  it('needs WebHooks.View to read and Tenant.Manage to change', async () => {
    const tenant = tenantOf(test);
    const path = '/api/tenant/webhook-settings';
    expect((await tenant.as('Viewer').get(path)).status).toBe(403);
    expect((await tenant.as('Editor').get(path)).status).toBe(200);
    expect((await tenant.as('Editor').put(path, { webHookSettingsJson: '{}' })).status).toBe(403);
  });

  it('serves one version under many concurrent changes of a tenant without any', async () => {
    const tenant = tenantOf(test);
    const puts = Array.from({ length: 10 }, (_, n) =>
      tenant.admin.put('/api/tenant/webhook-settings', {
        webHookSettingsJson: settings({ Url: `https://public.example/${n}`, Authentication: none }),
      }),
    );
    expect((await Promise.all(puts)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    const versions = (await test.events({ tenantId: tenant.id })).map(
      ({ data }) => data['version'] as string,
    );
    expect(new Set(versions).size).toBe(10);
    expect((await resolved(test, tenant, ['tenant', tenant.id])).version).toBe(versions.at(-1));
  });
});
