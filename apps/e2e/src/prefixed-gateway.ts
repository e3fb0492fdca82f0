import { eventually } from '@canvass/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { environment } from './config';
import { stackFile } from './stack';

export interface PrefixedGateway {
  url: string;
  stop(): Promise<void>;
}

/** A second gateway of the stack, which a proxy serves at this path. Its limits are turned off. */
export async function startPrefixedGateway(pathPrefix: string): Promise<PrefixedGateway> {
  const { services } = await stackFile();
  const [port, internalPort] = [await freePort(), await freePort()];
  const main = path.resolve(__dirname, '../../../dist/apps/gateway/main.js');
  const limits = ['PerAddress', 'PerAccount', 'PerFormToken', 'AnonymousCreates', 'AnonymousSaves'];
  const env = {
    PATH: environment['PATH'],
    Service__Hosting__Host: '127.0.0.1',
    Service__Hosting__Port: String(port),
    Service__Hosting__InternalPort: String(internalPort),
    Service__Hosting__DrainSeconds: '0',
    Service__Gateway__PathPrefix: pathPrefix,
    Service__Gateway__Services__Submissions: services['submissions-svc'].url,
    Service__Gateway__Services__DataLists: services['datalists-svc'].url,
    Service__Gateway__Services__Identity: services['identity-svc'].url,
    Service__Gateway__Services__WebHookRelay: services['webhook-relay-svc'].url,
    ...Object.fromEntries(limits.map((name) => [`Service__Gateway__RateLimits__${name}`, '0'])),
  };
  const gateway = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  gateway.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (gateway.exitCode !== null) return;
    const ended = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    await ended;
  };
  try {
    await eventually(async () => {
      if (gateway.exitCode !== null) throw new Error(`The gateway ended:\n${log}`);
      if (!(await fetch(`${url}/ready`)).ok) throw new Error(`The gateway is not ready:\n${log}`);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
