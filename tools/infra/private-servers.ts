import path from 'node:path';
import { serverHome } from './account';
import { localDir } from './checkout';
import { PortBook } from './ports';
import { PostgresServer } from './postgres-server';
import type { PrivateServerOptions } from './private-server';
import { RabbitServer } from './rabbitmq-server';

/** The private servers of a stack folder; nothing is started yet. */
export function privateServers(options: {
  dir: string;
  ephemeral: boolean;
  postgresPassword: string | null;
  say?: (line: string) => void;
  ports?: PortBook;
}): { postgres: PostgresServer; rabbitmq: RabbitServer } {
  const common: PrivateServerOptions = {
    dir: options.dir,
    home: serverHome(options.dir),
    programs: serverHome(localDir),
    ports: options.ports ?? new PortBook(path.join(options.dir, 'ports.json')),
    ephemeral: options.ephemeral,
    say: options.say ?? (() => undefined),
  };
  return {
    postgres: new PostgresServer(common, options.postgresPassword),
    rabbitmq: new RabbitServer(common),
  };
}
