import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { ConnectFault } from './connect-fault';
import { createNoProxy } from './proxy-settings';
import { socketEvent } from './socket-event';

/**
 * The HTTP proxy of an operator. All faults of it are `proxy_error`, in words that do not show where it is.
 */
export interface Proxy {
  /** Returns whether a host is reached through the proxy. */
  serves(host: string): boolean;
  /** Opens a connection through the proxy to a host, without brackets, and a port. */
  tunnel(host: string, port: number, attempt: TunnelAttempt): Promise<net.Socket>;
}

/** An attempt to open a connection. */
export interface TunnelAttempt {
  signal: AbortSignal;
  /** Set while the proxy has not answered: the fault if the time ends now. */
  silence?: (() => ConnectFault) | undefined;
}

/** Milliseconds without a further attempt after a fault of the proxy. */
const restAfterFaultMs = 1_000;

/** What an answer says of the receiver. Every other one but 2xx is a fault of the proxy. */
const faultOfTarget: Partial<Record<number, 'blocked_address' | 'connection_failed'>> = {
  // A rule of the proxy for this receiver, as ours are: waiting does not change it.
  403: 'blocked_address',
  500: 'connection_failed', // as some proxies say it
  502: 'connection_failed',
  503: 'connection_failed',
  504: 'connection_failed',
};

/**
 * @param Url of the proxy, http or https, with the user and password in it if it asks for them
 * @param NoProxy hosts that it does not serve
 */
export function createProxy({ Url, NoProxy }: { Url: string; NoProxy: readonly string[] }): Proxy {
  const proxy = new URL(Url);
  const isWithoutProxy = createNoProxy(NoProxy);
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const secure = proxy.protocol === 'https:';
  const host = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(proxy.port) || (secure ? 443 : 80);
  /** The last time that the proxy answered anything, by `performance.now()`. */
  let answeredAt = -Infinity;
  let failedAt = -Infinity;

  async function reach(signal: AbortSignal): Promise<net.Socket> {
    const socket = net.connect({ host, port, noDelay: true, keepAlive: true });
    await socketEvent(socket, 'connect', signal);
    if (!secure) return socket;
    const secured = tls.connect({ socket, host, ...(net.isIP(host) === 0 ? { servername: host } : {}) });
    await socketEvent(secured, 'secureConnect', signal);
    return secured;
  }

  const faultOfProxy = (message: string, signal: AbortSignal, cause?: unknown): ConnectFault => {
    if (!signal.aborted) failedAt = performance.now();
    return new ConnectFault('proxy_error', message, cause);
  };

  async function tunnel(target: string, targetPort: number, attempt: TunnelAttempt): Promise<net.Socket> {
    const { signal } = attempt;
    attempt.silence = () => new ConnectFault('proxy_error', 'no connection to the proxy in time');
    // All that waits would try at once, again and again.
    const restMs = failedAt + restAfterFaultMs - performance.now();
    if (restMs > 0) await sleep(restMs, undefined, { signal });
    const socket = await reach(signal).catch((error: unknown) => {
      throw faultOfProxy(`no connection to the proxy${codeOf(error)}`, signal, error);
    });
    socket.on('error', () => undefined); // what a destroyed socket still has to say
    const path = `${net.isIP(target) === 6 ? `[${target}]` : target}:${targetPort}`;
    const headers = { host: path, ...(proxy.username ? { 'proxy-authorization': authorization } : {}) };
    const askedAt = performance.now();
    // A proxy that connects to a silent receiver is silent, too. Only if it answered others since is the
    // receiver to blame.
    attempt.silence = () =>
      answeredAt > askedAt
        ? new ConnectFault('timeout', 'the proxy did not reach the receiver in time')
        : new ConnectFault('proxy_error', 'the proxy did not answer in time');
    const status = await ask(socket, { path, headers }, signal).catch((error: unknown) => {
      socket.destroy();
      throw faultOfProxy(`no valid answer of the proxy${codeOf(error)}`, signal, error);
    });
    attempt.silence = undefined;
    answeredAt = performance.now();
    if (status >= 200 && status < 300) return socket;
    socket.destroy();
    const fault = faultOfTarget[status];
    if (fault)
      throw new ConnectFault(fault, `the proxy refused the connection to the receiver with ${status}`);
    throw faultOfProxy(`the proxy answered ${status}`, signal);
  }

  return { serves: (asked) => !isWithoutProxy(asked), tunnel };
}

/** Sends CONNECT and resolves with the status of the answer. */
function ask(
  socket: net.Socket,
  request: { path: string; headers: Record<string, string> },
  signal: AbortSignal,
): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const asking = http.request({
      ...request,
      method: 'CONNECT',
      createConnection: () => socket,
    });
    const abort = () => asking.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    asking
      .once('connect', ({ statusCode = 0 }, _socket, head: Buffer) => {
        if (head.length > 0) socket.unshift(head);
        resolve(statusCode);
      })
      .on('error', reject)
      .once('close', () => {
        signal.removeEventListener('abort', abort);
        reject(new Error('the connection was closed'));
      });
    if (signal.aborted) abort();
    else asking.end();
  });
}

/** The code of an error for the log; its message would show the address of the proxy. */
const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: string };
  return code ? ` (${code})` : '';
};
