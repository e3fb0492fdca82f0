import { privateServers } from './private-servers';
import type { InfraServer } from './private-server';

/** Private servers of a stack folder that live although nobody watches them. */
export function livingServers(dir: string): InfraServer[] {
  const { postgres, rabbitmq } = privateServers({ dir, ephemeral: false, postgresPassword: null });
  return [postgres, rabbitmq].filter((server) => server.alive());
}
