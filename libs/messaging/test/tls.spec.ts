import { selfSigned, testVhost } from '@canvass/testing';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';

/** The authorities of a process are those of its start. */
async function stateOf(url: string, environment: Record<string, string>): Promise<string> {
  const program = path.join(__dirname, 'fixtures/connect.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, url], {
    env: { ...process.env, ...environment },
    timeout: 60_000,
  });
  return stdout.trim();
}

it('amqps:// verifies the certificate of RabbitMQ: by the authorities of Node and of NODE_EXTRA_CA_CERTS', async () => {
  const vhost = await testVhost();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-tls-'));
  const authority = path.join(folder, 'ca.crt');
  writeFileSync(authority, selfSigned.cert);
  const behind = new URL(vhost.url);
  const front = createServer(selfSigned, (socket) => {
    const server = connect(Number(behind.port || 5672), behind.hostname);
    for (const each of [socket, server]) each.on('error', () => socket.destroy());
    socket.pipe(server).pipe(socket);
  }).listen(0, '127.0.0.1');
  try {
    await once(front, 'listening');
    const url = vhost.url
      .replace('amqp:', 'amqps:')
      .replace(behind.host, `localhost:${(front.address() as AddressInfo).port}`);
    expect(await stateOf(url, { NODE_EXTRA_CA_CERTS: authority })).toContain('connected');
    expect(await stateOf(url, {})).toMatch(/certificate/);
  } finally {
    front.close();
    rmSync(folder, { recursive: true });
    await vhost.drop();
  }
});
