import { createHmac } from 'node:crypto';
import { Fault } from '../src/api';
import { searchOf } from '../src/signed-in/deliveries-path';
import { filterOf } from '../src/signed-in/webhooks/filter';
import { phasesOf } from '../src/signed-in/webhooks/phases';
import { editedOf, jsonOf, storedOf, withEvent, withNewEndpoint } from '../src/signed-in/webhooks/settings';
import { faultInEditor, refusedKeys } from '../src/signed-in/webhooks/settings-faults';
import { isSignedBy } from '../src/signed-in/webhooks/signature';

describe('the phases of an attempt', () => {
  it('add up to its time', () => {
    const phases = phasesOf({ dns: 4, connect: 11, tls: 23, firstByte: 80, total: 82 });
    expect(phases).toEqual([
      ['dns', 4],
      ['connect', 11],
      ['tls', 23],
      ['firstByte', 42],
      ['rest', 2],
    ]);
  });

  it('leave out what did not happen, and are never negative', () => {
    expect(phasesOf({ dns: null, connect: null, tls: null, firstByte: 30, total: 31 })).toEqual([
      ['firstByte', 30],
      ['rest', 1],
    ]);
    // Rounded numbers, and an attempt that ended while it connected.
    const ended = phasesOf({ dns: 5.1, connect: null, tls: null, firstByte: null, total: 5 });
    expect(ended).toEqual([
      ['dns', 5],
      ['rest', 0],
    ]);
  });
});

describe('the signature', () => {
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const body = '{"EventName":"FormCreated","Name":"Ä"}';
  const signed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`7.1790000000.${body}`)
    .digest('base64');
  const headers = {
    'webhook-id': '7',
    'Webhook-Timestamp': '1790000000',
    'webhook-signature': `v1,AAAA v1,${signed}`,
  };

  it('fits with the secret that made it only', async () => {
    expect(await isSignedBy(secret, headers, body)).toBe(true);
    expect(await isSignedBy(secret, headers, `${body} `)).toBe(false);
    expect(await isSignedBy('whsec_AAAA', headers, body)).toBe(false);
    expect(await isSignedBy('no secret', headers, body)).toBe(false);
    expect(await isSignedBy(secret, {}, body)).toBe(false);
  });
});

describe('the filter of deliveries', () => {
  it('is the same in the URL and in the API', () => {
    const search = new URLSearchParams(
      'endpointId=7&status=failed,dead&isTest=false&minAttempts=2&text=crm-4711&unknown=1',
    );
    const filter = filterOf((name) => search.get(name) ?? '');
    expect(filter).toEqual({
      endpointId: '7',
      status: ['failed', 'dead'],
      isTest: false,
      minAttempts: 2,
      text: 'crm-4711',
    });
    const again = new URLSearchParams(searchOf(filter));
    expect(filterOf((name) => again.get(name) ?? '')).toEqual(filter);
    expect(searchOf({ from: null, to: undefined, text: '' })).toBe('');
  });
});

describe('webhook settings', () => {
  const endpoint = (Url: string, Authentication: object = { Type: 'None' }, rest: object = {}) => ({
    Url,
    Authentication,
    ...rest,
  });
  const all = endpoint(
    'https://all.example',
    { Type: 'OAuth2', TokenUrl: 'https://t.example', ClientId: 'c', ClientSecret: '********', Scope: 's' },
    {
      Filter: ['status:approved', 'formId:7'],
      Headers: { 'X-Region': '********' },
      Payload: 'full',
      Format: 'standard',
      ClientCertificate: { Certificate: 'PEM', PrivateKey: '********' },
    },
  );
  const stored = {
    Events: {
      SubmissionCompleted: {
        IsEnabled: false,
        WebHookEndpoints: [
          endpoint('https://a.example'),
          endpoint('https://b.example', { Type: 'ApiKey', ApiKeyHeader: 'x-key', ApiKey: '********' }),
          all,
        ],
      },
      FormCreated: {
        IsEnabled: true,
        WebHookEndpoints: [all, all, endpoint('https://all.example')],
      },
    },
  };
  const edited = editedOf(JSON.stringify(stored));

  it('are the same after they were edited without a change', () => {
    expect(JSON.parse(jsonOf(edited))).toEqual(stored);
  });

  it('have an endpoint once if its members are equal in its events', () => {
    expect(edited.endpoints.map(({ endpoint: { Url }, events }) => [Url, events])).toEqual([
      ['https://a.example', ['SubmissionCompleted']],
      ['https://b.example', ['SubmissionCompleted']],
      ['https://all.example', ['SubmissionCompleted', 'FormCreated']],
      ['https://all.example', ['FormCreated']],
      ['https://all.example', ['FormCreated']],
    ]);
  });

  it('have no event without an endpoint', () => {
    expect(jsonOf(editedOf(null))).toBe('{"Events":{}}');
    expect(editedOf('{}')).toEqual({ isOff: [], endpoints: [] });
  });

  it('leave out what has no value, and secrets of another authentication', () => {
    const { settings } = withNewEndpoint(edited);
    const last = settings.endpoints.at(-1)!;
    expect(
      storedOf({
        ...last,
        endpoint: {
          Url: 'https://a.example',
          Authentication: { Type: 'None', ApiKey: 'left' },
          Filter: [' '],
          ClientCertificate: { Certificate: '', PrivateKey: '' },
        },
        headers: [['', '']],
      }),
    ).toEqual(endpoint('https://a.example'));
  });

  it('take one event of others', () => {
    const others = editedOf(JSON.stringify({ Events: { FormDeleted: stored.Events.FormCreated } }));
    const taken = JSON.parse(jsonOf(withEvent(edited, others, 'FormDeleted'))) as typeof stored;
    expect(taken.Events).toEqual({ ...stored.Events, FormDeleted: stored.Events.FormCreated });
    const without = JSON.parse(jsonOf(withEvent(edited, editedOf(null), 'FormCreated'))) as typeof stored;
    expect(without.Events).toEqual({ SubmissionCompleted: stored.Events.SubmissionCompleted });
  });

  it('show the faults of the API at the fields of the endpoint, once', () => {
    const violation = (event: string, index: number, member: string, message: string) => ({
      path: `webHookSettingsJson.Events.${event}.WebHookEndpoints[${index}].${member}`,
      rule: 'custom',
      params: {},
      message,
    });
    const fault = new Fault(400, 'validation_failed', 'bad', null, null, [
      violation('SubmissionCompleted', 2, 'Url', 'is private'),
      violation('FormCreated', 0, 'Url', 'is private'),
      violation('FormCreated', 0, 'Filter[1]', 'has formId only'),
      violation('FormCreated', 2, 'Url', 'is private'),
    ]);
    const { violations } = faultInEditor(fault, edited, { FormCreated: 'Form created' });
    expect(violations.map(({ path, message }) => [path, message])).toEqual([
      ['endpoints[2].Url', 'is private'],
      ['endpoints[2].Filter[1]', 'Form created: has formId only'],
      ['endpoints[4].Url', 'is private'],
    ]);
    expect(new Set(refusedKeys(fault, edited))).toEqual(new Set([2, 4]));
  });
});
