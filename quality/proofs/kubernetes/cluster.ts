import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launch } from '@canvass/infra';
import { eventually } from '@canvass/testing';
import { ownAddress, type Host, type Network } from '../cluster/network';
import { Client, proxyPort } from './client';
import { groupOf } from './groups';
import type { KubernetesPrograms } from './programs';

const startMs = 300_000;
const podNetwork = '10.244.0.0/16';
const serviceNetwork = '10.96.0.0/16';
const apiUrl = `https://${ownAddress}:6443`;
const runFolder = '/run/canvass';
/** How long pods of a node stay that is silent, in seconds. The default is 300. */
const staySeconds = 30;
/** What kubelet sets for the whole machine. */
const settings = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

const numberOf = ({ address }: Host) => address.split('.').at(-1)!;
const podsOf = (host: Host) => `10.244.${numberOf(host)}.0/24`;

/** A Kubernetes cluster in the namespaces of this process: a control plane beside the switch, and nodes on hosts. */
export class KubernetesCluster {
  readonly client: Client;
  private readonly env: NodeJS.ProcessEnv;

  /**
   * @param dir for data and logs
   * @param images archive that each node imports
   * @param owner process that created the control groups of the nodes
   */
  constructor(
    readonly network: Network,
    readonly nodes: readonly Host[],
    private readonly programs: KubernetesPrograms,
    private readonly dir: string,
    private readonly images: string,
    private readonly owner: number,
  ) {
    const KUBECONFIG = path.join(dir, 'admin.conf');
    this.env = { PATH: programs.path, HOME: dir, KUBECONFIG };
    this.client = new Client(this.env);
  }

  /** Starts everything and waits until the nodes are ready. */
  async start(): Promise<void> {
    this.keepSettings();
    await this.startControlPlane();
    for (const node of this.nodes) await this.startNode(node);
    for (const node of this.nodes) await this.client.untilNode(node.name, true);
  }

  /** Stops a process for good, without an end: it answers nothing any more. @param containerId of its pod */
  freeze(node: string, containerId: string): void {
    const id = containerId.replace('containerd://', '');
    const args = ['--namespace', 'k8s.io', 'tasks', 'kill', '--signal', 'SIGSTOP', id];
    const env = { ...this.env, CONTAINERD_ADDRESS: path.join(runFolder, node, 'containerd.sock') };
    execFileSync('ctr', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  }

  /** Lets kubelet write its settings into files instead: they would hold for the whole machine, and stay. */
  private keepSettings(): void {
    // With both hierarchies of control groups mounted, kubelet expects the newer one alone.
    spawnSync('umount', ['/sys/fs/cgroup/unified']);
    for (const name of settings) {
      const file = path.join(this.dir, 'settings', name);
      mkdirSync(path.dirname(file), { recursive: true });
      execFileSync('cp', [path.join('/proc/sys', name), file]);
      execFileSync('mount', ['--bind', file, path.join('/proc/sys', name)]);
    }
  }

  private async startControlPlane(): Promise<void> {
    const token = randomBytes(16).toString('hex');
    const file = (name: string) => path.join(this.dir, name);
    const keys = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    writeFileSync(file('accounts.key'), keys.privateKey);
    writeFileSync(file('accounts.pub'), keys.publicKey);
    writeFileSync(file('tokens.csv'), `${token},admin,admin,system:masters\n`);
    const cluster = { server: apiUrl, 'certificate-authority': file('pki/apiserver.crt') };
    const configuration = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'proof', cluster }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'proof', context: { cluster: 'proof', user: 'admin' } }],
      'current-context': 'proof',
    };
    writeFileSync(file('admin.conf'), JSON.stringify(configuration));
    const etcd = 'http://127.0.0.1:2379';
    await this.launch('etcd', {
      'data-dir': file('etcd'),
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': 'http://127.0.0.1:2380',
      'unsafe-no-fsync': 'true',
    });
    await this.launch('kube-apiserver', {
      'etcd-servers': etcd,
      'advertise-address': ownAddress,
      'cert-dir': file('pki'),
      'token-auth-file': file('tokens.csv'),
      'authorization-mode': 'RBAC',
      'service-cluster-ip-range': serviceNetwork,
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-signing-key-file': file('accounts.key'),
      'service-account-key-file': file('accounts.pub'),
      'default-not-ready-toleration-seconds': `${staySeconds}`,
      'default-unreachable-toleration-seconds': `${staySeconds}`,
      'feature-gates': 'TTLAfterFinished=true',
    });
    const isReady = async () => (await this.client.kubectl('get', '--raw', '/readyz')) === 'ok';
    await eventually(isReady, { timeoutMs: startMs, message: 'an API server' });
    const kubeconfig = file('admin.conf');
    await this.launch('kube-controller-manager', {
      kubeconfig,
      'service-account-private-key-file': file('accounts.key'),
      'leader-elect': 'false',
      'feature-gates': 'TTLAfterFinished=true',
    });
    await this.launch('kube-scheduler', { kubeconfig, 'leader-elect': 'false' });
    // The load comes from here, so services need their addresses here, too.
    for (const node of this.nodes) ip('route', 'add', podsOf(node), 'via', node.address);
    ip('route', 'add', serviceNetwork, 'via', this.nodes[0]!.address);
    await this.launch('kube-proxy', {
      kubeconfig,
      'bind-address': ownAddress,
      'proxy-mode': 'iptables',
      'cluster-cidr': podNetwork,
      'conntrack-max-per-core': '0',
      'conntrack-tcp-timeout-established': '0',
      'conntrack-tcp-timeout-close-wait': '0',
      'oom-score-adj': '0',
    });
    await this.run('kubectl-proxy', 'kubectl', ['proxy', `--port=${proxyPort}`]);
  }

  private launch = (program: string, flags: Record<string, string>): Promise<void> =>
    this.run(
      program,
      program,
      Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    );

  private async run(
    name: string,
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<void> {
    const logFile = path.join(this.dir, 'logs', `${name}.log`);
    await launch({ command, args, env: { ...this.env, ...env }, cwd: this.dir, logFile, account: null });
  }

  private async startNode(node: Host): Promise<void> {
    const others = this.nodes.filter((each) => each !== node);
    const script = path.join(__dirname, 'node.sh');
    const apart = ['unshare', '--mount', '--propagation', 'private', 'sh', script];
    const [command, ...args] = ['nsenter', `--net=/run/netns/${node.name}`, ...apart];
    await this.run(node.name, command!, args, {
      NAME: node.name,
      ADDRESS: node.address,
      PODS: podsOf(node),
      ROUTES: others.map((other) => `${podsOf(other)} ${other.address}`).join('\n'),
      RUN: path.join(runFolder, node.name),
      DATA: path.join(this.dir, node.name),
      LOGS: path.join(this.dir, 'logs'),
      IMAGES: this.images,
      GROUP: groupOf(node.name, this.owner),
      DNS: ownAddress,
      CNI: this.programs.cni,
      POD_NETWORK: podNetwork,
    });
  }
}

const ip = (...args: string[]) => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
