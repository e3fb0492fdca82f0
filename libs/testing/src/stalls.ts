import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A receiver that keeps its sender waiting or busy. */
export interface Stall {
  url: string;
  close(): Promise<void>;
}

const head = (status: string, ...lines: string[]) => `HTTP/1.1 ${[status, ...lines].join('\r\n')}\r\n\r\n`;
const chunkBytes = 65_536;
const bombBytes = 200 * 1024 ** 2;

/** A TCP server on loopback that calls `talk` with each connection. */
export async function rawTcpServer(talk: (socket: Socket) => void): Promise<Stall> {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes `part` every 50 ms until the socket closes. */
function drip(socket: Socket, part: string): void {
  const timer = setInterval(() => socket.write(part), 50);
  socket.on('close', () => clearInterval(timer));
}

/** Writes `chunk` repeatedly, as fast as the other side reads. */
function flood(socket: Socket, chunk: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/**
 * A process that listens and never accepts, because its thread sleeps. Its backlog is filled here, so that
 * the handshake of a further connection gets no answer.
 */
async function neverAccepts(): Promise<Stall> {
  const code = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  })`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(text.toString());
  const taken = Array.from({ length: 4 }, () =>
    net.connect({ host: '127.0.0.1', port }).on('error', () => undefined),
  );
  await Promise.race(taken.map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      for (const socket of taken) socket.destroy();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Stalls by name. `hasStatus`: the status of the response arrives at once, and only its body stalls. */
export const stalls: readonly { name: string; hasStatus: boolean; start(): Promise<Stall> }[] = [
  { name: 'no accept', hasStatus: false, start: neverAccepts },
  { name: 'no answer', hasStatus: false, start: () => rawTcpServer(() => undefined) },
  {
    name: 'no end of the status line',
    hasStatus: false,
    start: () => rawTcpServer((socket) => socket.write('HTTP/1.1 2')),
  },
  {
    name: 'header drip',
    hasStatus: false,
    start: () => rawTcpServer((socket) => (socket.write('HTTP/1.1 200 OK\r\nX-A: '), drip(socket, 'a'))),
  },
  {
    name: 'endless informational answers',
    hasStatus: false,
    start: () => rawTcpServer((socket) => drip(socket, head('103 Early Hints'))),
  },
  {
    name: 'body drip',
    hasStatus: true,
    start: () =>
      rawTcpServer((socket) => (socket.write(head('200 OK', 'Content-Length: 100000')), drip(socket, 'a'))),
  },
  {
    name: 'no body',
    hasStatus: true,
    start: () => rawTcpServer((socket) => socket.write(head('200 OK', 'Content-Length: 10'))),
  },
  {
    name: 'endless body',
    hasStatus: true,
    start: () =>
      rawTcpServer((socket) => {
        socket.write(head('200 OK', 'Content-Length: 1000000000000'));
        flood(socket, Buffer.alloc(chunkBytes, 'a'));
      }),
  },
  {
    name: '200 MB gzip',
    hasStatus: true,
    async start() {
      const packed = gzipSync(Buffer.alloc(bombBytes));
      return rawTcpServer((socket) => {
        socket.write(head('200 OK', 'Content-Encoding: gzip', `Content-Length: ${packed.length}`));
        socket.end(packed);
      });
    },
  },
];
