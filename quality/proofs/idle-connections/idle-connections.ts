import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Loopback addresses of the connections, so that no address runs out of ports. */
const sources = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 2}`);
/** Connections that are opened at the same time. */
const atOnce = 100;

const head = 'GET /api/forms HTTP/1.1\r\nHost: a\r\n';
/**
 * What connections send, in turn: every second one is kept after an answer, the others never send a whole
 * head.
 */
const kinds = [`${head}\r\n`, '', `${head}\r\n`, `${head}X-Half: `];

/** Connections of clients that stop sending. */
export class IdleConnections {
  readonly #sockets = new Set<Socket>();

  /** Connections that the other side has not closed. */
  get open(): number {
    return this.#sockets.size;
  }

  static async open(port: number, count: number): Promise<IdleConnections> {
    const idle = new IdleConnections();
    let next = 0;
    const lane = async () => {
      for (let n = next++; n < count; n = next++) await idle.#openOne(port, n);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return idle;
  }

  async #openOne(port: number, n: number): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: sources[n % sources.length]! });
    socket.on('error', () => undefined);
    this.#sockets.add(socket);
    const closed = once(socket, 'close').then(() => this.#sockets.delete(socket));
    await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
    const bytes = kinds[n % kinds.length]!;
    socket.write(bytes);
    if (bytes.endsWith('\r\n\r\n')) await Promise.race([once(socket, 'data').catch(() => undefined), closed]);
    socket.resume(); // reads further data and the end of the connection
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
