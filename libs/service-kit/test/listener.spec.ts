import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openListener, type Listener } from '../src/service/listener';

const idleMs = 300;
let listener: Listener;
beforeAll(async () => {
  listener = await openListener({
    handler: (request, response) => {
      if (request.url === '/stream') response.write('begun');
      else setTimeout(() => response.end('here'), 30);
    },
    host: '127.0.0.1',
    port: 0,
    key: 'Port',
    maxConnections: 100,
    maxHeaderSize: 16_384,
    idleMs,
    onClosed: () => undefined,
  });
});
afterAll(() => listener.close(AbortSignal.timeout(1_000)));

/** Sends `bytes` on a new connection and reads until the listener ends it. */
async function received(bytes: string): Promise<{ text: string; afterMs: number }> {
  const started = performance.now();
  const socket: Socket = connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  let text = '';
  for await (const piece of socket) text += String(piece);
  return { text, afterMs: performance.now() - started };
}
const head = 'GET / HTTP/1.1\r\nHost: a\r\n';

it('closes a connection that sends nothing, without a response', async () => {
  const { text, afterMs } = await received('');
  expect(text).toBe('');
  expect(afterMs).toBeGreaterThanOrEqual(idleMs);
});

it('answers 408 if only a part of a head arrives', async () => {
  const { text, afterMs } = await received(`${head}X-Half: `);
  expect(text).toMatch(/^HTTP\/1.1 408 .*"request_timeout"/s);
  expect(afterMs).toBeGreaterThanOrEqual(idleMs);
});

it('closes a connection that sends nothing after a response', async () => {
  const { text, afterMs } = await received(`${head}\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 200 .*here$/s);
  expect(text.match(/HTTP/g)).toHaveLength(1);
  expect(afterMs).toBeGreaterThanOrEqual(idleMs);
});

// httpwg/http-core#22, elastic/elasticsearch#11466
it.each([
  ['one request', 1],
  ['two requests', 2],
])('answers %s of a client that closes its half of the connection', async (_what, count) => {
  const socket = connect(listener.port, '127.0.0.1').end(`${head}\r\n`.repeat(count));
  let text = '';
  for await (const piece of socket) text += String(piece);
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(count);
});

it('ends the stream of a client that closes its half of the connection', async () => {
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(head.replace('/', '/stream') + '\r\n');
  await once(socket, 'data');
  socket.end();
  await once(socket, 'close');
  expect(listener.connections).toBe(0);
});
