import net from 'node:net';
import tls from 'node:tls';
import type { AddressPolicy } from './address-policy';
import type { Resolver } from './system-resolver';

/** A connect that failed. Errors of the socket itself are passed on as they are. */
export class ConnectFault extends Error {
  override readonly name = 'ConnectFault';
  constructor(
    readonly reason: 'dns_error' | 'blocked_address' | 'tls_error' | 'connection_reset',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Milliseconds of the phases of a connect; null where a kept connection was used. */
export interface Connect {
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export const noConnect: Connect = { remoteAddress: null, dnsMs: null, connectMs: null, tlsMs: null };

/** Opens a connection to the host of a URL and writes the times of its phases into `connect`. */
export type Connector = (url: URL, connect: Connect, signal: AbortSignal) => Promise<net.Socket>;

/**
 * Opens sockets under the address rules: every address of the host must be allowed, and the
 * address that the socket reached is judged once more before a byte is sent. Names are resolved here and the
 * socket gets addresses only, so nothing can resolve differently between the check and the connect.
 */
export function createConnector(policy: AddressPolicy, resolver: Resolver): Connector {
  const judge = (address: string) => {
    const verdict = policy.check(address);
    if (!verdict.allowed)
      throw new ConnectFault('blocked_address', `${address}: ${verdict.reason ?? 'refused'}`);
  };

  async function addressesOf(host: string, connect: Connect): Promise<string[]> {
    if (net.isIP(host) !== 0) {
      judge(host);
      return [host];
    }
    const started = performance.now();
    const addresses = await resolver(host).catch((error: unknown) => {
      throw new ConnectFault('dns_error', `${host} does not resolve: ${messageOf(error)}`, error);
    });
    connect.dnsMs = performance.now() - started;
    if (addresses.length === 0) throw new ConnectFault('dns_error', `${host} has no address`);
    // The log of deliveries must not show what names of the inner network resolve to.
    if (!addresses.every((address) => policy.check(address).allowed))
      throw new ConnectFault('blocked_address', `${host} has an address that webhooks may not reach`);
    return addresses;
  }

  return async (url, connect, signal) => {
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = await addressesOf(host, connect);
    signal.throwIfAborted();

    const started = performance.now();
    const socket = net.connect({
      host: addresses[0]!,
      port: Number(url.port) || (secure ? 443 : 80),
      noDelay: true,
      keepAlive: true,
      // More than one address: try them as RFC 8305 says. The name given here is never looked up.
      ...(addresses.length === 1 ? {} : { host, autoSelectFamily: true, lookup: answerWith(addresses) }),
    });
    await event(socket, 'connect', signal);
    connect.connectMs = performance.now() - started;
    connect.remoteAddress = socket.remoteAddress ?? null;
    try {
      judge(socket.remoteAddress ?? '');
    } catch (error) {
      socket.destroy();
      throw error;
    }
    if (!secure) return socket;
    const encrypting = performance.now();
    const secured = await encrypt(socket, host, signal);
    connect.tlsMs = performance.now() - encrypting;
    return secured;
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function encrypt(socket: net.Socket, host: string, signal: AbortSignal): Promise<net.Socket> {
  const secured = tls.connect({
    socket,
    host,
    ALPNProtocols: ['http/1.1'],
    // Without the dot that ends a name (RFC 6066, section 3).
    ...(net.isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
  });
  try {
    await event(secured, 'secureConnect', signal);
    return secured;
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ConnectFault('tls_error', messageOf(error), error);
  }
}

/** Resolves at the event; destroys the socket and rejects if it fails, closes or the signal aborts first. */
function event(socket: net.Socket, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      done();
      socket.on('error', () => undefined); // what a destroyed socket still has to say
      socket.destroy();
      reject(error as Error);
    };
    const succeed = () => {
      done();
      resolve();
    };
    const abort = () => fail(signal.reason);
    const close = () => fail(new ConnectFault('connection_reset', 'the connection was closed'));
    const done = () => {
      socket.off(name, succeed).off('error', fail).off('close', close);
      signal.removeEventListener('abort', abort);
    };
    socket.once(name, succeed).once('error', fail).once('close', close);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

function answerWith(addresses: readonly string[]): net.LookupFunction {
  const all = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]!.address, all[0]!.family);
  };
}
