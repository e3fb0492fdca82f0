import { createHmac } from 'node:crypto';
import { filterOf, searchOf } from '../src/signed-in/webhooks/filter';
import { phasesOf } from '../src/signed-in/webhooks/phases';
import { editedOf, jsonOf } from '../src/signed-in/webhooks/settings';
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
  const endpoint = (Url: string, Authentication: object = { Type: 'None' }) => ({ Url, Authentication });
  const stored = {
    Events: {
      SubmissionCompleted: {
        IsEnabled: false,
        WebHookEndpoints: [
          endpoint('https://a.example'),
          endpoint('https://b.example', { Type: 'ApiKey', ApiKeyHeader: 'x-key', ApiKey: '********' }),
        ],
      },
    },
  };

  it('are the same after they were edited without a change', () => {
    expect(JSON.parse(jsonOf(editedOf(JSON.stringify(stored))))).toEqual(stored);
  });

  it('have no event without an endpoint', () => {
    expect(jsonOf(editedOf(null))).toBe('{"Events":{}}');
    expect(editedOf('{}').FormDeleted).toEqual({ isEnabled: true, endpoints: [] });
  });
});
