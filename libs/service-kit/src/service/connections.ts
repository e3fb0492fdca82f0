import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Which connection was closed at the limit: the one idle for the longest time, or the new one. */
export type Closed = 'idle' | 'new';

/**
 * The open connections of a listener, never more than its limit. At the limit a new connection evicts the one
 * that is idle for the longest time: one that never sent the whole head of a request, or one kept alive.
 * While every connection has a request in progress, the new one is closed instead. A client cannot lock out
 * others with idle connections.
 */
export class Connections {
  readonly #open = new Set<Socket>();
  /** The longest idle one is first: a Set keeps the order of insertion. */
  readonly #idle = new Set<Socket>();
  /** Requests in progress; more than one if the client pipelines. */
  readonly #requests = new Map<Socket, number>();

  constructor(
    private readonly most: number,
    private readonly onClosed: (which: Closed) => void,
  ) {}

  get count(): number {
    return this.#open.size;
  }

  opened(socket: Socket): void {
    if (this.#open.size >= this.most) {
      const [idle] = this.#idle;
      this.onClosed(idle === undefined ? 'new' : 'idle');
      (idle ?? socket).destroy();
      if (idle === undefined) return;
      this.#forget(idle);
    }
    this.#open.add(socket);
    this.#idle.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  /** The head of a request has arrived. Its connection is not idle until the response has ended. */
  began(socket: Socket, response: ServerResponse): void {
    this.#idle.delete(socket);
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (this.#requests.get(socket) ?? 1) - 1;
      if (left > 0) this.#requests.set(socket, left);
      else this.#requests.delete(socket);
      if (left === 0 && this.#open.has(socket)) this.#idle.add(socket);
    });
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
  }
}
