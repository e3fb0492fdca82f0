import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError, type ReceivedWebhook } from '../src';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
const body = JSON.stringify({
  Id: '7',
  EventName: 'form_created',
  Action: 'created',
  Payload: { name: 'Ä' },
});

/** Signed by the reference library. */
function signed(at = new Date(), by = secret): ReceivedWebhook & { headers: Record<string, string> } {
  const headers = {
    'webhook-id': '7',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('7', at, body),
  };
  return { headers, body, secret };
}

const expectRejected = async (received: ReceivedWebhook, message: string) => {
  const verified = verifyWebhook(received);
  await expect(verified).rejects.toThrow(WebhookVerificationError);
  await expect(verified).rejects.toThrow(message);
};

it('returns the message of a valid request, from text, bytes, or Headers', async () => {
  const received = signed();
  expect(await verifyWebhook(received)).toEqual(JSON.parse(body));
  expect(await verifyWebhook({ ...received, body: Buffer.from(body) })).toEqual(JSON.parse(body));
  expect(await verifyWebhook({ ...received, headers: new Headers(received.headers) })).toEqual(
    JSON.parse(body),
  );
});

it('accepts one of two signatures, as during a rotation', async () => {
  const old = signed(undefined, `whsec_${Buffer.from('the secret before').toString('base64')}`);
  const both = `${old.headers['webhook-signature']} ${signed().headers['webhook-signature']}`;
  expect(
    await verifyWebhook({ ...signed(), headers: { ...signed().headers, 'webhook-signature': both } }),
  ).toEqual(JSON.parse(body));
});

it('rejects another body, id, secret, or version of the signature', async () => {
  const received = signed();
  const withHeader = (name: string, value: string) => ({
    ...received,
    headers: { ...received.headers, [name]: value },
  });
  await expectRejected({ ...received, body: `${body} ` }, 'No signature fits');
  await expectRejected(withHeader('webhook-id', '8'), 'No signature fits');
  await expectRejected({ ...received, secret: `whsec_${btoa('another')}` }, 'No signature fits');
  await expectRejected(
    withHeader('webhook-signature', received.headers['webhook-signature']!.replace('v1', 'v2')),
    'No',
  );
  await expectRejected(withHeader('webhook-signature', 'v1,?'), 'No signature fits');
});

it('rejects a time outside of the tolerance, and missing headers', async () => {
  await expectRejected(signed(new Date(Date.now() - 301_000)), 'outside of the tolerance');
  await expectRejected(signed(new Date(Date.now() + 301_000)), 'outside of the tolerance');
  const old = signed(new Date(Date.now() - 301_000));
  expect(await verifyWebhook({ ...old, toleranceSeconds: 600 })).toEqual(JSON.parse(body));
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const { [name]: _, ...headers } = signed().headers;
    await expectRejected({ ...signed(), headers }, `The header ${name} is missing.`);
  }
  await expectRejected(
    { ...signed(), headers: { ...signed().headers, 'webhook-timestamp': 'now' } },
    'outside',
  );
});
