import net from 'node:net';
import tls from 'node:tls';
import type { AddressPolicy } from './address-policy';
import { ConnectFault } from './connect-fault';
import type { Proxy, TunnelAttempt } from './proxy';
import { socketEvent } from './socket-event';
import type { Resolver } from './system-resolver';

/** Milliseconds of the phases of a connect; null where a kept connection was used. */
export interface Connect {
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export const noConnect: Connect = { remoteAddress: null, dnsMs: null, connectMs: null, tlsMs: null };

/** A certificate and its key, PEM. */
export interface ClientCertificate {
  certificate: string;
  privateKey: string;
}

/** A connect as its caller describes it. */
export interface Connecting extends TunnelAttempt {
  url: URL;
  /** Gets the times of the phases. */
  connect: Connect;
  /** For mutual TLS. */
  clientCertificate?: ClientCertificate | null | undefined;
}

/** Opens a connection to the host of a URL. */
export type Connector = (connecting: Connecting) => Promise<net.Socket>;

/** The most addresses of a name that a proxy is asked for. */
const maxTried = 4;

/**
 * Opens sockets under the address rules: every address of the host must be allowed, and the address that
 * the socket reached is judged once more before a byte is sent. Names are resolved here and the socket gets
 * addresses only, so nothing can resolve differently between the check and the connect. The proxy gets
 * checked addresses for the same reason, but the name where names are delegated to it.
 */
export function createConnector(
  policy: AddressPolicy,
  { resolver, proxy }: { resolver: Resolver; proxy: Proxy | null },
): Connector {
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

  async function direct(host: string, port: number, { connect, signal }: Connecting): Promise<net.Socket> {
    const addresses = await addressesOf(host, connect);
    signal.throwIfAborted();
    const started = performance.now();
    const socket = net.connect({
      host: addresses[0]!,
      port,
      noDelay: true,
      keepAlive: true,
      // More than one address: try them as RFC 8305 says. The name given here is never looked up.
      ...(addresses.length === 1 ? {} : { host, autoSelectFamily: true, lookup: answerWith(addresses) }),
    });
    await socketEvent(socket, 'connect', signal);
    connect.connectMs = performance.now() - started;
    connect.remoteAddress = socket.remoteAddress ?? null;
    try {
      judge(socket.remoteAddress ?? '');
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return socket;
  }

  /** Asks the proxy for one address after the other, until it reaches one. */
  async function proxied(
    through: Proxy,
    host: string,
    port: number,
    connecting: Connecting,
  ): Promise<net.Socket> {
    const { connect, signal } = connecting;
    const targets = policy.isDelegated(host) ? [host] : await addressesOf(host, connect);
    const started = performance.now();
    let fault: unknown;
    for (const target of targets.slice(0, maxTried)) {
      signal.throwIfAborted();
      try {
        const socket = await through.tunnel(target, port, connecting);
        connect.connectMs = performance.now() - started;
        connect.remoteAddress = net.isIP(target) === 0 ? null : target;
        return socket;
      } catch (error) {
        if (!(error instanceof ConnectFault) || error.reason !== 'connection_failed') throw error;
        fault = error;
      }
    }
    throw fault;
  }

  return async (connecting) => {
    const { url, connect, signal } = connecting;
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port) || (secure ? 443 : 80);
    const through = proxy?.serves(host) ? proxy : null;
    const socket = await (through
      ? proxied(through, host, port, connecting)
      : direct(host, port, connecting));
    if (!secure) return socket;
    const encrypting = performance.now();
    const secured = await encrypt(socket, host, connecting).catch((error: unknown) => {
      // Through a proxy, an end says nothing of the receiver's TLS.
      if (through && isEnd(error)) throw new ConnectFault('connection_reset', messageOf(error), error);
      if (signal.aborted) throw error;
      throw new ConnectFault('tls_error', messageOf(error), error);
    });
    connect.tlsMs = performance.now() - encrypting;
    return secured;
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const isEnd = (error: unknown) =>
  error instanceof ConnectFault ||
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

async function encrypt(
  socket: net.Socket,
  host: string,
  { signal, clientCertificate }: Connecting,
): Promise<net.Socket> {
  const secured = tls.connect({
    socket,
    host,
    ALPNProtocols: ['http/1.1'],
    ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.privateKey }),
    // Without the dot that ends a name (RFC 6066, section 3).
    ...(net.isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
  });
  await socketEvent(secured, 'secureConnect', signal);
  return secured;
}

function answerWith(addresses: readonly string[]): net.LookupFunction {
  const all = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]!.address, all[0]!.family);
  };
}
