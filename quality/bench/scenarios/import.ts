import { eventually, median, percentile } from '@canvass/testing';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { watchMemory, type Bench, type Scenario } from '../bench';
import { generatedCopyRows, generatedCsv } from '../generated-list';
import type { LoadApi } from '../processes/load';
import { limitRow, ratioRow, row, sameRow, spread, whole } from '../report';
import { StreamClient } from '../stream-client';

const usualRows = 1_000_000;
const rounds = 3;
const targets = { ofCopy: 0.5, memoryMb: 250 };
/** Items of the list that is searched during the imports. */
const cities = 138_000;
const searchesPerSecond = 20;
const queries = ['san', 'ber', 'new', 'al', 'straß', 'ka', 'mer', 'ból'];

export const importList: Scenario = {
  name: 'import',
  title: 'Importing a data list',
  about:
    'A CSV file of a million items with labels in three locales, streamed through the gateway by a client that sends as fast as it is ' +
    'taken: into an empty list, and in the place of as many other items, which are compared. Against it: COPY by `pg-copy-streams` alone, ' +
    'of the same rows, ready in a file, into a table like ours with its indexes. ' +
    `Another list of ${whole(cities)} cities is searched ${searchesPerSecond} times a second: alone, beside that COPY, and beside both kinds ` +
    'of import, in turns. Then the service is killed in the middle of an import.',
  async run(bench) {
    const items = bench.options.rows ?? usualRows;
    const stack = await bench.stack();
    const client = await bench.client();
    const lists = new StreamClient(stack.file.gatewayUrl, client.token);
    const create = async (name: string) => {
      const body = { name, defaultLocale: 'en', availableLocales: ['de', 'pl'] };
      return (await client.post<{ id: string }>('/api/data-lists', body)).id;
    };
    console.log(`Generating ${whole(items)} items …`);
    const write = async (name: string, content: Iterable<string>) => {
      const file = path.join(bench.dir, name);
      await pipeline(Readable.from(content), createWriteStream(file));
      return file;
    };
    const csv = await write('list.csv', generatedCsv({ items, seed: 1 }));
    const other = await write('other.csv', generatedCsv({ items, seed: 2 }));
    const rowsFile = await write('list.copy', generatedCopyRows({ items }));
    const small = await write('cities.csv', generatedCsv({ items: Math.min(cities, items), seed: 3 }));
    const database = await bench.database(await bench.ownerUrlOf('datalists-svc'));
    await database.query('create table bench_items (like items including all)');
    const searched = await create('Cities');
    await lists.import(searched, small);

    const memory = watchMemory(stack, ['gateway', 'datalists-svc']);
    let list = '';
    const work = {
      copy: () => copyAlone(database, rowsFile),
      first: async () => lists.import((list = await create('List')), other),
      replacing: () => lists.import(list, csv),
    };
    const rates: Record<keyof typeof work, number[]> = { copy: [], first: [], replacing: [] };
    const kinds = Object.keys(work) as (keyof typeof work)[];
    for (let round = 1; round <= rounds; round++) {
      for (const kind of kinds) rates[kind].push(items / (await work[kind]()));
      console.log(
        `  round ${round} of ${rounds}: ${kinds.map((kind) => `${kind} ${whole(rates[kind].at(-1)!)}/s`).join(', ')}`,
      );
    }
    const searches = await searchesBeside(bench, { id: searched, token: client.token }, work);
    const peaks = memory.most();
    memory.stop();
    console.log('Killing datalists-svc in the middle of an import …');
    const before = await lists.hash(list);
    const body = createReadStream(other);
    const importing = lists.import(list, body).then(
      () => 'survived the kill',
      () => 'failed',
    );
    while (body.bytesRead < statSync(other).size / 2) await sleep(5);
    stack.kill('datalists-svc', 'SIGKILL');
    if ((await importing) !== 'failed') throw new Error('the import survived the kill');
    const isSame = before === (await eventually(() => lists.hash(list), { timeoutMs: 120_000 }));
    const leftOver = await orphans(database, list);

    const words = {
      first: 'an import into an empty list',
      replacing: 'an import replacing as many',
      copy: 'COPY alone',
    };
    const beside = (what: 'p50' | 'p99') =>
      (['first', 'replacing', 'copy'] as const).map((kind) => {
        const ratio = searches[kind][what] / searches.alone[what];
        return row(`search ${what}, beside ${words[kind]} ÷ alone`, ratio.toFixed(2));
      });
    const result = (name: string, what: string, of: number[]) => [name, what, whole(median(of)), spread(of)];
    const shown = ({ p50, p99 }: Latency) => `${p50.toFixed(1)} and ${p99.toFixed(1)} ms`;
    return {
      findings: [
        ratioRow('into an empty list ÷ COPY alone', rates.first, rates.copy, targets.ofCopy),
        ratioRow('replacing as many ÷ COPY alone', rates.replacing, rates.copy, targets.ofCopy),
        ...[...peaks].map(([name, mb]) =>
          limitRow(`${name}, most memory`, mb, ' MB', { below: targets.memoryMb }),
        ),
        ...beside('p50'),
        ...beside('p99'),
        sameRow('killed in the middle: the items', isSame),
        row('killed in the middle: rows left over', `${leftOver}`, '0', leftOver === 0),
      ],
      results: [
        ['', 'What', 'rows per second', 'spread of rounds'],
        result('into an empty list', 'gateway, datalists-svc: read, checked, written', rates.first),
        result('replacing as many', 'the same, and compared with the items before', rates.replacing),
        result('COPY alone', 'pg-copy-streams, ready rows, our table and indexes', rates.copy),
      ],
      notes: [
        `p50 and p99 of searches: alone ${shown(searches.alone)}; beside COPY alone ${shown(searches.copy)}; beside imports into an empty ` +
          `list ${shown(searches.first)}; beside imports that replace as many ${shown(searches.replacing)}.`,
      ],
      broken: !isSame || leftOver > 0,
    };
  },
};

