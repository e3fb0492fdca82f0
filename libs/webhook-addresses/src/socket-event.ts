import type net from 'node:net';
import { ConnectFault } from './connect-fault';

/** Resolves at the event; destroys the socket and rejects if it fails, closes or the signal aborts first. */
export function socketEvent(socket: net.Socket, name: string, signal: AbortSignal): Promise<void> {
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
