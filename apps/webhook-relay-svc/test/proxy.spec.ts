import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import {
  rawTcpServer,
  selfSigned,
  testProxy,
  type TestProxy,
  webhookSink,
  type WebhookSink,
} from '@canvass/testing';
import {
  createAddressPolicy,
  createProxy,
  type Resolver,
  type TargetSettings,
} from '@canvass/webhook-addresses';
import { createSender } from '../src/pipeline';

const never = new AbortController().signal;
const body = Buffer.from('{"Id":"1"}');
const toLoopback: Resolver = () => Promise.resolve(['127.0.0.1']);

let closing: (() => unknown)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function sink(): Promise<WebhookSink> {
  const made = await webhookSink();
  closing.push(() => made.close());
  return made;
}

async function proxy(scheme?: 'http' | 'https'): Promise<TestProxy> {
  const made = await testProxy(scheme);
  closing.push(() => made.stop());
  return made;
}

/** A proxy that says what it likes. */
async function talker(talk: (socket: Socket) => void): Promise<string> {
  const made = await rawTcpServer((socket) => socket.once('data', () => talk(socket)));
  closing.push(() => made.close());
  return made.url;
}

type Rules = Partial<TargetSettings['Proxy']> & { timeoutMs?: number; resolver?: Resolver };

/** Sends through the proxy at the URL, under rules that permit loopback. */
function senderThrough(
  url: string,
  { NoProxy = [], Addresses = 'checked', timeoutMs = 20_000, resolver = toLoopback }: Rules = {},
) {
  const policy = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'], Proxy: { NoProxy, Addresses } });
  const through = createProxy({ Url: url, NoProxy });
  const sender = createSender({ policy, totalTimeoutMs: timeoutMs, resolver, proxy: through });
  closing.push(() => sender.close());
  return (to: string) => sender.send({ url: to, headers: { 'X-A': 'b' }, body }, never);
}

/** Makes this process trust the certificate, as NODE_EXTRA_CA_CERTS does. */
function trustSelfSigned(): void {
  const connect = tls.connect;
  jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: selfSigned.cert })) as typeof tls.connect);
}

