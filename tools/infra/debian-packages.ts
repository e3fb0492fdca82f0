import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureDir, type ServerHome } from './account';
import { localDir, messageOf, SetupError } from './checkout';
import { withLock } from './file-lock';

/** A server program in Debian's packages. */
export interface DebianProgram {
  name: string;
  /** Folder of the unpacked tree, below the servers' folder. */
  folder: string;
  /** A fixed list, because apt's own resolution leaves out what is installed. */
  packages: readonly string[];
  /** Libraries that the packages depend on and a small system lacks. Their names differ between releases. */
  libraries?: RegExp;
  /** A release of Debian; absent: that of the machine. Its programs get the libraries of that release. */
  suite?: string;
  /** The way for a person to get it instead. */
  byHand: string;
}

const erlang =
  'base asn1 crypto public-key mnesia runtime-tools ssl eldap inets os-mon parsetools syntax-tools tools xmerl';

/** RabbitMQ and the parts of Erlang it needs. */
export const debianRabbit: DebianProgram = {
  name: 'RabbitMQ',
  folder: 'rabbitmq-debian',
  packages: ['rabbitmq-server', ...erlang.split(' ').map((part) => `erlang-${part}`)],
  libraries: /^libssl/,
  byHand:
    'install it ("sudo apt-get install rabbitmq-server", or "brew install rabbitmq"), start Docker, or give a broker with AMQP_URL=amqp://…',
};

/** RabbitMQ 4 of Debian 13, with the C library and the others that it needs. */
export const debianRabbit4: DebianProgram = {
  ...debianRabbit,
  name: 'RabbitMQ 4',
  folder: 'rabbitmq-4-debian',
  suite: 'trixie',
  packages: [
    ...debianRabbit.packages,
    'libc6',
    'libstdc++6',
    'libgcc-s1',
    'libtinfo6',
    'zlib1g',
    'libssl3t64',
    'libzstd1',
    'libsystemd0',
    'libcap2',
  ],
};

/** Redis, for the tests of rate limits that several gateways share. */
export const debianRedis: DebianProgram = {
  name: 'Redis',
  folder: 'redis-debian',
  packages: ['redis-server', 'redis-tools', 'libatomic1', 'libjemalloc2', 'liblzf1'],
  byHand: 'install it ("sudo apt-get install redis-server", or "brew install redis")',
};

const chromiumLibraries =
  'libasound2 libasyncns0 libatk-bridge2.0-0 libatk1.0-0 libatspi2.0-0 libavahi-client3 ' +
  'libavahi-common3 libblkid1 libbrotli1 libbsd0 libcairo2 libcups2 libdatrie1 libdav1d6 libdbus-1-3 ' +
  'libdouble-conversion3 libdrm2 libexpat1 libffi8 libflac12 libfontconfig1 libfreetype6 libfribidi0 ' +
  'libgbm1 libglib2.0-0 libgmp10 libgnutls30 libgraphite2-3 libgssapi-krb5-2 libharfbuzz-subset0 ' +
  'libharfbuzz0b libhogweed6 libidn2-0 libjpeg62-turbo libk5crypto3 libkeyutils1 libkrb5-3 ' +
  'libkrb5support0 liblcms2-2 libmd0 libminizip1 libmount1 libmp3lame0 libmpg123-0 libnettle8 libnspr4 ' +
  'libnss3 libogg0 libopenh264-7 libopenjp2-7 libopus0 libp11-kit0 libpango-1.0-0 libpixman-1-0 ' +
  'libpng16-16 libpulse0 libsndfile1 libsqlite3-0 libtasn1-6 libthai0 libunistring2 libvorbis0a libvorbisenc2 ' +
  'libwayland-server0 libx11-6 libx11-xcb1 libxau6 libxcb-render0 libxcb-shm0 libxcb1 libxcomposite1 ' +
  'libxdamage1 libxdmcp6 libxext6 libxfixes3 libxi6 libxkbcommon0 libxnvctrl0 libxrandr2 libxrender1';

