import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import {
  eventually,
  selfSigned,
  testProxy,
  type TestProxy,
  webhookSink,
  type WebhookSink,
} from '@canvass/testing';
import { createAddressPolicy, createProxy } from '@canvass/webhook-addresses';
import { createSender } from '../src/pipeline';
import { api } from './api';
import { newId, newTenant, startHarness, type Harness } from './harness';

let world: Harness;
let via: TestProxy;
let sink: WebhookSink;
beforeAll(async () => {
  via = await testProxy();
  world = await startHarness();
});
afterAll(async () => {
  await world.close();
  await via.stop();
});
beforeEach(async () => {
  via.asked.length = 0;
  sink = await webhookSink();
});
afterEach(() => sink.close());

it('tokens come through the proxy; while it is down, it is its fault and not that of the endpoint', async () => {
  sink.respond(({ path }) => ({ status: 200, body: path === '/token' ? '{"access_token":"t-1"}' : '' }));
  const relay = await world.relay({
    webHooks: { Proxy: { Url: via.url, NoProxy: [], Addresses: 'checked' } },
  });
  const tenant = newTenant(world.owner);
  const endpoint = {
    endpointId: newId(),
    url: `${sink.url}/hook`,
    authentication: {
      type: 'OAuth2',
      tokenUrl: `${sink.url}/token`,
      clientId: 'a client',
      clientSecret: 'a secret',
      scope: null,
    } as const,
  };
  tenant.configure('SubmissionCompleted', [endpoint]);
  await via.stop();
  await world.publish(tenant.event());
  const outcomes = () =>
    world.db.query<{ outcome: string }>(
      `select a ->> 'outcome' as outcome from deliveries d, unnest(d.attempts) a where d.tenant_id = $1`,
      [tenant.tenantId],
    );
  await eventually(async () => expect((await outcomes()).at(-1)).toEqual({ outcome: 'proxy_error' }));
  const own = api(world, relay.url, tenant);
  expect(await own.get(`/api/webhooks/endpoints/${endpoint.endpointId}`)).toMatchObject({
    state: 'enabled',
    failingSince: null,
  });
  await via.start();
  await eventually(async () => {
    await world.makeDue(tenant.tenantId);
    expect(sink.requests.map(({ path }) => path)).toEqual(['/token', '/hook']);
  });
  expect(sink.requests[1]!.headers['authorization']).toBe('Bearer t-1');
  expect(new Set(via.asked)).toEqual(new Set([new URL(sink.url).host]));
});

it('a client certificate is shown to the receiver behind the proxy', async () => {
  const connect = tls.connect;
  const spy = jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: selfSigned.cert })) as typeof tls.connect);
  const receiver = createServer(
    { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => response.writeHead((request.socket as tls.TLSSocket).authorized ? 200 : 403).end(),
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const sender = createSender({
    policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
    totalTimeoutMs: 5_000,
    proxy: createProxy({ Url: via.url, NoProxy: [] }),
  });
  const { port } = receiver.address() as AddressInfo;
  const request = { url: `https://127.0.0.1:${port}/`, headers: {}, body: Buffer.from('{}') };
  const never = new AbortController().signal;
  const clientCertificate = { certificate: selfSigned.cert, privateKey: selfSigned.key };
  expect((await sender.send({ ...request, clientCertificate }, never)).statusCode).toBe(200);
  expect((await sender.send(request, never)).statusCode).toBe(403);
  expect(via.asked).toEqual(Array(2).fill(`127.0.0.1:${port}`));
  sender.close();
  receiver.close();
  spy.mockRestore();
});
