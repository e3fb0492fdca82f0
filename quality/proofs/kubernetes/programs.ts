import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { EnginePrograms } from '@canvass/engine';
import { downloadDebianSource, localDir, unpackDebian, withLock, type DebianProgram } from '@canvass/infra';

/** What the proof keeps between runs: programs, and the archive of images. */
export const kubernetesDir = path.join(localDir, 'kubernetes');
const home = { dir: kubernetesDir, account: null };
const bin = path.join(kubernetesDir, 'bin');
const byHand = 'connect this machine to a mirror of Debian';
const suite = 'bookworm';

/** What builds Kubernetes. The next releases of Debian have no server of it, or no complete source. */
const toolchain: DebianProgram = {
  name: 'Go',
  folder: 'toolchain-debian',
  suite,
  packages: ['golang-1.19-go', 'golang-1.19-src', 'dpkg-dev', 'libdpkg-perl', 'patch', 'xz-utils'],
  byHand,
};

/** What runs beside Kubernetes, and its client. */
const helpers: DebianProgram = {
  name: 'etcd and containerd',
  folder: 'helpers-debian',
  suite,
  packages: [
    'etcd-server',
    'containerd',
    'runc',
    'containernetworking-plugins',
    'catatonit',
    'kubernetes-client',
  ],
  byHand,
};

/** The client of Debian 12 does not know the labels of our kustomization. */
const kustomize: DebianProgram = {
  name: 'kustomize',
  folder: 'kustomize-debian',
  suite: 'trixie',
  packages: ['kustomize'],
  byHand,
};

const servers = ['kube-apiserver', 'kubelet', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];

export interface KubernetesPrograms {
  /** PATH with all programs. */
  path: string;
  /** Folder of the plugins that connect pods to the network. */
  cni: string;
  /** Static program that a pod starts with, and that does nothing but wait. */
  pause: string;
  kustomize: string;
}

/**
 * Downloads and builds the programs of a cluster into `.local/kubernetes`, once.
 *
 * @throws {SetupError} where there is no apt, or no network
 */
export async function kubernetesPrograms(
  engine: EnginePrograms,
  say: (line: string) => void,
): Promise<KubernetesPrograms> {
  mkdirSync(bin, { recursive: true });
  const root = await unpackDebian(helpers, home, say);
  const renderer = await unpackDebian(kustomize, home, say);
  await withLock(path.join(kubernetesDir, 'build.lock'), () => buildServers(say));
  const folders = [bin, path.join(root, 'usr/bin'), path.join(root, 'usr/sbin'), engine.bin];
  return {
    path: [...folders, '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'].join(':'),
    cni: path.join(root, 'usr/lib/cni'),
    pause: path.join(root, 'usr/bin/catatonit'),
    kustomize: path.join(renderer, 'usr/bin/kustomize'),
  };
}

/** Builds what an interrupted build has not built. The source has all modules: nothing else is downloaded. */
async function buildServers(say: (line: string) => void): Promise<void> {
  const missing = servers.filter((name) => !existsSync(path.join(bin, name)));
  if (missing.length === 0) return;
  say('Kubernetes: building it of the source package of Debian (once per checkout; takes minutes) …');
  const root = await unpackDebian(toolchain, home, say);
  const goPath = path.join(kubernetesDir, 'gopath');
  const cache = path.join(kubernetesDir, 'cache');
  const source = path.join(goPath, 'src/k8s.io/kubernetes');
  if (!existsSync(source)) await unpackSource(root, source);
  const goRoot = path.join(root, 'usr/lib/go-1.19');
  const env = {
    PATH: `${goRoot}/bin:${process.env['PATH']}`,
    HOME: kubernetesDir,
    GOROOT: goRoot,
    GOPATH: goPath,
    GOCACHE: cache,
    GO111MODULE: 'off',
    CGO_ENABLED: '0',
  };
  const run = async (command: string, ...args: string[]) => {
    await promisify(execFile)('nice', ['-n', '19', command, ...args], { cwd: source, env, maxBuffer: 1e8 });
  };
  const build = async (output: string, from: string) => {
    // Without what is for clouds and for Docker.
    const flags = ['-tags', 'providerless,dockerless', '-ldflags', '-s -w'];
    await run('go', 'build', ...flags, '-o', `${output}.draft`, from);
    renameSync(`${output}.draft`, output);
  };
  await generateOpenApi(source, goPath, build, run);
  for (const name of missing) {
    await build(path.join(bin, name), `./cmd/${name}`);
    say(`Kubernetes: built ${name}`);
  }
  // They are large, and nothing needs them any more.
  for (const dir of [goPath, cache, root]) rmSync(dir, { recursive: true, force: true });
}

async function unpackSource(root: string, source: string): Promise<void> {
  const download = path.join(kubernetesDir, 'source');
  rmSync(download, { recursive: true, force: true });
  mkdirSync(download, { recursive: true });
  mkdirSync(path.dirname(source), { recursive: true });
  await downloadDebianSource('kubernetes', suite, download);
  const env = {
    PATH: `${root}/usr/bin:${process.env['PATH']}`,
    PERL5LIB: path.join(root, 'usr/share/perl5'),
    DPKG_DATADIR: path.join(root, 'usr/share/dpkg'),
  };
  const unpack = 'dpkg-source --no-check -x kubernetes_*.dsc "$1.draft"';
  rmSync(`${source}.draft`, { recursive: true, force: true });
  await promisify(execFile)('sh', ['-c', unpack, 'sh', source], { cwd: download, env });
  renameSync(`${source}.draft`, source);
  rmSync(download, { recursive: true });
}

/** Generates the one file that is not in the source: the description of the API, by which it is validated. */
async function generateOpenApi(
  source: string,
  goPath: string,
  build: (output: string, from: string) => Promise<void>,
  run: (command: string, ...args: string[]) => Promise<void>,
): Promise<void> {
  const generated = 'k8s.io/kubernetes/pkg/generated/openapi';
  if (existsSync(path.join(goPath, 'src', generated, 'zz_generated.openapi.go'))) return;
  const generator = path.join(goPath, 'openapi-gen');
  await build(generator, './vendor/k8s.io/kube-openapi/cmd/openapi-gen');
  const roots = ['pkg', 'cmd', 'staging/src/k8s.io'];
  const list = ['-rlE', '--include=*.go', '^// \\+k8s:openapi-gen=true', ...roots];
  const files = execFileSync('grep', list, { cwd: source, encoding: 'utf8' }).trim().split('\n');
  const packages = files
    .filter((file) => !/\/testdata\/|\/examples?\/|sample-|_test\.go$/.test(file))
    .map((file) => path.dirname(file).replace(/^staging\/src\//, 'vendor/'))
    .map((dir) => `k8s.io/kubernetes/${dir}`);
  const input = [...new Set(packages)].sort().join(',');
  const output = ['-O', 'zz_generated.openapi', '-o', path.join(goPath, 'src')];
  const others = ['-h', 'hack/boilerplate/boilerplate.generatego.txt', '-r', path.join(goPath, 'report')];
  await run(generator, '-i', input, '-p', generated, ...output, ...others);
}
