import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDir, launch, localDir, rabbitBinaries, rabbitEnvironment, serverHome } from '@canvass/infra';
import { eventually } from '@canvass/testing';
import type { Host, Network } from './network';

const ports = { amqp: 5672, distribution: 25_672, epmd: 4369 };
const managementPort = 15_672;
const startMs = 300_000;
const user = 'canvass';

/** RabbitMQ 4 nodes in one cluster, each on a host of its own. */
export class Brokers {
  private readonly pids = new Map<Host, number>();

  constructor(
    private readonly network: Network,
    private readonly hosts: readonly Host[],
    private readonly dir: string,
    private readonly password: string,
  ) {}

  /** By a name that means all nodes. */
  readonly url = (name: string): string => `amqp://${user}:${this.password}@${name}:${ports.amqp}`;

  get managementUrl(): string {
    return `http://${user}:${this.password}@${this.hosts[0]!.address}:${managementPort}`;
  }

  /** Starts all nodes and waits until they are one cluster. */
  async start(): Promise<void> {
    for (const host of this.hosts) await this.startNode(host);
    await this.untilComplete();
  }

  async startNode(host: Host): Promise<void> {
    const account = serverHome(this.dir).account!;
    const data = path.join(serverHome(this.dir).dir, host.name);
    for (const part of ['', 'home', 'mnesia', 'log']) ensureDir(path.join(data, part), account, 0o700);
    const write = (name: string, text: string, mode: number) => {
      const file = path.join(data, name);
      writeFileSync(file, text, { mode });
      chownSync(file, account.uid, account.gid);
    };
    write('home/.erlang.cookie', this.password, 0o400);
    write('rabbitmq.conf', this.configuration(), 0o600);
    write('enabled_plugins', '[rabbitmq_management].\n', 0o600);
    const { server, env } = await rabbitBinaries(serverHome(localDir), (line) => console.log(line), '4');
    const { pid } = await launch({
      command: 'nsenter',
      args: this.network.on(host, account, server),
      env: {
        ...env,
        ...rabbitEnvironment(data, nodeOf(host), ports),
        RABBITMQ_USE_LONGNAME: 'true',
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-rabbit dead_letter_worker_publisher_confirm_timeout 10000',
        ERL_EPMD_ADDRESS: undefined,
      },
      cwd: data,
      logFile: path.join(this.dir, 'logs', `${host.name}.log`),
      account: null,
    });
    this.pids.set(host, pid);
  }

  kill(host: Host): void {
    process.kill(this.pids.get(host)!, 'SIGKILL');
  }

  /** The host of the leader of a queue. */
  async leaderOf(queue: string): Promise<Host> {
    const { leader } = (await this.ask(`/queues/%2F/${queue}`)) as { leader: string };
    return this.hosts.find((host) => nodeOf(host) === leader)!;
  }

  /** Waits until all nodes run and every queue has a member on each, online. */
  async untilComplete(): Promise<void> {
    const isComplete = async () => {
      const nodes = (await this.ask('/nodes')) as { running: boolean }[];
      const queues = (await this.ask('/queues/%2F')) as { online?: string[]; type?: string }[];
      const quorum = queues.filter(({ type }) => type === 'quorum');
      return (
        nodes.filter(({ running }) => running).length === this.hosts.length &&
        quorum.every(({ online = [] }) => online.length === this.hosts.length)
      );
    };
    await eventually(isComplete, { timeoutMs: startMs, message: 'a complete cluster of RabbitMQ' });
  }

  /** Asks the management API of the first node that answers. */
  private async ask(resource: string): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`${user}:${this.password}`).toString('base64')}`;
    const asked = this.hosts.map(async ({ address }) => {
      const answer = await fetch(`http://${address}:${managementPort}/api${resource}`, {
        headers: { authorization },
        signal: AbortSignal.timeout(10_000),
      });
      if (!answer.ok) throw new Error(`${resource} answered ${answer.status}`);
      return answer.json();
    });
    return Promise.any(asked);
  }

  private configuration(): string {
    const peers = this.hosts.map((host, index) => {
      return `cluster_formation.classic_config.nodes.${index + 1} = ${nodeOf(host)}`;
    });
    return [
      `listeners.tcp.1 = 0.0.0.0:${ports.amqp}`,
      `management.tcp.port = ${managementPort}`,
      `default_user = ${user}`,
      `default_pass = ${this.password}`,
      'vm_memory_high_watermark.absolute = 1GB',
      'disk_free_limit.absolute = 200MB',
      'raft.wal_max_size_bytes = 64000000',
      'cluster_formation.peer_discovery_backend = classic_config',
      ...peers,
      `cluster_formation.target_cluster_size_hint = ${this.hosts.length}`,
      // A node that was cut off stops, and joins the others when it sees them again.
      'cluster_partition_handling = pause_minority',
      'quorum_queue.continuous_membership_reconciliation.enabled = true',
      `quorum_queue.continuous_membership_reconciliation.target_group_size = ${this.hosts.length}`,
      'quorum_queue.continuous_membership_reconciliation.interval = 5000',
      '',
    ].join('\n');
  }
}

const nodeOf = ({ address }: Host) => `rabbit@${address}`;