/** An https receiver with that certificate; notes the names that it is asked for. */
async function secureSink(): Promise<{ port: number; names: string[]; requests: () => number }> {
  const names: string[] = [];
  let requests = 0;
  const server = createHttpsServer(
    { ...selfSigned, SNICallback: (name, answer) => (names.push(name), answer(null)) },
    (_request, response) => response.end(String((requests += 1))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, names, requests: () => requests };
}

describe('through the proxy', () => {
  it.each(['http', 'https'] as const)(
    'of an %s URL, with credentials, goes a webhook by http',
    async (scheme) => {
      trustSelfSigned();
      const [via, receiver] = [await proxy(scheme), await sink()];
      const post = senderThrough(via.url);
      const url = receiver.url.replace('127.0.0.1', 'hooks.example');
      expect(await post(url)).toMatchObject({
        outcome: 'success',
        remoteAddress: '127.0.0.1',
        dnsMs: expect.any(Number),
        connectMs: expect.any(Number),
        tlsMs: null,
      });
      expect(receiver.requests[0]).toMatchObject({ body, headers: { host: new URL(url).host, 'x-a': 'b' } });
      expect(receiver.requests[0]!.headers).not.toHaveProperty('proxy-authorization');
      expect(await post(url)).toMatchObject({ outcome: 'success', connectMs: null });
      // The address that was checked, not the name: the proxy could resolve it to another one.
      expect(via.asked).toEqual([new URL(receiver.url).host]);
    },
  );

  it('goes a webhook by https to a receiver of a private authority', async () => {
    trustSelfSigned();
    const [via, receiver] = [await proxy(), await secureSink()];
    expect(await senderThrough(via.url)(`https://127.0.0.1:${receiver.port}/`)).toMatchObject({
      outcome: 'success',
      tlsMs: expect.any(Number),
    });
    expect(via.asked).toEqual([`127.0.0.1:${receiver.port}`]);
  });

  it.each(['checked', 'delegated'] as const)('TLS checks the name of the receiver: %s', async (Addresses) => {
    trustSelfSigned();
    const [via, receiver] = [await proxy(), await secureSink()];
    const result = await senderThrough(via.url, { Addresses })(`https://hooks.example:${receiver.port}/`);
    expect(result).toMatchObject({ outcome: 'tls_error', error: expect.stringContaining('hooks.example') });
    expect([receiver.names, receiver.requests()]).toEqual([['hooks.example'], 0]);
  });

  it('the hosts of NoProxy do not go', async () => {
    const [via, receiver] = [await proxy(), await sink()];
    const { port } = new URL(receiver.url);
    const NoProxy = ['127.0.0.0/8', '.inner.example', 'hooks.example'];
    const post = senderThrough(via.url, { NoProxy });
    for (const host of ['127.0.0.1', 'a.inner.example', 'hooks.example', 'HOOKS.example.'])
      expect(await post(`http://${host}:${port}/`)).toMatchObject({ outcome: 'success' });
    expect(via.asked).toEqual([]);
    for (const host of ['inner.example', 'my-hooks.example'])
      expect(await post(`http://${host}:${port}/`)).toMatchObject({ outcome: 'success' });
    expect(via.asked).toHaveLength(2);
  });
});

describe('address rules', () => {
  it('checked: hold before the proxy is asked', async () => {
    const via = await proxy();
    const post = senderThrough(via.url, { resolver: () => Promise.resolve(['127.0.0.1', '10.0.0.7']) });
    for (const url of ['http://hooks.example/', 'http://169.254.169.254/'])
      expect(await post(url)).toMatchObject({ outcome: 'blocked_address' });
    expect(via.asked).toEqual([]);
  });

  it('delegated: names go to the proxy unresolved, forbidden addresses do not', async () => {
    const [via, receiver] = [await proxy(), await sink()];
    const resolver = jest.fn<Promise<string[]>, [string]>(() => Promise.reject(new Error('ENOTFOUND')));
    const post = senderThrough(via.url, { Addresses: 'delegated', resolver });
    const url = receiver.url.replace('127.0.0.1', 'only-the-proxy-knows.example');
    expect(await post(url)).toMatchObject({ outcome: 'success', dnsMs: null, remoteAddress: null });
    expect(resolver).not.toHaveBeenCalled();
    for (const refused of ['http://10.0.0.7/', 'http://[::ffff:10.0.0.7]/', 'http://169.254.169.254/'])
      expect(await post(refused)).toMatchObject({ outcome: 'blocked_address' });
    expect(via.asked).toEqual([new URL(url).host]);
  });
});

describe('an answer of the proxy', () => {
  it.each([
    [400, 'proxy_error'],
    [403, 'blocked_address'],
    [407, 'proxy_error'],
    [500, 'connection_failed'],
    [598, 'proxy_error'],
    [502, 'connection_failed'],
    [503, 'connection_failed'],
    [504, 'connection_failed'],
  ])('%i is %s', async (status, outcome) => {
    const url = await talker((socket) => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`));
    expect(await senderThrough(url)('http://hooks.example/')).toMatchObject({
      outcome,
      statusCode: null,
      error: expect.stringContaining(String(status)),
    });
  });

  it.each(['SSH-2.0-OpenSSH_9.2\r\n', '', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(5_000)}`])(
    'that is not HTTP is a fault of the proxy (%#)',
    async (text) => {
      const url = await talker((socket) => socket.end(text));
      expect(await senderThrough(url)('http://hooks.example/')).toMatchObject({ outcome: 'proxy_error' });
    },
  );

  it('that it could not connect leads to the next address of the name', async () => {
    const asked: string[] = [];
    const made = await rawTcpServer((socket) =>
      socket.on('data', (data: Buffer) => {
        const [, target] = /^CONNECT (\S+)/.exec(data.toString()) ?? [];
        if (target) asked.push(target);
        if (target === '[2001:db8::1]:80') socket.end('HTTP/1.1 503 No\r\n\r\n');
        else socket.write(`HTTP/1.1 200 OK\r\n${target ? '' : 'Content-Length: 0\r\n'}\r\n`);
      }),
    );
    closing.push(() => made.close());
    const policy = createAddressPolicy({ AllowedNetworks: ['2001:db8::/32', '127.0.0.0/8'] });
    const sender = createSender({
      policy,
      totalTimeoutMs: 20_000,
      resolver: () => Promise.resolve(['2001:db8::1', '127.0.0.1']),
      proxy: createProxy({ Url: made.url, NoProxy: [] }),
    });
    closing.push(() => sender.close());
    const result = await sender.send({ url: 'http://hooks.example/', headers: {}, body }, never);
    expect(result).toMatchObject({ outcome: 'success', remoteAddress: '127.0.0.1' });
    expect(asked).toEqual(['[2001:db8::1]:80', '127.0.0.1:80']);
  });

  it('without credentials is 407, and no part of the secret is shown', async () => {
    const [via, receiver] = [await proxy(), await sink()];
    const result = await senderThrough(via.url.replace('p%40ss', 'wrong-secret'))(receiver.url);
    expect(result).toMatchObject({ outcome: 'proxy_error', error: 'the proxy answered 407' });
    expect(receiver.requests).toEqual([]);
  });
});

describe('a proxy that', () => {
  it('does not listen is a fault of its own, and its address is not shown', async () => {
    const via = await proxy();
    await via.stop();
    const result = await senderThrough(via.url)('http://hooks.example/');
    expect(result).toMatchObject({
      outcome: 'proxy_error',
      error: 'no connection to the proxy (ECONNREFUSED)',
    });
    await via.start();
  });

  it('has an untrusted certificate gets nothing', async () => {
    const [via, receiver] = [await proxy('https'), await sink()];
    const result = await senderThrough(via.url)(receiver.url);
    expect(result).toMatchObject({ outcome: 'proxy_error' });
    expect([via.asked, receiver.requests]).toEqual([[], []]);
  });

  it('is silent ends the attempt at the deadline; it is to blame, unless it answers others', async () => {
    let connects = 0;
    const url = await talker((socket) => {
      // The first CONNECT gets no answer, the others do.
      if ((connects += 1) > 1) socket.end('HTTP/1.1 503 No\r\n\r\n');
    });
    const post = senderThrough(url, { timeoutMs: 500 });
    const silent = await post('http://silent.example/');
    expect(silent).toMatchObject({ outcome: 'proxy_error', error: 'the proxy did not answer in time' });
    connects = 0;
    const first = post('http://silent.example/');
    while (connects === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await post('http://other.example/')).toMatchObject({ outcome: 'connection_failed' });
    expect(await first).toMatchObject({ outcome: 'timeout' });
  });

  it.each(['cut', 'stop'] as const)('ends in the middle (%s) gets the request again', async (how) => {
    const [via, receiver] = [await proxy(), await sink()];
    let isFirst = true;
    receiver.respond(async () => {
      if (!isFirst) return { status: 200 };
      isFirst = false;
      if (how === 'cut') via.cut();
      else await via.stop();
      return 'hang';
    });
    expect(await senderThrough(via.url)(receiver.url)).toMatchObject(
      how === 'cut' ? { outcome: 'success' } : { outcome: 'proxy_error' },
    );
    if (how === 'stop') await via.start();
  });
});

it('a receiver that resets twice through the proxy is to blame', async () => {
  const [via, receiver] = [await proxy(), await sink()];
  receiver.respond(() => 'reset');
  expect(await senderThrough(via.url)(receiver.url)).toMatchObject({ outcome: 'connection_reset' });
  expect(receiver.requests).toHaveLength(2);
});
