import { Problem, type ErrorCode } from '@canvass/errors';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { problemDocument, sendProblem } from '../http/problem-json';
import { securityHeaders } from '../http/security-headers';
import { Connections, type Closed } from './connections';
import { hasGoodHost } from './host-header';

/** A listener could not be opened. The message is one sentence for the operator. */
export class ListenError extends Error {}

/** An open HTTP listener that can be drained. */
export interface Listener {
  port: number;
  /** Number of open connections. */
  readonly connections: number;
  /** From now on responses close their connection. New connections are still accepted. */
  beginDraining(): void;
  /** Stops accepting and waits for the requests in progress; false if they were cut off at `deadline`. */
  close(deadline: AbortSignal): Promise<boolean>;
}

const clientErrors: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers may have {KiB} KiB in all.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

/** A time longer than our clients keep an idle connection, so that the client closes first. */
const defaultIdleMs = 75_000;
/** The time in which the answer to a half-closed connection must begin, in milliseconds. */
const halfClosedMs = 5_000;

export interface ListenerOptions {
  handler: RequestListener;
  host: string;
  port: number;
  /** The configuration key of the port, for the error message. */
  key: string;
  maxConnections: number;
  /** Most connections of one address; 0 (the default): no limit. */
  connectionsPerAddress?: number | undefined;
  /** Maximum size of the head of a request in bytes. */
  maxHeaderSize: number;
  /** The time that a connection may wait for the head of a request, in milliseconds (75 s). */
  idleMs?: number;
  /** Called for each connection that was closed because a limit of connections was reached. */
  onClosed(which: Closed): void;
}

/**
 * Opens a listener. The head of a request must arrive within `idleMs`, on new connections and on those that
 * are kept alive. A whole request must arrive within an hour, because imports are streamed. `Connections`
 * describes what happens above the limits of connections.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { handler, maxHeaderSize, idleMs = defaultIdleMs } = options;
  const inFlight = new Set<ServerResponse>();
  const connections = new Connections(
    options.maxConnections,
    options.connectionsPerAddress ?? 0,
    options.onClosed,
  );
  let draining = false;
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    connections.began(request, response);
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    if (draining) response.shouldKeepAlive = false;
    if (hasGoodHost(request)) handler(request, response);
    else refuseHost(response);
  };
  const limits = {
    maxHeaderSize,
    headersTimeout: idleMs,
    keepAliveTimeout: idleMs,
    requestTimeout: 3_600_000,
    connectionsCheckingInterval: idleMs / 15,
    requireHostHeader: false, // Node would respond without a body; see `hasGoodHost`
  };
  // A client may close its half of the connection and wait for the answer, as `nc` does.
  const server = Object.assign(createServer(limits, serve), { httpAllowHalfOpen: true });
  server.maxHeadersCount = 0; // their bytes are limited; above a maximum count Node would drop the last headers
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1). By default Node responds without a
  // body.
  server.on('checkExpectation', serve);
  server.on('connection', (socket: Socket) => {
    connections.opened(socket);
    socket.once('end', () => {
      const open = [...inFlight].filter((response) => response.socket === socket);
      // One that does so while it reads has left: nothing else ends an event stream.
      if (open.some(({ headersSent }) => headersSent)) return void socket.destroy();
      // Most clients that leave look the same: their queries must not run on.
      const leave = () => open.some(({ headersSent }) => !headersSent) && socket.destroy();
      if (open.length > 0) setTimeout(leave, halfClosedMs).unref();
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    for (const response of inFlight) {
      const halfSent = response.headersSent && !response.writableEnded;
      if (halfSent && response.socket === socket) return void socket.destroy(); // the error would become part of the body
    }
    answerClientError(error, socket, maxHeaderSize / 1024);
  });
  await listen(server, options);
  const whenEmpty = async (deadline: AbortSignal) => {
    while (inFlight.size > 0 && !deadline.aborted) await delay(20);
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections.count;
    },
    beginDraining: () => {
      draining = true;
      for (const response of inFlight) response.shouldKeepAlive = false;
    },
    close: async (deadline) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await whenEmpty(deadline);
      const whole = inFlight.size === 0;
      server.closeAllConnections();
      await closed;
      return whole;
    },
  };
}

function listen(
  server: Server,
  { host, port, key }: Pick<ListenerOptions, 'host' | 'port' | 'key'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why: Record<string, string> = {
        EADDRINUSE: 'another process uses this port',
        EACCES: 'this process may not use this port',
        EADDRNOTAVAIL: 'this machine does not have that address',
      };
      const reason = why[error.code ?? ''] ?? error.message;
      reject(new ListenError(`Cannot listen on ${host}:${port} (${key}): ${reason}.`));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function refuseHost(response: ServerResponse): void {
  const requestId = randomUUID();
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestId);
  const detail = 'An HTTP/1.1 request has one header Host, a name or an address with or without a port.';
  const headers = { Connection: 'close' };
  sendProblem(response, new Problem('malformed_request', { detail, headers }), requestId);
}

/**
 * Responds to requests that Node cannot parse and passes to no handler, with the same error format as all
 * others.
 */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket, headKiB: number): void {
  // Clients open connections in advance. One that never had a request is closed without a response: a client
  // that sends its first request at that moment would take the response for its own.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const [code, detail] =
    clientErrors[error.code ?? ''] ?? (['malformed_request', 'This is not an HTTP request.'] as const);
  const problem = new Problem(code, { detail: detail.replace('{KiB}', String(headKiB)) });
  const requestId = randomUUID();
  const body = JSON.stringify(problemDocument(problem, requestId));
  const headers = securityHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title.replace(/\.$/, '')}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n${headers}\r\n${body}`,
  );
}
