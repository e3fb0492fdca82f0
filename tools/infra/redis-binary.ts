import path from 'node:path';
import { serverHome } from './account';
import { localDir } from './checkout';
import { debianRedis, librariesOf, unpackDebian } from './debian-packages';
import { onPath } from './programs';

/** What is needed to run Redis. */
export interface RedisBinary {
  program: string;
  /** Folders of its shared libraries; empty where the machine has them. */
  libraries: string[];
}

/** The `redis-server` of this machine, else Debian's packages unpacked into the servers' folder. */
export async function redisBinary(say: (line: string) => void): Promise<RedisBinary> {
  const installed = onPath('redis-server');
  if (installed) return { program: installed, libraries: [] };
  const root = await unpackDebian(debianRedis, serverHome(localDir), say);
  return { program: path.join(root, 'usr/bin/redis-server'), libraries: librariesOf(root) };
}
