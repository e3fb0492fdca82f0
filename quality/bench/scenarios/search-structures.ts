import { Client } from 'pg';
import type { Report, Table } from '../report';
import type { Scenario } from '../scenario';
import {
  firstAnswer,
  ilikeMs,
  lengths,
  modes,
  searchedList,
  type Mode,
  type SearchedList,
} from '../searched-list';
import { build, copyItems, medianMs, queriesEach, structures } from '../search-structures';
import { percentile } from '../statistics';

const usualItems = 138_000;

export const searchStructures: Scenario = {
  name: 'search-structures',
  title: 'What else could answer a search',
  about:
    `The same queries (${queriesEach} of each kind, one at a time) answered by datalists-svc over HTTP without what it remembers of earlier queries, and by structures in Postgres on a connection of its own, over the same items in a table of its own: ` +
    'each with the exact total and the first 25 in the order of the language. Folding in Postgres is lower(unaccent()). ILIKE searches value and label in the jsonb of the items, as without any structure.',
  async watch(run) {
    const stack = await run.stack();
    const { gatewayUrl, databaseUrl } = stack.file;
    const list = await searchedList(stack.file, run.options.rows ?? usualItems);
    await firstAnswer(gatewayUrl, list);
    const client = new Client({ connectionString: databaseUrl, statement_timeout: 0 });
    await client.connect();
    try {
      await client.query('vacuum analyze datalists.items');
      await copyItems(client, list);
      const found = new Map<string, Cells>([['in memory (ours)', await oursMs(gatewayUrl, list)]]);
      found.set(
        'ILIKE over jsonb',
        await cellsOf(modes, (mode, length) => ilikeMs(client, list, mode, length)),
      );
      const built: Table = [['', 'built in, s', 'MB']];
      for (const structure of structures) {
        const { seconds, mb } = await build(client, structure);
        built.push([structure.name, seconds.toFixed(1), mb.toFixed(0)]);
        found.set(
          structure.name,
          await cellsOf(structure.modes, (mode, length) => medianMs(client, structure, list, mode, length)),
        );
        run.say(`  ${structure.name} …`);
      }
      await client.query('drop table bench_search');
      return reportOf(found, built, list);
    } finally {
      await client.end();
    }
  },
};

/** Median milliseconds by mode and length; undefined where a structure cannot answer. */
type Cells = Map<string, number>;

const cell = (mode: Mode, length: number) => `${mode}, ${length}`;

async function cellsOf(
  of: readonly Mode[],
  ms: (mode: Mode, length: number) => Promise<number>,
): Promise<Cells> {
  const cells: Cells = new Map();
  for (const mode of of) for (const length of lengths) cells.set(cell(mode, length), await ms(mode, length));
  return cells;
}

/** Each query once: the second time it would be remembered. */
function oursMs(gatewayUrl: string, list: SearchedList): Promise<Cells> {
  return cellsOf(modes, async (mode, length) => {
    const took: number[] = [];
    for (const path of new Set(list.paths(mode, length).slice(0, queriesEach))) {
      const started = performance.now();
      const answer = await fetch(gatewayUrl + path, { headers: list.headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a search answered ${answer.status}`);
      took.push(performance.now() - started);
    }
    return percentile(took, 0.5);
  });
}

function reportOf(found: ReadonlyMap<string, Cells>, built: Table, list: SearchedList): Report {
  const columns = modes.flatMap((mode) => lengths.map((length) => cell(mode, length)));
  const ours = [...found.values()][0]!;
  const shown = (of: Cells, text: (ms: number, column: string) => string) =>
    columns.map((column) => {
      const ms = of.get(column);
      return ms === undefined ? '–' : text(ms, column);
    });
  return {
    results: [
      ['p50 ms', ...columns],
      ...[...found].map(([name, of]) => [name, ...shown(of, (ms) => ms.toFixed(1))]),
    ],
    ratios: [
      ['÷ ours', ...columns],
      ...[...found]
        .slice(1)
        .map(([name, of]) => [name, ...shown(of, (ms, column) => (ms / ours.get(column)!).toFixed(1))]),
    ],
    processes: built,
    notes: [`${list.items.toLocaleString('en-US')} items with labels in three locales.`],
    broken: false,
  };
}
