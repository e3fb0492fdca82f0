import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** `fail` answers SERVFAIL, `mute` does not answer. */
export type NameServerMode = 'normal' | 'fail' | 'mute';

const headerBytes = 12;
/** Response, recursion available; with SERVFAIL. */
const flags = { normal: 0x8180, fail: 0x8182 };
const typeA = 1;
/** 127.0.0.1 for the name of the question (a pointer to it), class IN, not to be kept. */
const loopback = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);

/** A name server for which every name has the address 127.0.0.1, and that can fail. */
export class NameServer {
  private mode: NameServerMode = 'normal';

  private constructor(private readonly socket: Socket) {
    socket.on('message', (question, { port, address }) => {
      if (this.mode !== 'mute') socket.send(answerTo(question, this.mode), port, address);
    });
  }

  static async listen(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  /** `<address>:<port>` */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  become(mode: NameServerMode): void {
    this.mode = mode;
  }

  close(): void {
    this.socket.close();
  }
}

/** An answer repeats the question, without what follows it. */
function answerTo(message: Buffer, mode: 'normal' | 'fail'): Buffer {
  const endOfName = message.indexOf(0, headerBytes);
  const question = message.subarray(headerBytes, endOfName + 5);
  const hasAddress = mode === 'normal' && message.readUInt16BE(endOfName + 1) === typeA;
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(message.readUInt16BE(0), 0);
  header.writeUInt16BE(flags[mode], 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAddress ? 1 : 0, 6);
  return Buffer.concat([header, question, ...(hasAddress ? [loopback] : [])]);
}
