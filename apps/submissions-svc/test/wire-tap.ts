import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What went to Postgres and back, as its protocol (v3) counts it. */
export interface WireTap {
  /** The database URL that leads through the tap. */
  url: string;
  /**
   * Round trips since the last call: what each asked for (the name of the prepared statement, or SQL). Each
   * was sent with one Sync or simple Query and answered by one ReadyForQuery.
   */
  take(): string[];
  close(): Promise<void>;
}

/** A TCP proxy in front of Postgres that reads the messages passing through. */
export async function tapWire(databaseUrl: string): Promise<WireTap> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let asked: string[] = [];
  let ready = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => undefined).on('close', () => (client.destroy(), upstream.destroy()));
    }
    let said: string[] = [];
    let greeted = false;
    const fromService = messages({ startup: true }, (type, body) => {
      if (type === 'P' || type === 'Q') said.push(text(body, type === 'P' ? body.indexOf(0) + 1 : 0));
      if (type === 'B') said.push(text(body, body.indexOf(0) + 1));
      if (type !== 'S' && type !== 'Q') return;
      // A statement is parsed once per connection; after that, and with it, its name says which it is.
      asked.push(said.filter(Boolean).at(-1) ?? '');
      said = [];
    });
    const fromPostgres = messages({ startup: false }, (type) => {
      if (type !== 'Z') return;
      if (greeted) ready += 1;
      greeted = true; // the first one ends the log-in
    });
    client.on('data', (chunk: Buffer) => (fromService(chunk), upstream.write(chunk)));
    upstream.on('data', (chunk: Buffer) => (fromPostgres(chunk), client.write(chunk)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    take() {
      if (ready !== asked.length) throw new Error(`${asked.length} questions, ${ready} answers`);
      const trips = asked;
      [asked, ready] = [[], 0];
      return trips;
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const text = (body: Buffer, from: number) => body.toString('utf8', from, body.indexOf(0, from)).trim();

/**
 * Cuts a stream into messages: a type byte (none in the startup message), an Int32 length that counts itself,
 * the body.
 */
function messages({ startup }: { startup: boolean }, onMessage: (type: string, body: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let head = startup ? 0 : 1;
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      onMessage(head === 0 ? '' : String.fromCharCode(rest[0]!), rest.subarray(head + 4, end));
      rest = rest.subarray(end);
      head = 1;
    }
  };
}
