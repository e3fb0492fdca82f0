import { readFileSync } from 'node:fs';

/** A process of the stack. */
export interface Watched {
  name: string;
  url: string;
  metricsUrl: string;
}

/** Resident bytes of each process, by name, as it tells itself. */
export async function memoryOf(processes: readonly Watched[]): Promise<Map<string, number>> {
  const entries = processes.map(async ({ name, metricsUrl }) => {
    const text = await (await fetch(metricsUrl)).text();
    return [name, Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(text)?.[1])] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Connections that a process has accepted and not closed, by its public port; null where Linux' /proc is not. */
export function connectionsTo({ url }: Watched): number | null {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const open = ['01', '08']; // ESTABLISHED, CLOSE_WAIT
  try {
    const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      readFileSync(file, 'utf8').split('\n'),
    );
    return lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state = '']) => local.endsWith(`:${port}`) && open.includes(state)).length;
  } catch {
    return null;
  }
}
