import { generateKeyPairSync } from 'node:crypto';
import { selfSigned } from '@canvass/testing';
import { startHarness, tenantOf, type Harness } from './harness';
import { endpointsOf, mask, none, resolved, settings } from './settings-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({
    submitter: { ProfileSnapshotFields: ['department'] },
    resolver: (host) =>
      host === 'inside.example' ? Promise.resolve(['10.0.0.7']) : Promise.resolve(['93.184.215.14']),
  });
});
afterAll(() => test.close());

const Url = 'https://public.example/hook';
const certificate = { Certificate: selfSigned.cert, PrivateKey: selfSigned.key };
const oauth2 = {
  Type: 'OAuth2',
  TokenUrl: 'https://public.example/token',
  ClientId: 'canvass',
  ClientSecret: 's3cret of the client',
  Scope: 'events.write',
};
const options = {
  Filter: ['status:approved|declined', 'answers.age>:18', 'submitterProfile.department:HR', 'formId!:1'],
  Headers: { 'X-Team': 's3cret of the team' },
  Payload: 'ids',
  Format: 'standard',
  ClientCertificate: certificate,
};
const secrets = [oauth2.ClientSecret, options.Headers['X-Team'], selfSigned.key];

async function saver() {
  const tenant = tenantOf(test);
  const id = await tenant.form();
  const save = (webHookSettingsJson: string) =>
    tenant.admin.patch(`/api/forms/${id}`, { webHookSettingsJson });
  return { tenant, save, resolve: () => resolved(test, tenant, ['form', id]) };
}

it('keeps the options of an endpoint, and shows no secret of them', async () => {
  const { tenant, save, resolve } = await saver();
  const { status, body } = await save(settings({ Url, Authentication: oauth2, ...options }));
  expect([status, body['errors']]).toEqual([200, undefined]);
  const shown = body['webHookSettingsJson'] as string;
  expect(JSON.parse(shown)).toEqual(
    JSON.parse(
      settings({
        Url,
        Authentication: { ...oauth2, ClientSecret: mask },
        ...options,
        Headers: { 'X-Team': mask },
        ClientCertificate: { ...certificate, PrivateKey: mask },
      }),
    ),
  );
  const asRelay = {
    endpointId: expect.any(String),
    url: Url,
    authentication: {
      type: 'OAuth2',
      tokenUrl: oauth2.TokenUrl,
      clientId: 'canvass',
      clientSecret: oauth2.ClientSecret,
      scope: 'events.write',
    },
    conditions: [
      { of: 'member', name: 'status', kind: 'text', operator: ':', values: ['approved', 'declined'] },
      { of: 'answer', name: 'age', kind: 'text', operator: '>:', values: ['18'] },
      { of: 'profile', name: 'department', kind: 'text', operator: ':', values: ['HR'] },
      { of: 'member', name: 'formId', kind: 'number', operator: '!:', values: ['1'] },
    ],
    headers: options.Headers,
    payload: 'ids',
    format: 'standard',
    clientCertificate: { certificate: selfSigned.cert, privateKey: selfSigned.key },
  };
  expect(endpointsOf(await resolve())).toEqual([asRelay]);

  // What was shown can be sent back, and changes nothing.
  const again = await save(shown);
  expect([again.status, again.body['webHookSettingsJson']]).toEqual([200, shown]);
  expect(endpointsOf(await resolve())).toEqual([asRelay]);
  for (const table of ['forms', 'webhook_settings_versions', 'audit']) {
    const rows = JSON.stringify(
      await test.db.query(`select to_json(t) from ${table} t where tenant_id = $1`, [tenant.id]),
    );
    for (const secret of secrets)
      expect([table, rows.includes(JSON.stringify(secret).slice(1, -1))]).toEqual([table, false]);
  }
});

it.each<[string, object, string, RegExp]>([
  ['a member that there is not', { Filter: ['colour:red'] }, 'Filter[0]', /names the field colour/],
  ['no filter', { Filter: ['status'] }, 'Filter[0]', /must be <field><operator><value>/],
  ['a status that there is not', { Filter: ['formId:1', 'status:gone'] }, 'Filter[1]', /must have one of/],
  [
    'a field of lists only',
    { Filter: ['answerCheck:failed'] },
    'Filter[0]',
    /which this event does not have/,
  ],
  [
    'a profile field that is not kept',
    { Filter: ['submitterProfile.salary:1'] },
    'Filter[0]',
    /not configured/,
  ],
  [
    'too many filters',
    { Filter: Array(11).fill('status:new') },
    'Filter',
    /at most 10|less than or equal to 10/,
  ],
  ['a header of ours', { Headers: { 'webhook-id': 'x' } }, 'Headers', /"webhook-id", which is a header/],
  ['no name of a header', { Headers: { 'a b': 'x' } }, 'Headers', /must be a header name/],
  ['a header twice', { Headers: { 'X-A': 'x', 'x-a': 'y' } }, 'Headers', /each name once/],
  ['a line in a header', { Headers: { 'X-A': 'x\r\nHost: y' } }, 'Headers.X-A', /printable ASCII/],
  ['another payload', { Payload: 'all' }, 'Payload', /must be one of/],
  ['another format', { Format: 'xml' }, 'Format', /must be one of/],
  [
    'an address inside',
    { Authentication: { ...oauth2, TokenUrl: 'https://inside.example/' } },
    'Authentication.TokenUrl',
    /may not reach/,
  ],
  [
    'no secret',
    { Authentication: { ...oauth2, ClientSecret: undefined } },
    'Authentication.ClientSecret',
    /required/,
  ],
  [
    'no certificate',
    { ClientCertificate: { ...certificate, Certificate: 'x' } },
    'ClientCertificate.Certificate',
    /must be a certificate in PEM/,
  ],
  [
    'the key of another certificate',
    { ClientCertificate: { ...certificate, PrivateKey: otherKey() } },
    'ClientCertificate',
    /private key of its certificate/,
  ],
  ['a mask of nothing', { Headers: { 'X-New': mask } }, 'Headers.X-New', /stands for the stored secret/],
])('refuses %s', async (_what, option, field, rule) => {
  const { save } = await saver();
  const { status, body } = await save(settings({ Url, Authentication: none, ...option }));
  const [[name, [fault] = []] = []] = Object.entries((body['errors'] ?? {}) as Record<string, string[]>);
  expect([status, name, fault]).toEqual([
    400,
    `webHookSettingsJson.Events.SubmissionCompleted.WebHookEndpoints[0].${field}`,
    expect.stringMatching(rule),
  ]);
});

function otherKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

it('filters events without a submission by their form only', async () => {
  const { save } = await saver();
  const withFilter = (event: string, filter: string) =>
    save(
      JSON.stringify({
        Events: { [event]: { IsEnabled: true, WebHookEndpoints: [{ Url, Filter: [filter] }] } },
      }),
    );
  const statuses = async (filter: string) => {
    const events = [
      'FormUpdated',
      'SubmissionDeleted',
      'SubmitterErased',
      'SubmissionCollectionStatusChanged',
    ];
    const found = [];
    for (const event of events) found.push((await withFilter(event, filter)).status);
    return found;
  };
  expect(await statuses('formId:7')).toEqual([200, 200, 400, 200]);
  expect(await statuses('answers.a:b')).toEqual([400, 400, 400, 200]);
});

it('has a client certificate for https only', async () => {
  const { save } = await saver();
  const { status, body } = await save(
    settings({ Url: 'http://public.example/', Authentication: none, ClientCertificate: certificate }),
  );
  expect([status, JSON.stringify(body['errors'])]).toEqual([400, expect.stringContaining('https')]);
});
