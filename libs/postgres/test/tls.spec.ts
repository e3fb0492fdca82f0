import { selfSigned, testDatabase, type TestDatabase } from '@canvass/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createDatabase, migrate, provision } from '../src';

let database: TestDatabase;
let front: Server;
let authority: string;

/** Speaks TLS as Postgres does: after the request for it, which has eight bytes. */
beforeAll(async () => {
  database = await testDatabase({ template: 'tls', schema: 'spec', prepare: () => Promise.resolve() });
  authority = path.join(mkdtempSync(path.join(os.tmpdir(), 'canvass-tls-')), 'ca.crt');
  writeFileSync(authority, selfSigned.cert);
  const behind = new URL(database.url);
  front = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const secured = new TLSSocket(socket, {
        isServer: true,
        secureContext: createSecureContext(selfSigned),
      });
      const server = connect(Number(behind.port), behind.hostname);
      for (const each of [secured, server]) each.on('error', () => secured.destroy());
      secured.pipe(server).pipe(secured);
    });
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
});
afterAll(async () => {
  front.close();
  rmSync(path.dirname(authority), { recursive: true });
  await database.drop();
});

function through(url: string, parameters: Record<string, string>): string {
  const secured = new URL(url);
  secured.hostname = 'localhost'; // the name in the certificate
  secured.port = String((front.address() as AddressInfo).port);
  for (const [name, value] of Object.entries(parameters)) secured.searchParams.set(name, value);
  return secured.href;
}

it('sslmode=verify-full in a URL: sessions, migrations and provisioning verify the certificate of the server', async () => {
  const known = { sslmode: 'verify-full', sslrootcert: authority };
  await provision(through(database.adminUrl, known), []);
  await migrate(through(database.url, known), []);
  const session = createDatabase({ Url: through(database.url, known), PoolMax: 1 });
  expect(await session.query('select 1 as one')).toEqual([{ one: 1 }]);
  await session.close();
});

it.each([
  ['of no known authority', 'localhost', false],
  ['of another host', '127.1', true],
])('sslmode=verify-full refuses a certificate %s', async (_, host, isKnown) => {
  const url = new URL(
    through(database.url, { sslmode: 'verify-full', ...(isKnown && { sslrootcert: authority }) }),
  );
  url.hostname = host;
  const session = createDatabase({ Url: url.href, PoolMax: 1 });
  await expect(session.query('select 1')).rejects.toThrow(/certificate|altnames/i);
  await session.close();
});
