import type { Socket } from 'node:net';
import { rawTcpServer } from '@canvass/testing';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import { createSender, type Sender } from '../src/pipeline';

const never = new AbortController().signal;
const policy = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] });
const small = Buffer.from('{"Id":"1"}');
const large = Buffer.alloc(3 * 1024 * 1024, 'a');
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let sender: Sender;
let closing: (() => unknown)[] = [];
beforeEach(() => (sender = createSender({ policy, totalTimeoutMs: 10_000 })));
afterEach(async () => {
  sender.close();
  for (const close of closing) await close();
  closing = [];
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A receiver that reads whole requests; `respond` gets the number of the request on its connection. */
async function receiver(respond: (socket: Socket, nth: number) => unknown) {
  let requests = 0;
  const server = await rawTcpServer((socket) => {
    let read = '';
    let nth = 0;
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        read += chunk.toString('latin1');
        const [, head, length] = /^([^]*?content-length: (\d+)[^]*?\r\n\r\n)/i.exec(read) ?? [];
        if (head === undefined || read.length < head.length + Number(length)) return;
        read = '';
        requests += 1;
        respond(socket, ++nth);
      });
  });
  closing.push(() => server.close());
  return { url: server.url, requests: () => requests };
}

const send = (url: string, body = small) => sender.send({ url, headers: {}, body }, never);

describe('a delivery is accepted with', () => {
  it.each<[what: string, answer: string, source: string]>([
    ['100 Continue that was not asked for', `HTTP/1.1 100 Continue\r\n\r\n${ok}`, 'jetty/jetty.project#1878'],
    ['several 100s', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3)}${ok}`, 'dotnet/corefx#31413'],
    ['102', `HTTP/1.1 102 Processing\r\n\r\n${ok}`, 'twisted/twisted#8885'],
    ['103 with headers', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`, 'nginx/nginx PR 1241'],
    ['an unknown 1xx', `HTTP/1.1 199 Wait\r\n\r\n${ok}`, 'dotnet/corefx#31413'],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', 'nodejs/undici#2019'],
    [
      'trailers',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n\r\n',
      'RFC 9112, 7.1.2',
    ],
    [
      'an extension of a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\n\r\n',
      'RFC 9112, 7.1.1',
    ],
    ['204 with a length', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', 'RFC 9110, 15.3.5'],
    ['header names in capitals', 'HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 2\r\n\r\nok', 'RFC 9110, 5.1'],
  ])('%s', async (_what, answer) => {
    const { url, requests } = await receiver((socket) => socket.write(answer));
    expect(await send(url)).toMatchObject({ outcome: 'success', error: null });
    expect(requests()).toBe(1);
  });

  it('HTTP/1.0 and no length, which ends with its connection', async () => {
    const { url, requests } = await receiver((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nok'));
    for (let n = 0; n < 3; n++)
      expect(await send(url)).toMatchObject({ outcome: 'success', responseBody: Buffer.from('ok') });
    expect(requests()).toBe(3);
  });

  it('a head that comes byte by byte', async () => {
    const { url } = await receiver(async (socket) => {
      for (const byte of ok) {
        socket.write(byte);
        await pause(2);
      }
    });
    expect(await send(url)).toMatchObject({ outcome: 'success', responseBody: Buffer.from('ok') });
  });

  it.each<[what: string, then: (socket: Socket) => unknown]>([
    ['stays', () => undefined],
    ['is closed', (socket) => socket.end()],
    ['is closed later', (socket) => setTimeout(() => socket.end(), 50)],
  ])('an answer before the body was read, when the connection %s', async (_what, then) => {
    const server = await rawTcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.pause().write(ok);
          then(socket);
        });
    });
    closing.push(() => server.close());
    expect(await send(server.url, large)).toMatchObject({ outcome: 'success', statusCode: 200 });
  });
});

describe('a receiver that closes a kept connection without a word', () => {
  // nodejs/node#47130, nodejs/undici#3410
  it.each([0, 1, 5, 20, 100])('%i ms after its answer loses nothing and fails nothing', async (ms) => {
    const { url } = await receiver((socket) => {
      socket.write(ok);
      setTimeout(() => socket.end(), ms);
    });
    for (let n = 0; n < 20; n++) {
      expect(await send(url)).toMatchObject({ outcome: 'success' });
      // The next request and the close cross.
      if (ms > 0) await pause(ms - (n % 2));
    }
  });

  it('as the request arrives gets it once more on a new connection', async () => {
    const { url, requests } = await receiver((socket, nth) =>
      nth === 1 ? socket.write(ok) : socket.destroy(),
    );
    expect(await send(url)).toMatchObject({ outcome: 'success', connectMs: expect.any(Number) });
    await pause(20);
    expect(await send(url)).toMatchObject({ outcome: 'success' });
    expect(requests()).toBe(3);
  });

  it('after a number of requests gets all', async () => {
    const { url } = await receiver((socket, nth) => {
      socket.write(ok);
      if (nth === 3) socket.end();
    });
    for (let n = 0; n < 10; n++) expect(await send(url)).toMatchObject({ outcome: 'success' });
  });

  it('and resets each new one, too, gets no third try', async () => {
    let accepted = 0;
    const { url, requests } = await receiver((socket) =>
      ++accepted === 1 ? socket.write(ok) : socket.resetAndDestroy(),
    );
    await send(url);
    await pause(20);
    expect(await send(url)).toMatchObject({ outcome: 'connection_reset', statusCode: null });
    expect(requests()).toBe(3);
  });

  it('is believed when it names the time', async () => {
    const { url } = await receiver((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n'),
    );
    await send(url);
    await pause(1_500);
    expect(await send(url)).toMatchObject({ outcome: 'success', connectMs: expect.any(Number) });
  });
});

it('a reset of a new connection is not repeated', async () => {
  const { url, requests } = await receiver((socket) => socket.resetAndDestroy());
  expect(await send(url)).toMatchObject({ outcome: 'connection_reset' });
  expect(requests()).toBe(1);
});

it.each<[what: string, answer: string]>([
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['20 kB of headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'],
])('%s are a fault of the protocol', async (_what, answer) => {
  const { url } = await receiver((socket) => socket.write(answer));
  expect(await send(url)).toMatchObject({ outcome: 'protocol_error', statusCode: null });
});

it.each([
  ['600', '5'],
  ['5', '600'],
  ['soon', '600'],
])('of two Retry-After, %s and %s, the longer counts', async (one, two) => {
  const { url } = await receiver((socket) =>
    socket.write(
      `HTTP/1.1 503 No\r\nRetry-After: ${one}\r\nRetry-After: ${two}\r\nContent-Length: 0\r\n\r\n`,
    ),
  );
  expect(await send(url)).toMatchObject({ outcome: 'http_5xx', retryAfterMs: 600_000 });
});
