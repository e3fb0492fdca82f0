import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networksOf } from '../context/client-address';
import { hasBody } from '../http/body';

/**
 * The connection that was closed at a limit: an idle one, one whose body had not arrived, or the new one,
 * because all had a request in progress (`new`) or those of its address had (`address`).
 */
export type Closed = 'idle' | 'body' | 'new' | 'address';

/** An upload that received so many bytes since it was last examined gets on. */
const progressBytes = 64 * 1024;

interface Waiting {
  /** The request whose body has not arrived; null for an idle connection. */
  request: IncomingMessage | null;
  /** Bytes that its connection had received when it was last examined. */
  bytesRead: number;
}

/**
 * The open connections of a listener, never more than its limits. At a limit a new connection evicts the one
 * that waits for its client for the longest time: it never sent the whole head of a request, it is kept
 * alive, or the body of its request has not arrived. An upload that gets on waits from then on. While every
 * connection has a request in progress, the new one is closed instead. So a client cannot lock out others by
 * waiting.
 */
export class Connections {
  /** Each with those of the same address. */
  readonly #open = new Map<Socket, Set<Socket>>();
  /** The longest waiting one is first: a Map keeps the order of insertion. */
  readonly #waiting = new Map<Socket, Waiting>();
  /** Requests in progress; more than one if the client pipelines. */
  readonly #requests = new Map<Socket, number>();
  /** Sockets by address: in each set the longest waiting one is before those that wait for a shorter time. */
  readonly #ofAddress = new Map<string, Set<Socket>>();

  /** @param maxPerAddress of one IPv4 address or /64 network of IPv6; 0: no limit */
  constructor(
    private readonly max: number,
    private readonly maxPerAddress: number,
    private readonly onClosed: (which: Closed) => void,
  ) {}

  get count(): number {
    return this.#open.size;
  }

  opened(socket: Socket): void {
    const address = this.maxPerAddress === 0 ? '' : networksOf(socket.remoteAddress ?? '')[0];
    const siblings = this.#ofAddress.get(address) ?? new Set<Socket>();
    const isOver = this.maxPerAddress > 0 && siblings.size >= this.maxPerAddress;
    const candidates = isOver ? siblings : this.#open.size >= this.max ? this.#waiting.keys() : null;
    if (candidates !== null && !this.#evictOneOf(candidates)) {
      this.onClosed(isOver ? 'address' : 'new');
      socket.destroy();
      return;
    }
    this.#ofAddress.set(address, siblings);
    this.#open.set(socket, siblings);
    this.#wait(socket, null);
    socket.once('close', () => {
      this.#forget(socket);
      if (siblings.size === 0 && this.#ofAddress.get(address) === siblings) this.#ofAddress.delete(address);
    });
  }

  /** The head of a request has arrived. Its connection waits for its client only until the body has, too. */
  began(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (hasBody(request)) this.#wait(socket, request);
    else this.#waiting.delete(socket);
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (this.#requests.get(socket) ?? 1) - 1;
      if (left > 0) this.#requests.set(socket, left);
      else this.#requests.delete(socket);
      if (left === 0) this.#wait(socket, null);
    });
  }

  /** Makes a connection the last of those that wait. */
  #wait(socket: Socket, request: IncomingMessage | null): void {
    const siblings = this.#open.get(socket);
    if (siblings === undefined) return;
    siblings.delete(socket);
    siblings.add(socket);
    this.#waiting.delete(socket);
    this.#waiting.set(socket, { request, bytesRead: socket.bytesRead });
  }

  /** Closes the first of these connections that waits; false if none does. */
  #evictOneOf(candidates: Iterable<Socket>): boolean {
    let moved: Socket | undefined;
    for (const socket of candidates) {
      if (socket === moved) return false;
      const waiting = this.#waiting.get(socket);
      if (waiting === undefined) continue;
      const { request, bytesRead } = waiting;
      if (request?.complete === true) this.#waiting.delete(socket);
      else if (request !== null && socket.bytesRead - bytesRead >= progressBytes) {
        this.#wait(socket, request);
        moved ??= socket;
      } else {
        this.onClosed(request === null ? 'idle' : 'body');
        socket.destroy();
        this.#forget(socket);
        return true;
      }
    }
    return false;
  }

  #forget(socket: Socket): void {
    this.#open.get(socket)?.delete(socket);
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}
