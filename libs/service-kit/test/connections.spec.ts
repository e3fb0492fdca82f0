import { eventually } from '@canvass/testing';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  createLogger,
  defaultHealthPaths,
  endpoint,
  ok,
  readBody,
  startService,
  type Endpoint,
  type RunningService,
} from '../src';

const max = 20;
let service: RunningService;
let release: () => void;
let waiting: number;
/** Bytes of all bodies. */
let received: number;
let held: Socket[];
let lines: string[];

/** Answers with the number of bytes of the body. */
const upload = (): Endpoint =>
  endpoint.write({
    method: 'post',
    path: '/api/upload',
    operationId: 'upload',
    summary: 'Counts bytes.',
    audit: { notRecorded: 'a test' },
    answers: null,
    access: 'anonymous',
    rawBody: ['text/csv'],
    handle: async ({ request }) => {
      request.on('data', ({ length }: Buffer) => (received += length));
      return ok((await readBody(request, 64 * 2 ** 20)).length);
    },
  });

/** Responds when `release` is called. */
function gate(): Endpoint {
  [waiting, received] = [0, 0];
  const opened = new Promise<void>((resolve) => (release = resolve));
  return endpoint.read({
    method: 'get',
    path: '/api/slow',
    operationId: 'slow',
    summary: 'Waits.',
    answers: null,
    access: 'anonymous',
    handle: async () => {
      waiting += 1;
      await opened;
      return ok({});
    },
  });
}

async function start(connectionsPerAddress?: number): Promise<void> {
  service = await startService({
    service: {
      name: 'test-svc',
      create: () => ({
        endpoints: [gate(), upload()],
        ...(connectionsPerAddress === undefined ? {} : { connectionsPerAddress }),
      }),
    },
    config: {
      Hosting: {
        Host: '127.0.0.1',
        Port: 0,
        InternalPort: 0,
        DrainSeconds: 0,
        ShutdownSeconds: 5,
        ...defaultHealthPaths,
        PublicHealthDetails: true,
        MaxConnections: max,
      },
      Logging: { Level: 'warn' },
    },
    logger: createLogger('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } }),
  });
  await service.ready;
}
beforeEach(async () => {
  [held, lines] = [[], []];
  await start();
});
afterEach(async () => {
  release();
  for (const socket of held) socket.destroy();
  await service.stop();
});

async function open(bytes = '', localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: service.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  held.push(socket);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
async function openMany(count: number, bytes?: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) sockets.push(await open(bytes));
  return sockets;
}
const alive = async (from?: string) => {
  const socket = await open(`${head('/alive')}Connection: close\r\n\r\n`, from);
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer];
  return answer.toString().split('\r\n')[0];
};
const metric = async (series: string) => {
  const text = await (await fetch(`${service.internalUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(series.replace('}', ',service="test-svc"}')));
  return Number(line?.split(' ').at(-1));
};

it('a connection above the limit evicts the longest idle one', async () => {
  const silent = await openMany(5);
  const half = await openMany(5, `${head('/alive')}X-Half: `);
  const kept = await openMany(10, `${head('/alive')}\r\n`);
  for (const socket of kept) socket.on('data', () => undefined);
  await eventually(async () => expect(await metric('http_open_connections{port="public"}')).toBe(max));
  for (const late of await openMany(7)) {
    late.write(`${head('/alive')}\r\n`);
    const [answer] = (await once(late, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
  }
  await eventually(() =>
    expect(silent.every(({ destroyed, readableEnded }) => destroyed || readableEnded)).toBe(true),
  );
  expect(kept.filter(({ destroyed, readableEnded }) => destroyed || readableEnded)).toEqual([]);
  expect(half.at(-1)?.readableEnded).toBe(false);
  expect(lines.filter((line) => line.includes('connection limit reached'))).toHaveLength(1);
});

it('a new connection is closed if every open one has a request in progress', async () => {
  const busy = await openMany(max, `${head('/api/slow')}\r\n`);
  await eventually(() => expect(waiting).toBe(max));
  const late = connect(service.port, '127.0.0.1').on('error', () => undefined);
  held.push(late);
  await once(late, 'close');
  expect(await metric('http_connections_closed_total{port="public",which="new"}')).toBe(1);
  const answers = busy.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
  release();
  for (const [answer] of await Promise.all(answers)) expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
  expect(await alive()).toBe('HTTP/1.1 200 OK'); // in the place of one that is idle by now
});

it('a connection with pipelined requests is not idle until the last response', async () => {
  const eager = await open(`${head('/alive')}\r\n${head('/api/slow')}\r\n`);
  await eventually(() => expect(waiting).toBe(1));
  await openMany(max + 5);
  let text = '';
  eager.on('data', (piece: Buffer) => (text += piece.toString()));
  release();
  await eventually(() => expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2));
});

const post = (fields: string, body: string) =>
  `POST /api/upload HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\n${fields}\r\n\r\n${body}`;

it.each([
  ['of a declared length', post('Content-Length: 60', 'x')],
  ['in chunks', post('Transfer-Encoding: chunked', '1\r\nx\r\n')],
  [
    'behind a complete request on the same connection',
    `${head('/alive')}\r\n${post('Content-Length: 60', 'x')}`,
  ],
])('bodies that do not arrive do not lock out others: %s', async (_, bytes) => {
  const slow = await openMany(max, bytes);
  for (const socket of slow) socket.resume();
  await eventually(async () => expect(await metric('http_open_connections{port="public"}')).toBe(max));
  for (let n = 0; n < 5; n += 1) expect(await alive()).toBe('HTTP/1.1 200 OK');
  await eventually(() => expect(slow[0]!.destroyed).toBe(true));
  expect(slow.at(-1)!.destroyed).toBe(false);
  expect(await metric('http_connections_closed_total{port="public",which="body"}')).toBeGreaterThan(0);
});

it('an upload that gets on is not evicted for a new connection, and one that drips is', async () => {
  const size = 20 * 2 ** 20;
  const good = await open(post(`Content-Length: ${size}`, 'x'));
  const drips = await openMany(max - 1, post(`Content-Length: ${size}`, 'x'));
  let answer = '';
  good.on('data', (piece: Buffer) => (answer += piece.toString()));
  const piece = Buffer.alloc(2 ** 20, 'x');
  for (let sent = 1; sent < size; sent += piece.length) {
    good.write(piece.subarray(0, size - sent));
    for (const drip of drips) drip.write('x');
    await eventually(() => expect(received).toBeGreaterThanOrEqual(Math.min(size, sent + piece.length)));
    expect(await alive()).toBe('HTTP/1.1 200 OK');
  }
  await eventually(() => expect(answer).toContain(String(size)));
  expect(drips.some(({ destroyed }) => destroyed)).toBe(true);
});

it('one address has so many connections; the next evicts an idle one of its own', async () => {
  await service.stop();
  await start(5);
  const other = await open('', '127.0.0.2');
  const idle = await openMany(5);
  expect(await alive()).toBe('HTTP/1.1 200 OK');
  await eventually(() => expect(idle[0]!.destroyed).toBe(true));
  const busy = await openMany(5, `${head('/api/slow')}\r\n`);
  await eventually(() => expect(waiting).toBe(5));
  const late = await open();
  await once(late, 'close');
  expect(await metric('http_connections_closed_total{port="public",which="address"}')).toBe(1);
  expect(await alive('127.0.0.2')).toBe('HTTP/1.1 200 OK');
  expect([other.destroyed, busy.some(({ destroyed }) => destroyed)]).toEqual([false, false]);
});
