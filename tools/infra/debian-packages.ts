import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDir, type ServerHome } from './account';
import { localDir } from './checkout';
import { withLock } from './file-lock';
import { tail } from './private-server';
import { SetupError } from './setup-error';
import { onPath } from './programs';

/** A server program in Debian's packages. */
export interface DebianProgram {
  /** As people write it. */
  name: string;
  /** Folder of the unpacked tree, below the servers' folder. */
  folder: string;
  /** A fixed list: apt's own resolution lists nothing that is installed. */
  packages: readonly string[];
  /** How a person can get it instead. */
  byHand: string;
  /** Adapts the unpacked tree to its final place. */
  relocate?(tree: string, finalRoot: string): void;
}

/** RabbitMQ and the parts of Erlang it needs. */
export const debianRabbit: DebianProgram = {
  name: 'RabbitMQ',
  folder: 'rabbitmq-debian',
  packages: [
    'rabbitmq-server',
    ...[
      'base',
      'asn1',
      'crypto',
      'public-key',
      'mnesia',
      'runtime-tools',
      'ssl',
      'eldap',
      'inets',
      'os-mon',
      'parsetools',
      'syntax-tools',
      'tools',
      'xmerl',
    ].map((part) => `erlang-${part}`),
  ],
  byHand:
    'install it ("sudo apt-get install rabbitmq-server", or "brew install rabbitmq"), start Docker, or give a broker with AMQP_URL=amqp://…',
  relocate: relocateErlang,
};

/** Redis, for the tests of rate limits that several gateways share. */
export const debianRedis: DebianProgram = {
  name: 'Redis',
  folder: 'redis-debian',
  packages: ['redis-server', 'redis-tools', 'libatomic1', 'libjemalloc2', 'liblzf1'],
  byHand: 'install it ("sudo apt-get install redis-server", or "brew install redis")',
};

/**
 * A program of Debian, downloaded and unpacked into `<home>/<folder>` without root and without installing anything.
 * Done once; the folder is used as it is afterwards. Returns the root of the unpacked tree.
 */
export async function unpackDebian(
  program: DebianProgram,
  home: ServerHome,
  say: (line: string) => void,
): Promise<string> {
  const root = path.join(home.dir, program.folder);
  if (existsSync(root)) return root;
  const lock = path.join(localDir, 'run', `${program.folder}.lock`);
  return withLock(lock, () => unpackInto(root, program, home, say));
}

async function unpackInto(
  root: string,
  program: DebianProgram,
  home: ServerHome,
  say: (line: string) => void,
): Promise<string> {
  if (existsSync(root)) return root;
  if (process.platform !== 'linux' || !onPath('apt-get') || !onPath('dpkg')) {
    throw new SetupError(`${program.name} is missing: ${program.byHand}.`);
  }
  say(`${program.name}: downloading Debian's packages (once per checkout) …`);
  // Scripts hold the final path, so the tree is moved into its place before they are rewritten.
  const draft = path.join(home.dir, `${program.folder}.${process.pid}`);
  ensureDir(draft, home.account);
  try {
    await download(draft, program, home);
    for (const file of readdirSync(draft).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', file, 'root'], draft, home);
    }
    program.relocate?.(path.join(draft, 'root'), root);
    renameSync(path.join(draft, 'root'), root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return root;
}

/** Folders of shared libraries in an unpacked tree. */
export const librariesOf = (root: string): string[] =>
  readdirSync(path.join(root, 'usr/lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => path.join(root, 'usr/lib', name));

/** apt with folders of its own: needs no rights and touches nothing of the machine's. */
async function download(
  dir: string,
  { name, packages, byHand }: DebianProgram,
  home: ServerHome,
): Promise<void> {
  for (const part of ['root', 'lists', 'lists/partial', 'archives', 'archives/partial']) {
    ensureDir(path.join(dir, part), home.account);
  }
  const options = [
    `Dir::State::Lists=${dir}/lists`,
    `Dir::Cache=${dir}`,
    `Dir::Cache::archives=${dir}/archives`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=15',
    'Acquire::https::Timeout=15',
  ].flatMap((option) => ['-o', option]);
  // A source of someone else's that cannot be reached fails the update but not what we need of it.
  const update = await execute('apt-get', [...options, 'update'], dir, home);
  const fetch = await execute('apt-get', [...options, 'download', ...packages], dir, home);
  if (fetch.failed) {
    const cause =
      /(?:could not|failed to|unable to).*/i.exec(`${update.stderr}\n${fetch.stderr}`)?.[0] ??
      'apt-get failed';
    throw new SetupError(`${name}'s packages cannot be downloaded (${cause.trim()}): ${byHand}.`);
  }
}

/** Debian's launchers have /usr/lib/erlang written into them, even when ERL_ROOTDIR is set. */
function relocateErlang(tree: string, finalRoot: string): void {
  const erlang = path.join(tree, 'usr/lib/erlang');
  const erts = readdirSync(erlang).filter((name) => name.startsWith('erts-'));
  for (const dir of ['bin', ...erts.map((name) => `${name}/bin`)].map((name) => path.join(erlang, name))) {
    for (const name of readdirSync(dir)) {
      const file = path.join(dir, name);
      const stat = statSync(file);
      if (!stat.isFile() || readFileSync(file).subarray(0, 2).toString() !== '#!') continue;
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(/(?<![\w/.-])\/usr\/lib\/erlang/g, `${finalRoot}/usr/lib/erlang`));
    }
  }
}

interface Outcome {
  failed: boolean;
  stderr: string;
}

function execute(command: string, args: string[], cwd: string, home: ServerHome): Promise<Outcome> {
  const { PATH, http_proxy, https_proxy, no_proxy } = process.env;
  const env = { PATH, http_proxy, https_proxy, no_proxy, HOME: cwd, LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, ...(home.account ?? {}) }, (error, _stdout, stderr) => {
      resolve({ failed: error !== null, stderr: stderr || (error?.message ?? '') });
    });
  });
}

async function run(command: string, args: string[], cwd: string, home: ServerHome): Promise<void> {
  const result = await execute(command, args, cwd, home);
  if (result.failed) throw new SetupError(`${command} ${args.join(' ')} failed: ${tail(result.stderr, 3)}`);
}
