import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A machine of its own, as far as the network sees: a network namespace with one address. */
export interface Host {
  name: string;
  address: string;
}

/** User and group ids of a process. */
interface Account {
  uid: number;
  gid: number;
}

const bridge = 'canvass0';
export const subnet = '10.77.0.0/24';
const addressOf = (number: number) => `10.77.0.${number}`;
const macOf = (number: number) => `02:00:0a:4d:00:${number.toString(16).padStart(2, '0')}`;
const own = 1;
/** Of this process, beside the switch. */
export const ownAddress = addressOf(own);

/**
 * A switch with hosts, inside the network and mount namespaces of this process. Names are resolved by a hosts
 * file that only this process and its children see. Neighbour entries are fixed, so that no packet to a silent
 * host gets an error: senders have to notice the silence.
 */
export class Network {
  private readonly hosts: (Host & { number: number })[] = [];
  private readonly names = new Map<string, string[]>();
  private readonly file: string;

  /** @param dir for the hosts file */
  constructor(dir: string) {
    mkdirSync('/run/netns', { recursive: true });
    run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
    this.file = path.join(dir, 'hosts');
    this.writeNames();
    run('mount', '--bind', this.file, '/etc/hosts');
    run('ip', 'link', 'set', 'lo', 'up');
    run('ip', 'link', 'add', bridge, 'address', macOf(own), 'type', 'bridge');
    run('ip', 'addr', 'add', `${addressOf(own)}/24`, 'dev', bridge);
    run('ip', 'link', 'set', bridge, 'up');
  }

  /** Adds a host. @param number last part of its address, 2 to 254 */
  add(name: string, number: number): Host {
    const host = { name, number, address: addressOf(number) };
    const inside = ['-n', name];
    run('ip', 'netns', 'add', name);
    run('ip', 'link', 'add', wireOf(host), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    run('ip', ...inside, 'link', 'set', 'eth0', 'address', macOf(number));
    run('ip', ...inside, 'addr', 'add', `${host.address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) run('ip', ...inside, 'link', 'set', device, 'up');
    run('ip', 'link', 'set', wireOf(host), 'up');
    this.heal(host);
    run('ip', ...neighbour(host.address, number, bridge));
    for (const other of this.hosts) run('ip', '-n', other.name, ...neighbour(host.address, number, 'eth0'));
    for (const other of [...this.hosts, { number: own }])
      run('ip', ...inside, ...neighbour(addressOf(other.number), other.number, 'eth0'));
    this.hosts.push(host);
    return host;
  }

  /** Pulls the cable: nothing arrives, and no sender gets an error. */
  isolate(host: Host): void {
    run('ip', 'link', 'set', wireOf(host), 'nomaster');
  }

  heal(host: Host): void {
    run('ip', 'link', 'set', wireOf(host), 'master', bridge);
  }

  /** Lets a name mean these hosts. */
  resolve(name: string, ...hosts: readonly Host[]): void {
    this.names.set(
      name,
      hosts.map(({ address }) => address),
    );
    this.writeNames();
  }

  /** The arguments of `nsenter` that run a command on a host. */
  on(host: Host, { uid, gid }: Account, command: string, ...args: string[]): string[] {
    return [`--net=/run/netns/${host.name}`, '-S', `${uid}`, '-G', `${gid}`, '--', command, ...args];
  }

  /** In place: the file is mounted. */
  private writeNames(): void {
    const lines = [...this.names].flatMap(([name, addresses]) => addresses.map((each) => `${each} ${name}`));
    writeFileSync(this.file, ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  }
}

/** The end at the switch. Linux allows 15 characters. */
const wireOf = ({ address }: Host) => `wire-${address.split('.').at(-1)}`;

const neighbour = (address: string, number: number, device: string) =>
  ['neigh', 'replace', address, 'lladdr', macOf(number), 'dev', device, 'nud', 'permanent'] as const;

/** @throws {Error} with what the command printed */
function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
