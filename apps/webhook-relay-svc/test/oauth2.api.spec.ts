import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import type { ResolvedWebhookEndpoint } from '@canvass/contracts';
import {
  eventually,
  selfSigned,
  webhookSink,
  type ReceivedRequest,
  type WebhookSink,
} from '@canvass/testing';
import type { RunningService } from '@canvass/service-kit';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import { createSender } from '../src/pipeline';
import { api } from './api';
import { newId, newTenant, startHarness, type Harness, type Tenant } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
/** Tokens that were given, the newest last. */
let given: string[] = [];
let expiresIn: number | undefined;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay();
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
  given = [];
  expiresIn = 3_600;
  sink.respond((request) => answers[request.path]!(request));
});
afterEach(() => sink.close());

const client = { clientId: 'a client', clientSecret: 's3cret: of a/b' };

function grant(request: ReceivedRequest) {
  const basic = Buffer.from('a+client:s3cret%3A+of+a%2Fb').toString('base64');
  const isKnown = request.headers['authorization'] === `Basic ${basic}`;
  if (!isKnown || request.body.toString() !== 'grant_type=client_credentials&scope=events.write+x')
    return { status: 401, body: `{"error":"invalid_client","of":"${client.clientSecret}"}` };
  given.push(`token-${given.length}-${newId()}`);
  const answer = { access_token: given.at(-1), token_type: 'bearer', expires_in: expiresIn };
  return { status: 200, body: JSON.stringify(answer) };
}

/** Accepts the newest token and repeats its request. */
const receive = ({ headers }: ReceivedRequest) => ({
  status: headers['authorization'] === `Bearer ${given.at(-1)}` ? 200 : 401,
  body: JSON.stringify(headers),
});

function configured(change: object = {}): { tenant: Tenant; endpoint: ResolvedWebhookEndpoint } {
  const tenant = newTenant(world.owner);
  const authentication = {
    type: 'OAuth2',
    tokenUrl: `${sink.url}/token`,
    scope: 'events.write x',
    ...client,
    ...change,
  } as const;
  const endpoint = { endpointId: newId(), url: `${sink.url}/hook`, authentication };
  tenant.configure('SubmissionCompleted', [endpoint]);
  return { tenant, endpoint };
}

const at = (path: string) => sink.requests.filter((request) => request.path === path);
const hooks = () => at('/hook').map(({ headers }) => headers['authorization']);

const answers: Record<string, (request: ReceivedRequest) => { status: number; body?: string }> = {
  '/token': grant,
  '/hook': receive,
  '/empty': () => ({ status: 200, body: '{}' }),
};

async function logged(tenant: Tenant) {
  const own = api(world, relay.url, tenant);
  const { items } = (await own.get('/api/webhooks/deliveries')) as { items: { id: string }[] };
  return JSON.stringify(await Promise.all(items.map(({ id }) => own.get(`/api/webhooks/deliveries/${id}`))));
}

it('sends a token, asks for it once, and shows no part of it', async () => {
  const { tenant } = configured();
  await Promise.all([1, 2, 3].map(() => world.publish(tenant.event())));
  await eventually(() => expect(at('/hook')).toHaveLength(3));
  expect(hooks()).toEqual(Array(3).fill(`Bearer ${given[0]}`));
  expect(at('/token')).toHaveLength(1);
  const log = await eventually(async () => {
    const text = await logged(tenant);
    expect(text.match(/"outcome":"success"/g)).toHaveLength(3);
    return text;
  });
  expect(log).toContain('Authorization');
  for (const secret of [given[0]!, client.clientSecret]) expect(log).not.toContain(secret);
});

it('replaces a token after a 401, once', async () => {
  const { tenant } = configured();
  await world.publish(tenant.event());
  await eventually(() => expect(at('/hook')).toHaveLength(1));
  given.push('the receiver forgot the first one');
  await world.publish(tenant.event());
  await eventually(() => expect(at('/hook')).toHaveLength(3));
  expect(hooks()).toEqual([`Bearer ${given[0]}`, `Bearer ${given[0]}`, `Bearer ${given[2]}`]);

  sink.respond((request) => (request.path === '/token' ? grant(request) : { status: 401 }));
  await world.publish(tenant.event());
  await eventually(async () => expect(await logged(tenant)).toContain('"outcome":"http_4xx"'));
  expect(at('/token').length).toBeGreaterThanOrEqual(3);
});

it('renews a token that is about to end', async () => {
  expiresIn = 1;
  const { tenant } = configured();
  await world.publish(tenant.event());
  await eventually(() => expect(at('/hook')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 600));
  await world.publish(tenant.event());
  await eventually(() => expect(at('/hook')).toHaveLength(2));
  expect(at('/token')).toHaveLength(2);
});

it.each<[string, object, string]>([
  ['is refused', { clientSecret: 'wrong' }, 'the token URL: 401'],
  ['has no token in its answer', { tokenUrl: '/empty' }, 'the token URL answered without an access_token'],
  ['is not to be reached', { tokenUrl: 'http://127.0.0.1:1/' }, 'the token URL: connection_refused'],
  ['leads to an address inside', { tokenUrl: 'http://10.0.0.7/' }, 'the token URL: blocked_address'],
])('fails where the token URL %s, and is tried again', async (_what, change, error) => {
  const of = { ...change } as { tokenUrl?: string };
  if (of.tokenUrl?.startsWith('/')) of.tokenUrl = sink.url + of.tokenUrl;
  const { tenant, endpoint } = configured(of);
  await world.publish(tenant.event());
  await eventually(async () => {
    const text = await logged(tenant);
    expect(text).toContain('"outcome":"token_error"');
    expect(text).toContain(error);
  });
  expect(at('/hook')).toEqual([]);
  const own = api(world, relay.url, tenant);
  expect(await own.get(`/api/webhooks/endpoints/${endpoint.endpointId}`)).toMatchObject({
    failingSince: expect.any(String),
  });
});

it('has a client certificate, and never shares its connections', async () => {
  const connect = tls.connect;
  const spy = jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: selfSigned.cert })) as typeof tls.connect);
  const names: (string | undefined)[] = [];
  const receiver = createServer(
    { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { authorized } = request.socket as tls.TLSSocket;
      names.push(`${authorized} ${request.socket.remotePort}`);
      response.writeHead(authorized ? 200 : 403).end();
    },
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const sender = createSender({
    policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
    totalTimeoutMs: 5_000,
  });
  const never = new AbortController().signal;
  const post = (clientCertificate: { certificate: string; privateKey: string } | null) =>
    sender.send(
      {
        url: `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
        headers: {},
        body: Buffer.from('{}'),
        clientCertificate,
      },
      never,
    );
  const certificate = { certificate: selfSigned.cert, privateKey: selfSigned.key };
  expect((await post(certificate)).statusCode).toBe(200);
  expect((await post(null)).statusCode).toBe(403);
  expect((await post({ ...certificate })).statusCode).toBe(200);
  expect(names[0]).toBe(names[2]);
  expect(names[1]).not.toBe(names[0]);
  sender.close();
  receiver.close();
  spy.mockRestore();
});
