import { mkdirSync, readdirSync, rmSync, symlinkSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localDir, unpackDebian, type DebianProgram } from '../infra';

/** The folder kept between runs: programs, file systems of images, and the images themselves. */
export const engineDir = path.join(localDir, 'engine');

/** Held by the process that uses the engine of this checkout. */
export const engineLock = path.join(engineDir, 'engine.lock');

/**
 * Docker with Compose and BuildKit, of the next release of Debian: those of Debian 12 are too old for
 * docker-compose.yml. They run with the C library of Debian 12.
 */
const docker: DebianProgram = {
  name: 'Docker',
  folder: 'docker-debian',
  suite: 'forky',
  packages: ['docker.io', 'docker-cli', 'docker-compose', 'docker-buildx', 'containerd'],
  byHand: 'connect this machine to a mirror of Debian',
};

/** The packages Docker needs of the release of this machine, and the maker of root file systems. */
const helpers: DebianProgram = {
  name: 'The helpers of Docker',
  folder: 'helpers-debian',
  packages: [
    'runc',
    'iptables',
    'libip4tc2',
    'libip6tc2',
    'libmnl0',
    'libnetfilter-conntrack3',
    'libnfnetlink0',
    'libnftnl11',
    'libxtables12',
    'mmdebstrap',
    'tini',
  ],
  byHand: docker.byHand,
};

/** The places of the programs of the engine. */
export interface EnginePrograms {
  /** Folder with all of them, for PATH. */
  bin: string;
  /** Folder of the settings of the client, with its plugins Compose and BuildKit. */
  config: string;
  /** Makes the root file system of a release of Debian. */
  mmdebstrap: string;
  /** Static program that is the first process of a namespace, or of a container. */
  init: string;
}

const dockerPrograms = [
  'usr/sbin/dockerd',
  'usr/sbin/docker-proxy',
  'usr/bin/docker',
  'usr/bin/containerd',
  'usr/bin/containerd-shim-runc-v2',
];

/**
 * Downloads the programs of an engine into `.local/engine` once; nothing is installed.
 *
 * @throws {SetupError} where there is no apt, or no network
 */
export async function enginePrograms(say: (line: string) => void): Promise<EnginePrograms> {
  mkdirSync(engineDir, { recursive: true });
  const home = { dir: engineDir, account: null };
  const root = await unpackDebian(docker, home, say);
  const helpersRoot = await unpackDebian(helpers, home, say);
  const programs = {
    bin: path.join(engineDir, 'bin'),
    config: path.join(engineDir, 'config'),
    mmdebstrap: path.join(helpersRoot, 'usr/bin/mmdebstrap'),
    init: path.join(helpersRoot, 'usr/bin/tini-static'),
  };
  // Written again: the checkout may have been moved.
  rmSync(programs.bin, { recursive: true, force: true });
  rmSync(programs.config, { recursive: true, force: true });
  const plugins = path.join(programs.config, 'cli-plugins');
  for (const dir of [programs.bin, plugins]) mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(programs.config, 'config.json'), '{}\n');
  for (const file of dockerPrograms) link(path.join(root, file), programs.bin);
  symlinkSync(programs.init, path.join(programs.bin, 'docker-init'));
  link(path.join(helpersRoot, 'usr/sbin/runc'), programs.bin);
  for (const name of ['iptables', 'ip6tables'].flatMap((each) => [each, `${each}-save`, `${each}-restore`]))
    writeFilterProgram(name, helpersRoot, programs.bin);
  const pluginsRoot = path.join(root, 'usr/libexec/docker/cli-plugins');
  for (const name of readdirSync(pluginsRoot)) link(path.join(pluginsRoot, name), plugins);
  return programs;
}

const link = (file: string, dir: string) => symlinkSync(file, path.join(dir, path.basename(file)));

/** iptables with its libraries: variables for the engine would also reach the programs in containers. */
function writeFilterProgram(name: string, root: string, bin: string): void {
  const libraries = ['usr/lib', 'lib']
    .map((each) => path.join(root, each))
    .filter(existsSync)
    .flatMap((each) => readdirSync(each).map((folder) => path.join(each, folder)))
    .filter((each) => each.endsWith('-linux-gnu'));
  const extensions = libraries.map((each) => path.join(each, 'xtables')).find(existsSync);
  const program = path.join(root, 'usr/sbin/xtables-nft-multi');
  const lines = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${libraries.join(':')}' XTABLES_LIBDIR='${extensions}'`,
    `exec '${program}' ${name} "$@"`,
  ];
  writeFileSync(path.join(bin, name), `${lines.join('\n')}\n`, { mode: 0o755 });
}
