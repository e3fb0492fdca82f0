import { Readable } from 'node:stream';
import { clientOf, eventually, percentile } from '@canvass/testing';
import type { Bench, Scenario } from '../bench';
import { generatedCsv, generatedItems } from '../generated-list';
import type { LoadApi } from '../processes/load';
import type { Figure } from '../report';
import { importCsv } from '../stack-client';

/** How many items, and the limit of p99 at a steady rate. */
const sizes = [
  { items: 138_000, below: 25 },
  { items: 1_000_000, below: 60 },
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
    'they are answered.',
  async run(bench) {
    const { gatewayUrl } = (await bench.stack()).file;
    const load = await bench.child<LoadApi>('load');
    const database = await bench.database();
    const figures: Figure[] = [];
    let broken = false;
    const wanted = bench.options.rows;
    for (const { items, below } of wanted === null ? sizes : [{ items: wanted, below: 60 }]) {
      console.log(`Importing ${items} items …`);
      const list = await searchedList(bench, items);
      await database.query('vacuum analyze datalists.items');
      let [worst, least] = [0, Infinity];
      for (const mode of modes)
        for (const length of lengths) {
          const headers = { authorization: `Bearer ${list.token}` };
          const paths = list.paths(mode, length);
          const request = { origin: gatewayUrl, method: 'GET' as const, paths, headers, expect: 200 };
          const full = await load.call('closed', request, connections, secondsEach);
          const steady = await load.call('open', request, perSecond, secondsEach);
          const p99 = percentile(steady.latenciesMs!, 0.99);
          const saturated = full.operations / full.seconds;
          [worst, least] = [Math.max(worst, p99), Math.min(least, saturated)];
          broken ||= steady.errors + full.errors > 0;
          console.log(`  ${mode}, ${length}: p99 ${p99.toFixed(1)} ms, saturated ${saturated.toFixed(0)}/s`);
        }
      figures.push(
        { what: `${items} items, worst p99 at ${perSecond}/s`, value: worst, unit: ' ms', below },
        { what: `${items} items, least saturated rate`, value: least, unit: '/s' },
        { what: `${items} items, datalists-svc`, value: await bench.memoryOf('datalists-svc'), unit: ' MB' },
      );
    }
    return { figures, notes: [], broken };
  },
};

/** Imports generated items through the gateway, creates a form that may read them and gets its token. */
async function searchedList(bench: Bench, items: number) {
  const { gatewayUrl } = (await bench.stack()).file;
  const client = await bench.client();
  const body = { name: `${items} items`, availableLocales: ['de', 'pl'] };
  const { id } = await client.post<{ id: string }>('/api/data-lists', body);
  await importCsv({ gatewayUrl, token: client.token }, id, Readable.from(generatedCsv({ items })));
  const settings = { name: 'Bench', isEnabled: true, dataListIds: [id] };
  const form = await client.post<{ id: string }>('/api/forms', settings);
  const tokens = `/api/public/forms/${form.id}/access-tokens`;
  const { token } = await clientOf(gatewayUrl).post<{ token: string }>(tokens, {});
  // Of ten or more letters, from all over the list.
  const labels = [...generatedItems({ items: Math.min(items, 50_000) })]
    .filter((_, n) => n % 37 === 0)
    .map((item) => item.labels[locale] ?? '')
    .filter((label) => label.length >= 10);
  const paths = (mode: Mode, length: number) =>
    Array.from({ length: queriesEach }, (_, n) => {
      const label = labels[(n * 7 + length) % labels.length]!;
      const from = mode === 'StartsWith' ? 0 : (n * 3) % Math.max(1, label.length - length + 1);
      const query = label.slice(from, from + length).trim() || 'a';
      const parameters = new URLSearchParams({ query, matchMode: mode, locale });
      return `/api/public/forms/${form.id}/data-lists/${id}/search?${parameters}`;
    });
  const search = clientOf(gatewayUrl, token);
  await eventually(() => search.get(paths('Contains', 3)[0]!), { timeoutMs: 120_000 });
  return { token, paths };
}
