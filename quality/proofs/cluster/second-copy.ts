import path from 'node:path';
import { checkoutDir, launch, PortBook } from '@canvass/infra';
import {
  loadSecrets,
  serviceEnvironment,
  serviceNames,
  urlsOf,
  type ServiceEnvironments,
  type Stack,
} from '@canvass/stack';
import { eventually } from '@canvass/testing';
import { ownAddress, type Host, type Network } from './network';

const service = 'submissions-svc';
const ports = { port: 8080, internalPort: 8081 };
const startMs = 120_000;
const urlOf = ({ address }: Host) => `http://${address}:${ports.port}`;

/** Settings by which the stack expects a second copy of submissions-svc on a host of its own. */
export async function environmentFor(host: Host, dir: string): Promise<ServiceEnvironments> {
  const port = await new PortBook(path.join(dir, 'ports.json')).take(service);
  const copies = JSON.stringify([`http://127.0.0.1:${port}`, urlOf(host)]);
  return {
    // The copy reads its keys.
    'identity-svc': { Service__Hosting__Host: '0.0.0.0' },
    gateway: { Service__Gateway__Services__Submissions: copies },
  };
}

/** Starts the copy and waits until it is ready. */
export async function startSecondCopy(
  { file }: Stack,
  network: Network,
  host: Host,
  dir: string,
): Promise<void> {
  const addresses = { ...file, urls: urlsOf(file) };
  const reachable = JSON.parse(
    JSON.stringify(addresses).replaceAll('//127.0.0.1:', `//${ownAddress}:`),
  ) as typeof addresses;
  const program = path.join(checkoutDir, 'dist/apps', service, 'main.js');
  await launch({
    command: 'nsenter',
    args: network.on(host, { uid: 0, gid: 0 }, process.execPath, program),
    env: {
      PATH: process.env['PATH'],
      ...serviceEnvironment(service, ports, reachable, loadSecrets(dir, serviceNames)),
      Service__Hosting__Host: host.address,
    },
    cwd: dir,
    logFile: path.join(dir, 'logs', `${host.name}.log`),
    account: null,
  });
  await eventually(async () => (await fetch(`${urlOf(host)}/ready`)).ok, { timeoutMs: startMs });
}
