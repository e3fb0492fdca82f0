import { clientOf, eventually, percentile } from '@canvass/testing';
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { residentMb, type Bench, type Scenario } from '../bench';
import { generatedCsv, generatedItems } from '../generated-list';
import type { LoadApi } from '../processes/load';
import { limitRow, whole, type Report } from '../report';
import { StreamClient } from '../stream-client';

/** How many items, and the limit of p99 at a steady rate. */
const sizes = [
  { items: 138_000, p99Ms: 25 },
  { items: 1_000_000, p99Ms: 60 },
];
const modes = ['Contains', 'StartsWith'] as const;
const lengths = [1, 2, 3, 8] as const;
type Mode = (typeof modes)[number];
const locale = 'de';
const queriesEach = 400;
const perSecond = 50;
const connections = 8;
const secondsEach = 4;

export const search: Scenario = {
  name: 'search',
  title: 'Searching a data list',
  about:
    'Public searches through the gateway in lists with labels in three locales, for 1, 2, 3 and 8 letters of labels that the lists have ' +
    `(${queriesEach} queries each, in turn): ${perSecond} a second whatever the answers take, and over ${connections} connections as fast as ` +
    'they are answered. Against it, in the same run: ILIKE over the jsonb of the ' +
    'labels with an exact count, on the same rows, one query at a time on a connection of its own.',
  async run(bench) {
    const stack = await bench.stack();
    const load = await bench.child<LoadApi>('load');
    const database = await bench.database();
    const report: Report = {
      findings: [],
      results: [
        ['', 'p50 ms', 'p99 ms', 'saturated per second', 'p99 ms saturated', 'ILIKE p50 ms', 'ILIKE ÷ p50'],
      ],
      notes: [],
      broken: false,
    };
    const wanted = bench.options.rows;
    for (const { items, p99Ms } of wanted === null ? sizes : [{ items: wanted, p99Ms: 60 }]) {
      console.log(`Importing ${whole(items)} items …`);
      const list = await searchedList(bench, items);
      await database.query('vacuum analyze datalists.items');
      const request = (paths: string[]) => ({
        origin: stack.file.gatewayUrl,
        method: 'GET' as const,
        paths,
        headers: { authorization: `Bearer ${list.token}` },
        expect: 200,
      });
      let worst = 0;
      for (const [mode, length] of modes.flatMap((mode) =>
        lengths.map((length) => [mode, length] as const),
      )) {
        const paths = request(list.paths(mode, length));
        const steady = await load.call('open', paths, perSecond, secondsEach);
        const full = await load.call('closed', paths, connections, secondsEach);
        const [p50, p99] = [percentile(steady.latenciesMs, 0.5), percentile(steady.latenciesMs, 0.99)];
        const plain = await ilikeMs(database, list.id, mode, list.queries(mode, length));
        worst = Math.max(worst, p99);
        report.broken ||= steady.errors + full.errors > 0;
        report.results.push([
          `${whole(items)}, ${mode}, ${length} ${length === 1 ? 'letter' : 'letters'}`,
          p50.toFixed(1),
          p99.toFixed(1),
          whole(full.operations / full.seconds),
          percentile(full.latenciesMs!, 0.99).toFixed(1),
          whole(plain),
          whole(plain / p50),
        ]);
        console.log(`  ${report.results.at(-1)!.join('  ')}`);
      }
      const memory = residentMb(stack.file.services['datalists-svc'].pid);
      report.findings.push(
        limitRow(`${whole(items)} items, worst p99 at ${perSecond}/s`, worst, ' ms', { below: p99Ms }),
      );
      report.notes.push(
        `${whole(items)} items: datalists-svc holds ${whole(memory)} MB, and answers the first search ${whole(list.firstMs)} ms after the import.`,
      );
    }
    return report;
  },
};

/** Imports generated items through the gateway, creates a form that may read them and gets its token. */
async function searchedList(bench: Bench, items: number) {
  const { gatewayUrl } = (await bench.stack()).file;
  const client = await bench.client();
  const { id } = await client.post<{ id: string }>('/api/data-lists', {
    name: `${items} items`,
    availableLocales: ['de', 'pl'],
  });
  await new StreamClient(gatewayUrl, client.token).import(id, Readable.from(generatedCsv({ items })));
  const settings = { name: 'Bench', isEnabled: true, dataListIds: [id] };
  const form = await client.post<{ id: string }>('/api/forms', settings);
  const tokens = `/api/public/forms/${form.id}/access-tokens`;
  const { token } = await clientOf(gatewayUrl).post<{ token: string }>(tokens, {});
  const labels = longLabels(items);
  const queries = (mode: Mode, length: number) =>
    Array.from({ length: queriesEach }, (_, n) => {
      const label = labels[(n * 7 + length) % labels.length]!;
      const from = mode === 'StartsWith' ? 0 : (n * 3) % Math.max(1, label.length - length + 1);
      return label.slice(from, from + length).trim() || 'a';
    });
  const paths = (mode: Mode, length: number) =>
    queries(mode, length).map((query) => {
      const parameters = new URLSearchParams({ query, matchMode: mode, locale });
      return `/api/public/forms/${form.id}/data-lists/${id}/search?${parameters}`;
    });
  const started = performance.now();
  const search = clientOf(gatewayUrl, token);
  await eventually(() => search.get(paths('Contains', 3)[0]!), { timeoutMs: 120_000 });
  return { id, token, queries, paths, firstMs: performance.now() - started };
}

/** Labels of the locale with ten or more letters, from all over the list. */
function longLabels(items: number): string[] {
  return [...generatedItems({ items: Math.min(items, 50_000) })]
    .filter((_, n) => n % 37 === 0)
    .map(({ labels }) => labels[locale] ?? '')
    .filter((label) => label.length >= 10);
}

/**
 * The usual way: ILIKE over the jsonb of the labels, sorted, with a count of all. Median milliseconds of
 * five queries.
 */
async function ilikeMs(database: Client, list: string, mode: Mode, queries: string[]): Promise<number> {
  const label = `coalesce(labels ->> '${locale}', labels ->> 'default')`;
  const took: number[] = [];
  for (const query of queries.slice(0, 5)) {
    const started = performance.now();
    await database.query(
      `select value, labels, count(*) over () as total from datalists.items
       where list_id = $1 and version = (select items_version from datalists.data_lists where id = $1)
         and (value ilike $2 or ${label} ilike $2) order by ${label}, value limit 25`,
      [list, mode === 'Contains' ? `%${query}%` : `${query}%`],
    );
    took.push(performance.now() - started);
  }
  return percentile(took, 0.5);
}
