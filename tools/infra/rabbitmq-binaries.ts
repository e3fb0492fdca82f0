import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { ServerHome } from './account';
import { debianRabbit, librariesOf, unpackDebian } from './debian-packages';
import { onPath, searchPath } from './programs';

/** What is needed to run RabbitMQ. */
export interface RabbitBinaries {
  server: string;
  epmd: string;
  env: Record<string, string>;
}

/** The `rabbitmq-server` of this machine, else Debian's packages unpacked into the servers' folder. */
export async function rabbitBinaries(home: ServerHome, say: (line: string) => void): Promise<RabbitBinaries> {
  return installed() ?? unpacked(await unpackDebian(debianRabbit, home, say));
}

function installed(): RabbitBinaries | null {
  const found = onPath('rabbitmq-server');
  const epmd = onPath('epmd') ?? epmdOf('/usr/lib/erlang');
  if (!found || !epmd || !onPath('erl')) return null;
  // Debian's /usr/sbin/rabbitmq-server insists on the user rabbitmq; the script behind it does not.
  const server = scriptIn('/usr/lib/rabbitmq/lib') ?? realpathSync(found);
  return { server, epmd, env: { PATH: `${path.dirname(server)}${path.delimiter}${searchPath()}` } };
}

function unpacked(root: string): RabbitBinaries {
  const server = scriptIn(path.join(root, 'usr/lib/rabbitmq/lib'));
  const epmd = epmdOf(path.join(root, 'usr/lib/erlang'));
  if (!server || !epmd) throw new Error(`${root} is incomplete: remove it and run again.`);
  const libraries = librariesOf(root);
  return {
    server,
    epmd,
    env: {
      PATH: [path.join(root, 'usr/lib/erlang/bin'), path.dirname(server), searchPath()].join(path.delimiter),
      ...(libraries.length ? { LD_LIBRARY_PATH: libraries.join(':') } : {}),
    },
  };
}

function scriptIn(lib: string): string | null {
  if (!existsSync(lib)) return null;
  const version = readdirSync(lib).find((name) => name.startsWith('rabbitmq_server-'));
  const script = version && path.join(lib, version, 'sbin', 'rabbitmq-server');
  return script && existsSync(script) ? script : null;
}

function epmdOf(erlang: string): string | null {
  if (!existsSync(erlang)) return null;
  const erts = readdirSync(erlang).find((name) => name.startsWith('erts-'));
  const epmd = erts && path.join(erlang, erts, 'bin', 'epmd');
  return epmd && existsSync(epmd) ? epmd : null;
}
