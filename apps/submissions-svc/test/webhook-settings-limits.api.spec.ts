import { startHarness, tenantOf, type Reply, type Tenant, type Harness } from './harness';
import { endpointsOf, none, resolved, settings } from './settings-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const maxEndpoints = 20;
const maxCharacters = 262_144;

const endpoints = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ Url: `https://receiver.example/${n}`, Authentication: none }));
const ofLength = (characters: number) => settings(...endpoints(1)).padEnd(characters, ' ');

type Save = (tenant: Tenant, webHookSettingsJson: string) => Promise<Reply>;
const form = { name: 'F', isEnabled: true };
const saves: [string, number, Save][] = [
  [
    'POST /api/forms',
    201,
    ({ admin }, text) => admin.post('/api/forms', { ...form, webHookSettingsJson: text }),
  ],
  ...(['put', 'patch'] as const).map((method): [string, number, Save] => [
    `${method.toUpperCase()} /api/forms/{id}`,
    200,
    async (tenant, text) =>
      tenant.admin[method](`/api/forms/${await tenant.form()}`, { ...form, webHookSettingsJson: text }),
  ]),
  [
    'PUT /api/tenant/webhook-settings',
    200,
    ({ admin }, text) => admin.put('/api/tenant/webhook-settings', { webHookSettingsJson: text }),
  ],
];

describe.each(saves)('webHookSettingsJson of %s', (_name, success, save) => {
  it('accepts 20 endpoints in one event, and 262,144 characters', async () => {
    const tenant = tenantOf(test);
    expect((await save(tenant, settings(...endpoints(maxEndpoints)))).status).toBe(success);
    expect((await save(tenant, ofLength(maxCharacters))).status).toBe(success);
  });

  it('with 21 endpoints in one event is a 400 that names them and the limit', async () => {
    const { status, body } = await save(tenantOf(test), settings(...endpoints(maxEndpoints + 1)));
    expect([status, body['errorCode'], body['errors']]).toEqual([
      400,
      'validation_failed',
      {
        'webHookSettingsJson.Events.SubmissionCompleted.WebHookEndpoints': [expect.stringMatching(/\b20\b/)],
      },
    ]);
  });

  it('of 262,145 characters is a 400 that names the field and the limit', async () => {
    const { status, body } = await save(tenantOf(test), ofLength(maxCharacters + 1));
    expect([status, body['errorCode'], body['errors']]).toEqual([
      400,
      'validation_failed',
      { webHookSettingsJson: ['must be at most 262144 characters'] },
    ]);
  });
});

it('all 20 endpoints of one event are given to the relay', async () => {
  const tenant = tenantOf(test);
  const id = await tenant.form({ webHookSettingsJson: settings(...endpoints(maxEndpoints)) });
  const given = endpointsOf(await resolved(test, tenant, ['form', id]));
  expect(given.map(({ url }) => url)).toEqual(endpoints(maxEndpoints).map(({ Url }) => Url));
});
