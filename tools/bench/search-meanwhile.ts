import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRun } from './bench-run';
import type { LoadApi } from './processes/load';
import { percentile } from './statistics';

export const searchesPerSecond = 20;
const queries = ['san', 'ber', 'new', 'al', 'straß', 'ka', 'mer', 'ból'];
const rounds = 3;
const seconds = { alone: 10, beside: 7 };
/** After work that wrote a million rows, until Postgres has tidied up. */
const settleMs = 5_000;

export interface Searched {
  /** Milliseconds, over all rounds. */
  p50: number;
  p99: number;
}

/**
 * Latency of searches that arrive at a steady rate, alone and beside each kind of work, in turns. Work must last as long as
 * it is searched beside.
 */
export async function searchMeanwhile<K extends string>(
  run: BenchRun,
  list: { id: string; token: string },
  works: Record<K, () => Promise<unknown>>,
): Promise<Record<K | 'alone', Searched>> {
  const load = await run.child<LoadApi>('load');
  const request = {
    origin: (await run.stack()).file.gatewayUrl,
    method: 'GET' as const,
    headers: { authorization: `Bearer ${list.token}` },
    paths: queries.map((query) => `/api/data-lists/${list.id}/items?query=${encodeURIComponent(query)}`),
    expect: 200,
  };
  const search = async (forSeconds: number) => {
    const answers = await load.call('open', request, searchesPerSecond, forSeconds);
    const { sentAt, answeredAt, errors, firstError } = answers;
    if (errors > 0) throw new Error(`${errors} searches failed: ${firstError}`);
    return [...answeredAt].map((at, n) => at - sentAt[n]!);
  };
  const kinds = Object.keys(works) as K[];
  const latencies = Object.fromEntries(['alone', ...kinds].map((kind) => [kind, []])) as unknown as Record<
    K | 'alone',
    number[]
  >;
  await search(3);
  for (let round = 1; round <= rounds; round++) {
    latencies.alone.push(...(await search(seconds.alone)));
    for (const kind of kinds) {
      let over = false;
      const working = works[kind]().finally(() => (over = true));
      latencies[kind].push(...(await search(seconds.beside)));
      if (over) run.say(`  "${kind}" was over before the searches beside it`);
      await working;
      await sleep(settleMs);
    }
  }
  await load.stop();
  const summary = (of: number[]): Searched => ({ p50: percentile(of, 0.5), p99: percentile(of, 0.99) });
  return Object.fromEntries(
    Object.entries<number[]>(latencies).map(([kind, of]) => [kind, summary(of)]),
  ) as Record<K | 'alone', Searched>;
}