/**
 * COPY by pg-copy-streams from a file of ready rows; returns the seconds from its first byte to the commit.
 */
async function copyAlone(database: Client, file: string): Promise<number> {
  await database.query('truncate bench_items');
  const started = performance.now();
  await database.query('begin');
  await pipeline(createReadStream(file), database.query(copyFrom('copy bench_items from stdin')));
  await database.query('commit');
  return (performance.now() - started) / 1000;
}

/** Rows of a list that belong to no version of it and that the service will not delete. */
async function orphans(database: Client, list: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from items i where list_id = $1 and not exists (
       select from data_list_versions v
       where v.tenant_id = i.tenant_id and v.list_id = i.list_id and v.items_version = i.version)
     and not exists (
       select from discarded_versions d
       where d.tenant_id = i.tenant_id and d.list_id = i.list_id and d.version = i.version)`,
    [list],
  );
  return rows[0]!.n;
}

/** Milliseconds of a search, over all rounds. */
interface Latency {
  p50: number;
  p99: number;
}

/** Searches are sent for so long at a time; those during which the work ended do not count. */
const windowSeconds = 2;
const windowsAlone = 5;
/** After work that wrote a million rows, until Postgres has cleaned up. */
const settleMs = 5_000;

/**
 * Latency of searches that arrive at a steady rate, alone and for as long as each kind of work lasts, in
 * turns.
 */
async function searchesBeside<K extends string>(
  bench: Bench,
  list: { id: string; token: string },
  work: Record<K, () => Promise<number>>,
): Promise<Record<K | 'alone', Latency>> {
  const load = await bench.child<LoadApi>('load');
  const request = {
    origin: (await bench.stack()).file.gatewayUrl,
    method: 'GET' as const,
    headers: { authorization: `Bearer ${list.token}` },
    paths: queries.map((query) => `/api/data-lists/${list.id}/items?query=${encodeURIComponent(query)}`),
    expect: 200,
  };
  const search = async () => {
    const found = await load.call('open', request, searchesPerSecond, windowSeconds);
    if (found.errors > 0) throw new Error(`${found.errors} searches failed: ${found.firstError}`);
    return found.latenciesMs;
  };
  const kinds = Object.keys(work) as K[];
  const latencies = new Map<string, number[]>(['alone', ...kinds].map((name) => [name, []]));
  await search();
  for (let round = 1; round <= rounds; round++) {
    for (let window = 0; window < windowsAlone; window++) latencies.get('alone')!.push(...(await search()));
    for (const kind of kinds) {
      let isOver = false;
      const working = work[kind]().finally(() => (isOver = true));
      for (let found = await search(); !isOver; found = await search()) latencies.get(kind)!.push(...found);
      await working;
      await sleep(settleMs);
    }
  }
  const summary = [...latencies].map(([name, all]) => [
    name,
    { p50: percentile(all, 0.5), p99: percentile(all, 0.99) },
  ]);
  return Object.fromEntries(summary) as Record<K | 'alone', Latency>;
}
