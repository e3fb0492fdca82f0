import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRun } from './bench-run';
import type { LoadApi } from './processes/load';
import { median, percentile } from './statistics';

export const searchesPerSecond = 20;
const queries = ['san', 'ber', 'new', 'al', 'straß', 'ka', 'mer', 'ból'];
const rounds = 3;
/** Searches are sent for so long at a time; those during which the work ended do not count. */
const windowSeconds = 2;
const windowsAlone = 5;
/** After work that wrote a million rows, until Postgres has tidied up. */
const settleMs = 5_000;

export interface Searched {
  /** Milliseconds of a search, over all rounds. */
  p50: number;
  p99: number;
  /** Median seconds that the work took. */
  seconds: number;
}

/**
 * Latency of searches that arrive at a steady rate, alone and for as long as each kind of work lasts, in turns. The work
 * gives the seconds that it took.
 */
export async function searchMeanwhile<K extends string>(
  run: BenchRun,
  list: { id: string; token: string },
  works: Record<K, () => Promise<number>>,
): Promise<Record<K | 'alone', Searched>> {
  const load = await run.child<LoadApi>('load');
  const request = {
    origin: (await run.stack()).file.gatewayUrl,
    method: 'GET' as const,
    headers: { authorization: `Bearer ${list.token}` },
    paths: queries.map((query) => `/api/data-lists/${list.id}/items?query=${encodeURIComponent(query)}`),
    expect: 200,
  };
  const search = async () => {
    const answers = await load.call('open', request, searchesPerSecond, windowSeconds);
    const { sentAt, answeredAt, errors, firstError } = answers;
    if (errors > 0) throw new Error(`${errors} searches failed: ${firstError}`);
    return [...answeredAt].map((at, n) => at - sentAt[n]!);
  };
  const names = ['alone', ...(Object.keys(works) as K[])] as const;
  const latencies = new Map<string, number[]>(names.map((name) => [name, []]));
  const seconds = new Map<string, number[]>(names.map((name) => [name, []]));
  await search();
  for (let round = 1; round <= rounds; round++) {
    for (let window = 0; window < windowsAlone; window++) latencies.get('alone')!.push(...(await search()));
    for (const [name, work] of Object.entries<() => Promise<number>>(works)) {
      let over = false;
      const working = work().finally(() => (over = true));
      for (;;) {
        const searched = await search();
        if (over) break;
        latencies.get(name)!.push(...searched);
      }
      seconds.get(name)!.push(await working);
      await sleep(settleMs);
    }
  }
  await load.stop();
  const summary = (name: string): Searched => ({
    p50: percentile(latencies.get(name)!, 0.5),
    p99: percentile(latencies.get(name)!, 0.99),
    seconds: median(seconds.get(name)!),
  });
  return Object.fromEntries(names.map((name) => [name, summary(name)])) as Record<K | 'alone', Searched>;
}
