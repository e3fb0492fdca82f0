import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const headerBytes = 12;
const typeA = 1;
/** Response, authoritative, recursion desired and available. */
const answerFlags = 0x8580;
const noSuchName = 3;

/** A name server for addresses of version 4 (RFC 1035). */
export class NameServer {
  private constructor(
    private readonly socket: Socket,
    private readonly addressOf: (name: string) => string | undefined,
  ) {
    socket.on('message', (question, { port, address }) =>
      socket.send(this.answerTo(question), port, address),
    );
  }

  /** @param addressOf returns the address of a name in lower case; undefined: there is no such name */
  static async listen(
    addressOf: (name: string) => string | undefined,
    address = '127.0.0.1',
    port = 0,
  ): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(port, address);
    await once(socket, 'listening');
    return new NameServer(socket, addressOf);
  }

  /** `<address>:<port>` */
  get address(): string {
    const { address, port } = this.socket.address();
    return `${address}:${port}`;
  }

  close(): void {
    this.socket.close();
  }

  /** The answer to a message with one question, which it repeats. */
  private answerTo(message: Buffer): Buffer {
    const labels: string[] = [];
    let at = headerBytes;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const question = message.subarray(headerBytes, at + 5);
    const address = this.addressOf(labels.join('.').toLowerCase());
    const code = address === undefined ? noSuchName : 0;
    const isAnswered = address !== undefined && message.readUInt16BE(at + 1) === typeA;
    const header = Buffer.alloc(headerBytes);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(answerFlags | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(isAnswered ? 1 : 0, 6);
    if (!isAnswered) return Buffer.concat([header, question]);
    // The name of the question, type, class, five seconds, and four bytes.
    const record = [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 5, 0, 4, ...address.split('.').map(Number)];
    return Buffer.concat([header, question, Buffer.from(record)]);
  }
}
