import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { selfSigned, rawTcpServer as startTalker, webhookSink, type WebhookSink } from '@canvass/testing';
import { createAddressPolicy, type Resolver, type TargetSettings } from '@canvass/webhook-addresses';
import { createSender, type Sender } from '../src/pipeline';

const never = new AbortController().signal;
const loopback = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] });
const body = Buffer.from('{"Id":"1"}');

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

function senderWith(options: Partial<Parameters<typeof createSender>[0]> = {}): Sender {
  const sender = createSender({ policy: loopback, totalTimeoutMs: 20_000, ...options });
  closing.push(() => sender.close());
  return sender;
}

async function sink(): Promise<WebhookSink> {
  const made = await webhookSink();
  closing.push(() => made.close());
  return made;
}

/** A TCP server that talks as it likes; gives its URL. */
async function rawTcpServer(talk: (socket: Socket) => void): Promise<string> {
  const made = await startTalker(talk);
  closing.push(() => made.close());
  return made.url;
}

const post = (sender: Sender, url: string) => sender.send({ url, headers: { 'X-A': 'b' }, body }, never);

describe('a response', () => {
  it.each([
    [200, 'success'],
    [204, 'success'],
    [304, 'http_3xx'],
    [404, 'http_4xx'],
    [503, 'http_5xx'],
  ])('%i is %s', async (status, outcome) => {
    const receiver = await sink();
    receiver.respond(() => ({ status, headers: { 'retry-after': '7' } }));
    expect(await post(senderWith(), receiver.url)).toMatchObject({
      outcome,
      statusCode: status,
      error: null,
      retryAfterMs: 7_000,
      remoteAddress: '127.0.0.1',
      connectMs: expect.any(Number),
      dnsMs: null,
      tlsMs: null,
      firstByteMs: expect.any(Number),
    });
    expect(receiver.requests[0]!.body).toEqual(body);
  });

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const [receiver, elsewhere] = [await sink(), await sink()];
    receiver.respond(() => ({ status, headers: { location: elsewhere.url } }));
    expect(await post(senderWith(), receiver.url)).toMatchObject({ outcome: 'http_3xx', statusCode: status });
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('is cut at 16 KiB without waiting for the rest', async () => {
    let written = 0;
    const url = await rawTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'a'))) written += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const result = await post(senderWith({ totalTimeoutMs: 10_000 }), url);
    expect(result).toMatchObject({ outcome: 'success', statusCode: 200, responseTruncated: true });
    expect(result.responseBody).toHaveLength(16_384);
    expect(written).toBeLessThan(50_000_000);
  });

  it('is not decompressed', async () => {
    const receiver = await sink();
    const packed = gzipSync(Buffer.alloc(1_000_000));
    receiver.respond(() => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: packed }));
    const result = await post(senderWith(), receiver.url);
    expect(result.responseBody).toEqual(packed);
    expect(receiver.requests[0]!.headers['accept-encoding']).toBeUndefined();
  });

  it('uses the open connection for the second request', async () => {
    const receiver = await sink();
    const sender = senderWith();
    await post(sender, receiver.url);
    expect(await post(sender, receiver.url)).toMatchObject({ outcome: 'success', connectMs: null });
  });
});

it('a name server that never responds ends the attempt at the deadline', async () => {
  const resolver: Resolver = () => new Promise(() => undefined);
  const result = await post(senderWith({ resolver, totalTimeoutMs: 300 }), 'http://hooks.example/');
  expect(result).toMatchObject({ outcome: 'timeout', statusCode: null });
});

