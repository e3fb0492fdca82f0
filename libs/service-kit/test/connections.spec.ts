import { eventually } from '@canvass/testing';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  createLogger,
  defaultHealthPaths,
  endpoint,
  ok,
  startService,
  type Endpoint,
  type RunningService,
} from '../src';

const most = 20;
let service: RunningService;
let release: () => void;
let waiting: number;
let held: Socket[];
let lines: string[];

/** Responds when `release` is called. */
function gate(): Endpoint {
  waiting = 0;
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

beforeEach(async () => {
  [held, lines] = [[], []];
  service = await startService({
    service: { name: 'test-svc', create: () => ({ endpoints: [gate()] }) },
    config: {
      Hosting: {
        Host: '127.0.0.1',
        Port: 0,
        InternalPort: 0,
        DrainSeconds: 0,
        ShutdownSeconds: 5,
        ...defaultHealthPaths,
        PublicHealthDetails: true,
        MaxConnections: most,
      },
      Logging: { Level: 'warn' },
    },
    logger: createLogger('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } }),
  });
  await service.ready;
});
afterEach(async () => {
  release();
  for (const socket of held) socket.destroy();
  await service.stop();
});

async function open(bytes = ''): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
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
const alive = async () => {
  const socket = await open(`${head('/alive')}Connection: close\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
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
  await eventually(async () => expect(await metric('http_open_connections{port="public"}')).toBe(most));
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
  const busy = await openMany(most, `${head('/api/slow')}\r\n`);
  await eventually(() => expect(waiting).toBe(most));
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
  await openMany(most + 5);
  let text = '';
  eager.on('data', (piece: Buffer) => (text += piece.toString()));
  release();
  await eventually(() => expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2));
});
