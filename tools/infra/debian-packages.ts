import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  /** How a person can get it instead. */
  byHand: string;
}

const erlang =
  'base asn1 crypto public-key mnesia runtime-tools ssl eldap inets os-mon parsetools syntax-tools tools xmerl';

/** RabbitMQ and the parts of Erlang it needs. */
export const debianRabbit: DebianProgram = {
  name: 'RabbitMQ',
  folder: 'rabbitmq-debian',
  packages: ['rabbitmq-server', ...erlang.split(' ').map((part) => `erlang-${part}`)],
  byHand:
    'install it ("sudo apt-get install rabbitmq-server", or "brew install rabbitmq"), start Docker, or give a broker with AMQP_URL=amqp://…',
};

/** Redis, for the tests of rate limits that several gateways share. */
export const debianRedis: DebianProgram = {
  name: 'Redis',
  folder: 'redis-debian',
  packages: ['redis-server', 'redis-tools', 'libatomic1', 'libjemalloc2', 'liblzf1'],
  byHand: 'install it ("sudo apt-get install redis-server", or "brew install redis")',
};

/** PgBouncer, for the proof that services work behind it. */
export const debianPgBouncer: DebianProgram = {
  name: 'PgBouncer',
  folder: 'pgbouncer-debian',
  packages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7', 'libpam0g', 'libsystemd0'],
  byHand: 'install it ("sudo apt-get install pgbouncer", or "brew install pgbouncer")',
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
      await download(draft, program, home);
      for (const file of readdirSync(draft).filter((name) => name.endsWith('.deb')))
        await run('dpkg', ['-x', file, 'root'], draft, home);
      relocateErlang(path.join(draft, 'root'), root);
      renameSync(path.join(draft, 'root'), root);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const found = /(?:could not|failed to|unable to).*/i.exec(messageOf(error))?.[0];
      const reason = isMissing ? 'there is no apt-get' : (found ?? messageOf(error));
      throw new SetupError(`${program.name} cannot be downloaded (${reason.trim()}): ${program.byHand}.`);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
  return root;
}

/** apt with folders of its own: needs no rights and changes nothing of the machine. */
async function download(dir: string, { packages }: DebianProgram, home: ServerHome): Promise<void> {
  for (const part of ['root', 'lists', 'lists/partial', 'archives', 'archives/partial'])
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
  ].flatMap((option) => ['-o', option]);
  // The update also fails for a source that we need nothing of; then the download succeeds.
  const update = await Promise.allSettled([run('apt-get', [...options, 'update'], dir, home)]);
  await run('apt-get', [...options, 'download', ...packages], dir, home).catch((error: unknown) => {
    throw update[0].status === 'rejected' ? update[0].reason : error;
  });
}

/** Debian's launchers contain /usr/lib/erlang, also when ERL_ROOTDIR is set. */
function relocateErlang(tree: string, finalRoot: string): void {
  const erlangDir = path.join(tree, 'usr/lib/erlang');
  if (!existsSync(erlangDir)) return;
  for (const name of readdirSync(erlangDir, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(erlangDir, name);
    if (path.basename(path.dirname(file)) !== 'bin' || !statSync(file).isFile()) continue;
    const content = readFileSync(file, 'latin1');
    if (!content.startsWith('#!')) continue;
    writeFileSync(
      file,
      content.replace(/(?<![\w/.-])\/usr\/lib\/erlang/g, `${finalRoot}/usr/lib/erlang`),
      'latin1',
    );
  }
}

async function run(command: string, args: string[], cwd: string, { account }: ServerHome): Promise<void> {
  const { PATH, http_proxy, https_proxy, no_proxy } = process.env;
  const env = { PATH, http_proxy, https_proxy, no_proxy, HOME: cwd, LC_ALL: 'C' };
  await promisify(execFile)(command, args, { cwd, env, ...account });
}