/** Chromium with a font, for the tests of the web console. */
export const debianChromium: DebianProgram = {
  name: 'Chromium',
  folder: 'chromium-headless-debian',
  packages: [
    'chromium-headless-shell',
    'chromium-common',
    'fonts-dejavu-core',
    ...chromiumLibraries.split(' '),
  ],
  byHand: 'install it ("sudo apt-get install chromium-headless-shell")',
};

/**
 * Downloads a program of Debian and unpacks it into `<home>/<folder>`, without root and without installing
 * anything. Done once; later calls use the folder as it is.
 *
 * @returns the root of the unpacked tree
 * @throws {SetupError} where there is no apt, or no network
 */
export async function unpackDebian(
  program: DebianProgram,
  home: ServerHome,
  say: (line: string) => void,
): Promise<string> {
  const root = path.join(home.dir, program.folder);
  await withLock(path.join(localDir, 'run', `${program.folder}.lock`), async () => {
    if (existsSync(root)) return;
    say(`${program.name}: downloading Debian's packages (once per checkout) …`);
    const draft = ensureDir(`${root}.${process.pid}`, home.account);
    try {
      const download = (names: readonly string[]) => aptGet(draft, home, program.suite, 'download', ...names);
      await download(program.packages);
      if (program.libraries) await download(await dependenciesOf(draft, program.libraries, home));
      for (const file of packageFiles(draft)) await run('dpkg', ['-x', file, 'root'], draft, home);
      const erlangDir = path.join(draft, 'root/usr/lib/erlang');
      relocateErlang(erlangDir, root);
      if (program.suite) wrapPrograms(erlangDir, root);
      renameSync(path.join(draft, 'root'), root);
    } catch (error) {
      throw unavailable(program, error);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
  return root;
}

const packageFiles = (dir: string) => readdirSync(dir).filter((name) => name.endsWith('.deb'));

/** Names of the packages that the packages in a folder depend on and that match. */
async function dependenciesOf(dir: string, wanted: RegExp, home: ServerHome): Promise<string[]> {
  const fields = packageFiles(dir).map((file) => run('dpkg-deb', ['--field', file, 'Depends'], dir, home));
  const names = (await Promise.all(fields)).flatMap((field) => field.match(/[a-z0-9][a-z0-9+.-]+/g) ?? []);
  return [...new Set(names.filter((name) => wanted.test(name)))];
}

/**
 * Downloads the files of a source package of Debian into a folder.
 *
 * @throws {SetupError} where there is no apt, or no network
 */
export async function downloadDebianSource(name: string, suite: string, dir: string): Promise<void> {
  await aptGet(dir, { dir, account: null }, suite, 'source', '--download-only', name).catch((error) => {
    throw unavailable({ name: `The source of ${name}`, byHand: 'connect this machine to a mirror' }, error);
  });
}

function unavailable({ name, byHand }: Pick<DebianProgram, 'name' | 'byHand'>, error: unknown): SetupError {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const found = /(?:could not|failed to|unable to).*/i.exec(messageOf(error))?.[0];
  const reason = isMissing ? 'there is no apt-get' : (found ?? messageOf(error));
  return new SetupError(`${name} cannot be downloaded (${reason.trim()}): ${byHand}.`);
}

/** apt with folders of its own: needs no rights and changes nothing of the machine. */
async function aptGet(
  dir: string,
  home: ServerHome,
  suite: string | undefined,
  command: 'download' | 'source',
  ...args: readonly string[]
): Promise<void> {
  for (const part of ['root', 'lists', 'lists/partial', 'archives', 'archives/partial', 'etc'])
    ensureDir(path.join(dir, part), home.account);
  const options = [
    `Dir::State::Lists=${dir}/lists`,
    `Dir::Cache=${dir}`,
    `Dir::Cache::archives=${dir}/archives`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=15',
    'Acquire::https::Timeout=15',
    ...(suite ? sourcesOf(suite, command === 'source' ? 'deb-src' : 'deb', dir) : []),
  ].flatMap((option) => ['-o', option]);
  // The update also fails for a source that we need nothing of; then the download succeeds.
  const update = await Promise.allSettled([run('apt-get', [...options, 'update'], dir, home)]);
  await run('apt-get', [...options, command, ...args], dir, home).catch((error: unknown) => {
    throw update[0].status === 'rejected' ? update[0].reason : error;
  });
}

/**
 * The line of a `sources.list` for a release of Debian, on the mirror of this machine.
 *
 * @param type `deb` for packages, `deb-src` for their sources
 */
export function debianSource(suite: string, type: 'deb' | 'deb-src' = 'deb'): string {
  const known = '/etc/apt/sources.list.d/debian.sources';
  const mirror =
    (existsSync(known) && /^URIs: *(\S+)/m.exec(readFileSync(known, 'utf8'))?.[1]) ||
    'http://deb.debian.org/debian';
  return `${type} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${suite} main`;
}

/** Options of apt that name another release of Debian. */
function sourcesOf(suite: string, type: 'deb' | 'deb-src', dir: string): string[] {
  writeFileSync(path.join(dir, 'sources.list'), `${debianSource(suite, type)}\n`);
  writeFileSync(path.join(dir, 'status'), '');
  return [
    `Dir::Etc::SourceList=${dir}/sources.list`,
    `Dir::Etc::SourceParts=${dir}/etc`,
    `Dir::Etc::PreferencesParts=${dir}/etc`,
    `Dir::State::status=${dir}/status`,
  ];
}

/** Files in the folders `bin` of Erlang, by whether they begin with these bytes. */
function programsIn(erlangDir: string, magic: string): string[] {
  if (!existsSync(erlangDir)) return [];
  return readdirSync(erlangDir, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(erlangDir, name))
    .filter((file) => path.basename(path.dirname(file)) === 'bin' && statSync(file).isFile())
    .filter((file) => readFileSync(file).subarray(0, magic.length).toString('latin1') === magic);
}

/** Debian's launchers contain /usr/lib/erlang, also when ERL_ROOTDIR is set. */
function relocateErlang(erlangDir: string, finalRoot: string): void {
  for (const file of programsIn(erlangDir, '#!')) {
    const content = readFileSync(file, 'latin1');
    const moved = content.replace(/(?<![\w/.-])\/usr\/lib\/erlang/g, `${finalRoot}/usr/lib/erlang`);
    writeFileSync(file, moved, 'latin1');
  }
}

/**
 * Replaces each program by a script that starts it with the C library of its own release. A variable such as
 * LD_LIBRARY_PATH would also reach the programs of this machine that it starts, which need theirs.
 */
function wrapPrograms(erlangDir: string, finalRoot: string): void {
  const libraries = path.join(finalRoot, 'usr/lib', `${machine}-linux-gnu`);
  for (const file of programsIn(erlangDir, '\x7fELF')) {
    const own = path.join(finalRoot, 'usr/lib/erlang', path.relative(erlangDir, file));
    renameSync(file, `${file}.elf`);
    const loader = `${libraries}/${loaders[machine]}`;
    // escript finds its script by the name with which it is called.
    const call = `exec ${loader} --argv0 ${own} --library-path ${libraries} ${own}.elf "$@"`;
    writeFileSync(file, `#!/bin/sh\n${call}\n`);
    chmodSync(file, 0o755);
  }
}

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const loaders = { aarch64: 'ld-linux-aarch64.so.1', x86_64: 'ld-linux-x86-64.so.2' };

async function run(command: string, args: string[], cwd: string, { account }: ServerHome): Promise<string> {
  const { PATH, http_proxy, https_proxy, no_proxy } = process.env;
  const env = { PATH, http_proxy, https_proxy, no_proxy, HOME: cwd, LC_ALL: 'C' };
  return (await promisify(execFile)(command, args, { cwd, env, ...account })).stdout;
}
