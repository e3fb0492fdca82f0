import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Type of the record with an IPv4 address. */
const typeA = 1;
const headerBytes = 12;
/** Response, authoritative, recursion desired and available. */
const answerFlags = 0x8580;
const noSuchName = 3;

/**
 * Answers questions for the addresses of names, as the DNS of a cluster does for its services.
 *
 * @param address where it listens, on port 53
 */
export async function serveNames(address: string, names: ReadonlyMap<string, string>): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => socket.send(answerTo(question, names), from.port, from.address));
  socket.bind(53, address);
  await once(socket, 'listening');
}

/** The answer to a message with one question (RFC 1035 Section 4). */
export function answerTo(message: Buffer, names: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = message.subarray(headerBytes, at + 5);
  const address = names.get(labels.join('.').toLowerCase());
  const isAnswered = address !== undefined && question.readUInt16BE(question.length - 4) === typeA;
  const header = Buffer.alloc(headerBytes);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(answerFlags | (address === undefined ? noSuchName : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isAnswered ? 1 : 0, 6);
  if (!isAnswered) return Buffer.concat([header, question]);
  // The name of the question, type, class, five seconds, and four bytes.
  const record = [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 5, 0, 4, ...address.split('.').map(Number)];
  return Buffer.concat([header, question, Buffer.from(record)]);
}
