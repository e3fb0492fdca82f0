import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkoutDir, debianSource } from '../infra';
import type { Engine } from './engine';
import { engineDir } from './programs';

/** An image made of Debian's packages, with the name of an official one. */
interface Recipe {
  tag: string;
  suite: string;
  packages: string;
  /** Commands of a shell after the packages are installed; $1 is the root of the file system. */
  hooks: string[];
  /** The same, before they are installed. */
  earlyHooks?: string[];
  /** Files to copy into a folder. */
  files: [file: string, folder: string][];
  /** Instructions of a Dockerfile. */
  settings: string[];
}

const folder = path.join(engineDir, 'images');
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const entrypointOf = (name: string) => path.join(__dirname, 'images', `${name}-entrypoint.sh`);

const postgres: Recipe = {
  tag: 'postgres:18-bookworm',
  suite: 'forky',
  packages: 'postgresql-18',
  earlyHooks: [
    'mkdir -p "$1/etc/postgresql-common"',
    'echo create_main_cluster=false > "$1/etc/postgresql-common/createcluster.conf"',
  ],
  hooks: [],
  files: [[entrypointOf('postgres'), '/usr/local/bin']],
  settings: [
    `ENV PATH=${systemPath}:/usr/lib/postgresql/18/bin PGDATA=/var/lib/postgresql/18/docker`,
    'VOLUME /var/lib/postgresql',
    'STOPSIGNAL SIGINT',
    'ENTRYPOINT ["postgres-entrypoint.sh"]',
    'CMD ["postgres"]',
  ],
};

const rabbitmq: Recipe = {
  tag: 'rabbitmq:4-management',
  suite: 'forky',
  packages: 'rabbitmq-server',
  hooks: [],
  files: [[entrypointOf('rabbitmq'), '/usr/local/bin']],
  settings: [
    `ENV PATH=${systemPath}`,
    'VOLUME /var/lib/rabbitmq',
    'ENTRYPOINT ["rabbitmq-entrypoint.sh"]',
    'CMD ["rabbitmq-server"]',
  ],
};

/**
 * Node and npm of the npm registry on Debian. It trusts what this machine trusts, so that `npm ci` in a build
 * reaches the same registry.
 */
function nodeRecipe(): Recipe {
  const major = readFileSync(path.join(checkoutDir, '.nvmrc'), 'utf8').trim();
  const packages = path.join(engineDir, `node-${major}`);
  const node = `node-linux-${process.arch}`;
  const program = path.join(packages, 'node_modules', node, 'bin/node');
  if (!existsSync(program)) {
    mkdirSync(packages, { recursive: true });
    writeFileSync(path.join(packages, 'package.json'), '{ "private": true }\n');
    const names = [`${node}@${major}`, 'npm@11'];
    npm(packages, 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...names);
  }
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  const settings = path.join(packages, 'npmrc');
  const trust = existsSync(certificates) ? `cafile=${certificates}\n` : '';
  writeFileSync(settings, `registry=${npm(packages, 'config', 'get', 'registry').trim()}\n${trust}`);
  const cli = '../lib/node_modules/npm/bin';
  return {
    tag: `node:${major}-bookworm-slim`,
    suite: 'bookworm',
    packages: '',
    earlyHooks: ['mkdir -p "$1/etc/ssl/certs" "$1/usr/local/lib/node_modules" "$1/usr/local/etc"'],
    hooks: [
      `ln -s ${cli}/npm-cli.js "$1/usr/local/bin/npm"`,
      `ln -s ${cli}/npx-cli.js "$1/usr/local/bin/npx"`,
    ],
    files: [
      [program, '/usr/local/bin'],
      [path.join(packages, 'node_modules/npm'), '/usr/local/lib/node_modules'],
      [settings, '/usr/local/etc'],
      ...(trust === '' ? [] : [[certificates, '/etc/ssl/certs'] as [string, string]]),
    ],
    settings: [`ENV PATH=${systemPath}`, 'CMD ["node"]'],
  };
}

/*
 * Images are made where no registry is: of Debian's packages, and of Node from npm. They stand in for the
 * official ones, with the same names, paths, variables and users. Each is made once; its file system stays in
 * `.local/engine/images`.
 */

/** Makes the image that Dockerfile builds upon. @returns its name */
export async function ensureNodeImage(engine: Engine, say: (line: string) => void): Promise<string> {
  const recipe = nodeRecipe();
  await ensureImage(engine, recipe, say);
  return recipe.tag;
}

/** Names of the images that stand in for those of docker-compose.yml. */
export const serverImages = { postgres: postgres.tag, rabbitmq: rabbitmq.tag };

/** Makes the images of PostgreSQL and RabbitMQ. */
export async function ensureServerImages(engine: Engine, say: (line: string) => void): Promise<void> {
  await Promise.all([postgres, rabbitmq].map((recipe) => ensureImage(engine, recipe, say)));
}

async function ensureImage(engine: Engine, recipe: Recipe, say: (line: string) => void): Promise<void> {
  const version = versionOf(recipe);
  const inspect = ['image', 'inspect', '--format', '{{index .Config.Labels "canvass.recipe"}}', recipe.tag];
  if ((await engine.docker(...inspect).catch(() => '')) === version) return;
  const name = recipe.tag.replaceAll(':', '-');
  const archive = path.join(folder, `${name}-${version}.tar`);
  if (!existsSync(archive)) {
    say(`${recipe.tag}: making it of Debian's packages (once per checkout) …`);
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder).filter((each) => each.startsWith(`${name}-`)))
      rmSync(path.join(folder, old));
    await makeFileSystem(engine.programs.mmdebstrap, recipe, archive);
  }
  const settings = [...recipe.settings, `LABEL canvass.recipe=${version}`].flatMap((each) => ['-c', each]);
  await engine.docker('import', ...settings, archive, recipe.tag);
}

/** Another version for another recipe, or other files. */
function versionOf(recipe: Recipe): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe));
  for (const [file] of recipe.files) if (/\.sh$|npmrc$|\.crt$/.test(file)) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

async function makeFileSystem(mmdebstrap: string, recipe: Recipe, archive: string): Promise<void> {
  const draft = `${archive}.draft.tar`;
  const early = (recipe.earlyHooks ?? []).map((hook) => `--essential-hook=${hook}`);
  const copies = recipe.files.map(([file, target]) => `--customize-hook=copy-in '${file}' ${target}`);
  const late = [...recipe.hooks, 'rm -rf "$1/usr/share/doc" "$1/usr/share/man" "$1/usr/share/locale"'];
  const options = [
    '--quiet',
    '--variant=minbase',
    ...(recipe.packages === '' ? [] : [`--include=${recipe.packages}`]),
    // The mirror may have the state of an earlier day.
    '--aptopt=Acquire::Check-Valid-Until "false"',
    // What is kept is the archive: nothing has to be on the disk before that.
    '--dpkgopt=force-unsafe-io',
    ...early,
    ...copies,
    ...late.map((hook) => `--customize-hook=${hook}`),
  ];
  const args = [mmdebstrap, ...options, recipe.suite, draft, debianSource(recipe.suite)];
  const { http_proxy, https_proxy, no_proxy } = process.env;
  const env = { PATH: systemPath, TMPDIR: '/tmp', LC_ALL: 'C.UTF-8', http_proxy, https_proxy, no_proxy };
  try {
    await promisify(execFile)('perl', args, { env, maxBuffer: 64 * 1024 * 1024 });
    renameSync(draft, archive);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Runs npm and returns what it printed. @throws {Error} with what it printed when it fails */
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
