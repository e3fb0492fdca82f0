import { readFileSync } from 'node:fs';

/** A process of a stack. */
export interface Watched {
  url: string;
  metricsUrl: string;
}

/** Returns the value of a metric that the process exposes. @param name with its labels, if it has any */
export async function metricOf({ metricsUrl }: Watched, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.split(' ').at(-1));
}

/** Returns the resident bytes of a process. */
export const memoryOf = (watched: Watched): Promise<number> =>
  metricOf(watched, 'process_resident_memory_bytes');

/** Returns the open connections that a process accepted on its public port; 0 without Linux' /proc. */
export function connectionsTo({ url }: Watched): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const open = ['01', '08']; // ESTABLISHED, CLOSE_WAIT
  try {
    const files = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'utf8'));
    return files
      .flatMap((text) => text.split('\n').map((line) => line.trim().split(/\s+/)))
      .filter(([, local = '', , state = '']) => local.endsWith(`:${port}`) && open.includes(state)).length;
  } catch {
    return 0;
  }
}
