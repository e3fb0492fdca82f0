import { eventually, freePort } from '@canvass/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { environment } from './config';
import type { ServiceName } from './stack';

export interface PrefixedGateway {
  url: string;
  stop(): Promise<void>;
}

/**
 * A further gateway, which a proxy serves at a path. Its limits are turned off.
 *
 * @param services of a stack
 * @param env more configuration, such as that of the own gateway of the stack
 */
export async function startPrefixedGateway(
  pathPrefix: string,
  services: Partial<Record<ServiceName, { url: string }>>,
  env: Record<string, string> = {},
): Promise<PrefixedGateway> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const main = path.resolve(__dirname, '../../../dist/apps/gateway/main.js');
  const limits = ['PerAddress', 'PerAccount', 'PerFormToken', 'AnonymousCreates', 'AnonymousSaves'];
  const addresses = {
    Submissions: services['submissions-svc']?.url,
    DataLists: services['datalists-svc']?.url,
    Identity: services['identity-svc']?.url,
    WebHookRelay: services['webhook-relay-svc']?.url,
  };
  const sectionOf = (section: string, settings: object) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`Service__Gateway__${section}__${name}`, value]),
    ) as Record<string, string | undefined>;
  const gateway = spawn(process.execPath, [main], {
    env: {
      PATH: environment['PATH'],
      ...env,
      Service__Hosting__Host: '127.0.0.1',
      Service__Hosting__Port: String(port),
      Service__Hosting__InternalPort: String(internalPort),
      Service__Hosting__DrainSeconds: '0',
      Service__Gateway__PathPrefix: pathPrefix,
      ...sectionOf('Services', addresses),
      ...sectionOf('RateLimits', Object.fromEntries(limits.map((name) => [name, '0']))),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
      const readiness = env['Service__Hosting__ReadinessPath'] ?? '/ready';
      if (!(await fetch(url + readiness)).ok) throw new Error(`The gateway is not ready:\n${log}`);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
