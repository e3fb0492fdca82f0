import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

export type ProxyFault = 'none' | 'cut' | 'stall' | 'silent-out' | 'silent-in' | 'delay';

/** Added latency of the fault `delay` in milliseconds, in each direction. */
const delayMs = 120;

/** A TCP proxy that can inject faults. It distributes connections to its targets in turn. */
export class FaultyProxy {
  private fault: ProxyFault = 'none';
  private readonly server: Server;
  private readonly pairs = new Set<[Socket, Socket]>();
  private readonly lost = new Set<Socket>();
  private readonly heldCloses: (() => void)[] = [];
  private turn = 0;

  /** `targets` returns the ports on 127.0.0.1 and is called for each connection. */
  constructor(private readonly targets: () => readonly number[]) {
    this.server = createServer({ noDelay: true }, (client) => this.accept(client));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * `cut`: connections break and new ones are rejected. `stall`: data stops in both directions without an
   * error and continues afterwards, as after a retransmission. `silent-out`: only what clients send stops,
   * and `silent-in`: only what targets send; the other side learns of a close afterwards. `delay`: data
   * arrives late. `none`: no fault.
   */
  become(fault: ProxyFault): void {
    this.fault = fault;
    for (const pair of this.pairs) {
      for (const socket of pair) {
        if (fault === 'cut') socket.destroy();
        else if (this.isHeld(socket, pair)) socket.pause();
        else socket.resume();
      }
    }
    if (!isSilent(fault)) for (const close of this.heldCloses.splice(0)) close();
  }

  /** Returns whether what the socket sends does not pass at present. */
  private isHeld(socket: Socket, [client]: [Socket, Socket]): boolean {
    if (this.fault === 'stall') return true;
    return this.fault === (socket === client ? 'silent-out' : 'silent-in');
  }

  /**
   * The open connections are silent for good, without an error, as if their server had vanished. New ones
   * work, as after a failover.
   */
  lose(): void {
    for (const socket of [...this.pairs].flat()) {
      socket.pause();
      socket.removeAllListeners('data');
      this.lost.add(socket);
    }
    this.pairs.clear();
  }

  async close(): Promise<void> {
    this.become('cut');
    for (const socket of this.lost) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    const ports = this.targets();
    const port = ports[this.turn++ % Math.max(ports.length, 1)];
    if (this.fault === 'cut' || port === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    const pair: [Socket, Socket] = [client, upstream];
    this.pairs.add(pair);
    this.pass(client, upstream, pair);
    this.pass(upstream, client, pair);
    for (const socket of pair) if (this.isHeld(socket, pair)) socket.pause();
  }

  private pass(from: Socket, to: Socket, pair: [Socket, Socket]): void {
    // First in, first out: delayed data stays in front of later data.
    const late: (() => void)[] = [];
    const send = (action: () => void) => {
      if (this.fault !== 'delay' && late.length === 0) return action();
      late.push(action);
      setTimeout(() => late.shift()?.(), delayMs);
    };
    from.on('data', (chunk: Buffer) => {
      send(() => {
        if (to.destroyed || to.write(chunk)) return;
        from.pause();
        to.once('drain', () => !this.isHeld(from, pair) && from.resume());
      });
    });
    // A silent connection hides its end, too.
    const end = (action: () => void) => (isSilent(this.fault) ? this.heldCloses.push(action) : send(action));
    from.on('end', () => end(() => to.end()));
    from.on('error', () => undefined);
    from.on('close', () => {
      this.pairs.delete(pair);
      end(() => to.destroy());
    });
  }
}

const isSilent = (fault: ProxyFault): boolean => fault === 'silent-out' || fault === 'silent-in';
