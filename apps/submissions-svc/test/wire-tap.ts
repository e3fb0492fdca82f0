import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The record of what went to Postgres and back, as its protocol (v3) counts it. */
export interface WireTap {
  /** The database URL that leads through the tap. */
  url: string;
  /**
   * Transactions since the last call, each as its round trips: what each asked for (the name of the prepared
   * statement, or SQL). A trip is sent with one Sync or simple Query and answered by one ReadyForQuery. A
   * statement outside of a transaction is one of its own.
   *
   * @throws if a trip has no answer yet, or a transaction is open
   */
  take(): string[][];
  close(): Promise<void>;
}

/** A TCP proxy in front of Postgres that reads the messages passing through. */
export async function tapWire(databaseUrl: string): Promise<WireTap> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const connections = new Set<{ unfinished: string[]; unanswered: number }>();
  let finished: string[][] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const connection = { unfinished: [] as string[], unanswered: 0 };
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
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
      connection.unfinished.push(said.filter(Boolean).at(-1) ?? '');
      connection.unanswered += 1;
      said = [];
    });
    const fromPostgres = messages({ startup: false }, (type, body) => {
      if (type !== 'Z') return;
      if (!greeted) return void (greeted = true); // the first one ends the log-in
      connection.unanswered -= 1;
      if (connection.unanswered > 0 || body.toString('latin1') !== 'I') return;
      finished.push(connection.unfinished);
      connection.unfinished = [];
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
      const open = [...connections].flatMap(({ unfinished }) => unfinished);
      if (open.length > 0) throw new Error(`not finished: ${open.join(', ')}`);
      const transactions = finished;
      finished = [];
      return transactions;
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