describe('the class of a fault', () => {
  it('refused', async () => {
    const receiver = await webhookSink();
    await receiver.close();
    expect(await post(senderWith(), receiver.url)).toMatchObject({ outcome: 'connection_refused' });
  });

  it('reset', async () => {
    const receiver = await sink();
    receiver.respond(() => 'reset');
    expect(await post(senderWith(), receiver.url)).toMatchObject({ outcome: 'connection_reset' });
  });

  it('not HTTP', async () => {
    const url = await rawTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await post(senderWith(), url)).toMatchObject({ outcome: 'protocol_error' });
  });

  it('a name that does not resolve', async () => {
    const resolver: Resolver = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await post(senderWith({ resolver }), 'http://hooks.example/')).toMatchObject({
      outcome: 'dns_error',
    });
  });

  it('not TLS', async () => {
    const url = await rawTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const result = await post(senderWith(), url.replace('http:', 'https:'));
    expect(result).toMatchObject({ outcome: 'tls_error' });
  });

  it('an untrusted certificate', async () => {
    let requests = 0;
    const server = createHttpsServer(selfSigned, () => (requests += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await post(senderWith(), url)).toMatchObject({ outcome: 'tls_error' });
    expect(requests).toBe(0);
  });

  it('an untrusted certificate, with a trailing dot in the name', async () => {
    const asked: string[] = [];
    const server = createHttpsServer({
      ...selfSigned,
      SNICallback: (name, answer) => (asked.push(name), answer(null)),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const sender = senderWith({ resolver: () => Promise.resolve(['127.0.0.1']) });
    const url = `https://hooks.example.:${(server.address() as AddressInfo).port}/`;
    expect(await post(sender, url)).toMatchObject({ outcome: 'tls_error' });
    expect(asked).toEqual(['hooks.example']);
  });

  it('headers that cannot be sent', async () => {
    const receiver = await sink();
    const sending = senderWith().send({ url: receiver.url, headers: { 'X-A': 'b\r\nHost: c' }, body }, never);
    expect(await sending).toMatchObject({ outcome: 'invalid_request' });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('address rules at the connect', () => {
  const strict = createAddressPolicy();

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '168.63.129.16'])(
    'a name that resolves to %s is rejected without a connect',
    async (address) => {
      const receiver = await sink();
      const { port } = new URL(receiver.url);
      const sender = senderWith({
        policy: strict,
        resolver: () => Promise.resolve(['93.184.216.34', address]),
      });
      const result = await post(sender, `http://hooks.example:${port}/`);
      expect(result).toMatchObject({ outcome: 'blocked_address', connectMs: null });
      expect(result.error).not.toContain(address);
      expect(receiver.requests).toHaveLength(0);
    },
  );

  it('a literal address is rejected without a DNS query', async () => {
    const receiver = await sink();
    const resolver = jest.fn(() => Promise.resolve(['93.184.216.34']));
    const sender = senderWith({ policy: strict, resolver });
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:7f00:1]', '0x7f.1']) {
      const url = `http://${host}:${new URL(receiver.url).port}/`;
      expect(await post(sender, url)).toMatchObject({ outcome: 'blocked_address' });
    }
    expect(resolver).not.toHaveBeenCalled();
    expect(receiver.requests).toHaveLength(0);
  });

  it.each<[string, Partial<TargetSettings>]>([
    ['http', { RequireHttps: true }],
    ['another port', { AllowedPorts: [443] }],
  ])('rules of the operator also hold for endpoints that were saved before: %s', async (_what, rules) => {
    const receiver = await sink();
    const policy = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'], ...rules });
    const result = await post(senderWith({ policy }), receiver.url);
    expect(result).toMatchObject({ outcome: 'blocked_address', error: expect.stringContaining('must') });
    expect(receiver.requests).toHaveLength(0);
  });

  it('a name connects to the checked addresses, even if it resolves differently later', async () => {
    const receiver = await sink();
    const resolver = jest.fn(() => Promise.resolve(['127.0.0.1']));
    const sender = senderWith({ resolver });
    const url = `http://hooks.example:${new URL(receiver.url).port}/`;
    expect(await post(sender, url)).toMatchObject({ outcome: 'success', dnsMs: expect.any(Number) });
    expect(resolver).toHaveBeenCalledTimes(1);
    expect(receiver.requests[0]!.headers['host']).toContain('hooks.example');
  });

  it.each(['127.0.0.1', '::1'])(
    'localhost reaches a receiver at %s under the rules of npm start',
    async (ip) => {
      let requests = 0;
      const server = createHttpServer((_request, response) => response.end(String((requests += 1))));
      await new Promise<void>((resolve) => server.listen(0, ip, resolve));
      closing.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      const policy = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8', '::1/128'] });
      const resolver = () => Promise.resolve(['127.0.0.1', '::1']);
      for (const host of ['localhost', 'localhost.', ip === '::1' ? '[::1]' : ip])
        expect(await post(senderWith({ policy, resolver }), `http://${host}:${port}/`)).toMatchObject({
          outcome: 'success',
        });
      expect(requests).toBe(3);
    },
  );

  it.each(['ftp://127.0.0.1/', 'http://user:pass@127.0.0.1/', '/hook'])('%s is not sent', async (url) => {
    expect(await post(senderWith(), url)).toMatchObject({ outcome: 'invalid_request' });
  });
});
