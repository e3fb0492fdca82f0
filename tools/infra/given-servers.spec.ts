import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { checkGivenServers } from './given-servers';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server on a loopback port. Returns its `host:port`. */
async function listen(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => serve(socket.on('error', () => undefined)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A message of the protocol of PostgreSQL: type, length, content. */
function message(type: string, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A PostgreSQL that lets everybody in and answers every query with one number. */
const postgresThatAnswers = (value: string) =>
  listen((socket) => {
    const ready = message('Z', 'I');
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      socket.on('data', (query) => {
        if (query[0] !== 'Q'.charCodeAt(0)) return;
        const int4 = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0]);
        const column = message('T', Buffer.from([0, 1]), 'version\0', int4);
        const row = message('D', Buffer.from([0, 1, 0, 0, 0, value.length]), value);
        socket.write(Buffer.concat([column, row, message('C', 'SELECT 1\0'), ready]));
      });
    });
  });

it.each([
  [{ databaseUrl: 'nonsense' }, /^DATABASE_URL must be a URL that begins with postgres:\/\//],
  [{ databaseUrl: 'mysql://root@127.0.0.1/x' }, /^DATABASE_URL must be a URL/],
  [{ amqpUrl: 'nonsense' }, /^AMQP_URL must be a URL that begins with amqp:\/\//],
  [{ amqpUrl: 'http://127.0.0.1' }, /^AMQP_URL must be a URL/],
  [{ databaseUrl: 'postgres://x@127.0.0.1:1/x' }, /^DATABASE_URL: PostgreSQL at 127.0.0.1:1 .*ECONNREFUSED/],
  [{ amqpUrl: 'amqp://x@127.0.0.1:1' }, /^AMQP_URL: RabbitMQ at 127.0.0.1:1 .*ECONNREFUSED/],
])('refuses %j in one sentence', async (given, sentence) => {
  await expect(checkGivenServers(given)).rejects.toThrow(sentence);
});

it('refuses another server on the port', async () => {
  const address = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect(checkGivenServers({ databaseUrl: `postgres://x@${address}/x` })).rejects.toThrow(
    `DATABASE_URL: PostgreSQL at ${address} does not answer`,
  );
  await expect(checkGivenServers({ amqpUrl: `amqp://x@${address}` })).rejects.toThrow(
    `AMQP_URL: RabbitMQ at ${address} does not answer`,
  );
});

it('says that a server refuses, where it answers', async () => {
  const fault = ['S', 'FATAL\0', 'C', '3D000\0', 'M', 'database "missing" does not exist\0', '\0'];
  const postgres = await listen((socket) => socket.once('data', () => socket.end(message('E', ...fault))));
  await expect(checkGivenServers({ databaseUrl: `postgres://x@${postgres}/missing` })).rejects.toThrow(
    `DATABASE_URL: PostgreSQL at ${postgres} refuses the login (database "missing" does not exist).`,
  );
});

it('refuses a PostgreSQL before 18', async () => {
  const old = await postgresThatAnswers('15');
  await expect(checkGivenServers({ databaseUrl: `postgres://x@${old}/x` })).rejects.toThrow(
    `DATABASE_URL: Canvass needs PostgreSQL 18 or later; ${old} is PostgreSQL 15.`,
  );
  const current = await postgresThatAnswers('18');
  await expect(checkGivenServers({ databaseUrl: `postgres://x@${current}/x` })).resolves.toBeUndefined();
});

it('has nothing to look at without URLs', async () => {
  await expect(checkGivenServers({})).resolves.toBeUndefined();
});
