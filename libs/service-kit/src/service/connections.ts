import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Which connection had to go because there were too many: the one idle for the longest time, or the one that came. */
export type Closed = 'idle' | 'new';

/**
 * The open connections of a listener, never more than its limit. Past it a new one takes the place of the one that is
 * idle for the longest time: one that never sent the whole head of a request, or that is kept for another. While each
 * of them has a request in progress, the new one is closed instead. Nobody can keep others out by holding connections.
 */
export class Connections {
  readonly #open = new Set<Socket>();
  /** The longest idle first: a Set keeps the order of insertion. */
  readonly #idle = new Set<Socket>();
  /** Requests in progress; more than one where a client does not wait for its answers. */
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

  /** The head of a request has arrived; its connection is not idle until the answer is over. */
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
