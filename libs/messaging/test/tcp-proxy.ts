import type { Socket } from 'node:net';
import { connect, createServer, type AddressInfo } from 'node:net';

export interface TcpProxy {
  url: string;
  /** Holds back the data of the server from now on. */
  stall(): void;
  resume(): void;
  /** From now on ends the connection of a client that sends these bytes in one piece. */
  dropOn(bytes: Buffer): void;
  /** Sends bytes to the clients in the name of the server. */
  inject(bytes: Buffer): void;
  close(): Promise<void>;
}

/** A proxy between client and broker for faults that a healthy broker never shows. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let stalled = false;
  let forbidden: Buffer | undefined;
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pair = { client, server };
    pairs.add(pair);
    client.on('data', (bytes) => {
      if (forbidden && bytes.includes(forbidden)) client.destroy();
    });
    client.pipe(server);
    server.on('data', (bytes) => client.write(bytes));
    if (stalled) server.pause();
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    stall() {
      stalled = true;
      for (const { server } of pairs) server.pause();
    },
    resume() {
      stalled = false;
      for (const { server } of pairs) server.resume();
    },
    dropOn(bytes) {
      forbidden = bytes;
    },
    inject(bytes) {
      for (const { client } of pairs) client.write(bytes);
    },
    async close() {
      for (const { client } of pairs) client.destroy();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}

/** The begin of the AMQP 0-9-1 method `basic.consume` (class 60, method 20) for a queue. */
export const consumeOf = (queue: string): Buffer =>
  Buffer.concat([Buffer.from([0, 60, 0, 20, 0, 0, queue.length]), Buffer.from(queue)]);

/**
 * An AMQP 0-9-1 frame (section 4.2.3) on channel 0 with a method of class 10: 60 is `connection.blocked`, 61
 * `unblocked`.
 */
export function connectionFrame(method: 60 | 61, reason?: string): Buffer {
  const argument =
    reason === undefined ? Buffer.alloc(0) : Buffer.from([reason.length, ...Buffer.from(reason)]);
  const payload = Buffer.concat([Buffer.from([0, 10, 0, method]), argument]);
  const head = Buffer.alloc(7);
  head.writeUInt8(1, 0);
  head.writeUInt16BE(0, 1);
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.from([0xce])]);
}
