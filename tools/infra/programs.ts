import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { serverHome, type ServerHome } from './account';
import { localDir } from './checkout';
import {
  debianChromium,
  debianRabbit,
  debianRabbit4,
  debianRedis,
  unpackDebian,
  type DebianProgram,
} from './debian-packages';

/** PATH, and folders of server programs that an ordinary user's PATH often lacks. */
const searchPath = [
  process.env['PATH'],
  '/usr/sbin',
  '/usr/local/sbin',
  '/opt/homebrew/sbin',
  '/usr/bin',
  '/bin',
].join(path.delimiter);

/** The full path of a program, or undefined. */
export function onPath(program: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .map((dir) => path.join(dir, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

/** The files needed to run RabbitMQ. */
export interface RabbitBinaries {
  server: string;
  epmd: string;
  env: Record<string, string>;
}

/**
 * The `rabbitmq-server` of this machine, else Debian's packages unpacked into `home`.
 *
 * @param version `4`: RabbitMQ 4 of Debian's packages
 */
export async function rabbitBinaries(
  home: ServerHome,
  say: (line: string) => void,
  version = process.env['CANVASS_RABBITMQ'],
): Promise<RabbitBinaries> {
  if (version === '4') return unpackedRabbit(await unpackDebian(debianRabbit4, home, say), []);
  const found = onPath('rabbitmq-server');
  const epmd = onPath('epmd') ?? epmdBelow('/');
  if (found && epmd && onPath('erl')) {
    // Debian's /usr/sbin/rabbitmq-server requires the user rabbitmq; the script behind it does not.
    const server = scriptBelow('/') ?? realpathSync(found);
    return { server, epmd, env: { PATH: [path.dirname(server), searchPath].join(path.delimiter) } };
  }
  const root = await unpackDebian(debianRabbit, home, say);
  return unpackedRabbit(root, librariesOf(root));
}

function unpackedRabbit(root: string, libraries: readonly string[]): RabbitBinaries {
  const unpacked = { server: scriptBelow(root), epmd: epmdBelow(root) };
  if (!unpacked.server || !unpacked.epmd) throw new Error(`${root} is incomplete: remove it and run again.`);
  const programs = [path.join(root, 'usr/lib/erlang/bin'), path.dirname(unpacked.server), searchPath];
  return {
    server: unpacked.server,
    epmd: unpacked.epmd,
    env: { PATH: programs.join(path.delimiter), LD_LIBRARY_PATH: libraries.join(':') },
  };
}

/** The files needed to run a program that is a single file. */
export interface Binary {
  program: string;
  /** Folders of its shared libraries; empty where the machine has them. */
  libraries: string[];
}

/** The `redis-server` of this machine, else Debian's packages unpacked into the servers' folder. */
export const redisBinary = (say: (line: string) => void): Promise<Binary> =>
  binary('redis-server', debianRedis, 'usr/bin/redis-server', say);

/**
 * Finds Chromium without a window: the `chromium-headless-shell` of this machine, else that of Debian, which is
 * unpacked into the servers' folder. It needs less processor time than the full browser.
 *
 * @returns the program, and the environment variables and arguments that it needs
 */
export async function chromiumBinary(
  say: (line: string) => void,
): Promise<{ program: string; env: Record<string, string>; args: string[] }> {
  // The full browser does this by default: a busy frame of another origin does not block its page.
  const args = ['--site-per-process'];
  const { program, libraries } = await binary(
    'chromium-headless-shell',
    debianChromium,
    'usr/lib/chromium/chromium-headless-shell',
    say,
  );
  if (libraries.length === 0) return { program, env: {}, args };
  // A machine without a browser may also lack fonts and their configuration.
  const root = path.resolve(path.dirname(program), '../../..');
  const fonts = path.join(root, 'fonts.conf');
  writeFileSync(
    fonts,
    `<fontconfig><dir>${root}/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`,
  );
  // One package has a folder for its own.
  const all = libraries.flatMap((folder) => [folder, path.join(folder, 'pulseaudio')]);
  return { program, env: { LD_LIBRARY_PATH: all.join(':'), FONTCONFIG_FILE: fonts }, args };
}

async function binary(
  name: string,
  packages: DebianProgram,
  file: string,
  say: (line: string) => void,
): Promise<Binary> {
  const installed = onPath(name);
  if (installed) return { program: installed, libraries: [] };
  const root = await unpackDebian(packages, serverHome(localDir), say);
  return { program: path.join(root, file), libraries: librariesOf(root) };
}

const scriptBelow = (root: string) =>
  versioned(path.join(root, 'usr/lib/rabbitmq/lib'), 'rabbitmq_server-', 'sbin/rabbitmq-server');

const epmdBelow = (root: string) => versioned(path.join(root, 'usr/lib/erlang'), 'erts-', 'bin/epmd');

/** `<dir>/<prefix…>/<file>`, if it exists. */
function versioned(dir: string, prefix: string, file: string): string | undefined {
  const versions = existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith(prefix)) : [];
  return versions.map((version) => path.join(dir, version, file)).find(existsSync);
}

/** Folders of shared libraries in an unpacked tree. Packages of Debian 12 have some outside `/usr`. */
export const librariesOf = (root: string): string[] =>
  ['usr/lib', 'lib']
    .map((folder) => path.join(root, folder))
    .filter(existsSync)
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('-linux-gnu'))
        .map((name) => path.join(folder, name)),
    );
