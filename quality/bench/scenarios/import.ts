import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { eventually, login } from '@canvass/testing';
import { localDir } from '@canvass/infra';
import type { BenchRun } from '../bench-run';
import { copyAlone, writeCopyFile } from '../copy-alone';
import { generatedCsv } from '../generated-list';
import { ListClient } from '../import-client';
import { residentBytes } from '../process-usage';
import type { Report, Scenario } from '../scenario';
import { searchesPerSecond, searchMeanwhile, type Searched } from '../search-meanwhile';
import { median, pairedRatio } from '../statistics';

const usualRows = 1_000_000;
const rounds = 3;
const targets = { ofCopy: 0.5, memoryMb: 250 };
/** Of the list that is searched meanwhile. */
const cities = 138_000;

export const importScenario: Scenario = {
  name: 'import',
  title: 'Importing a data list',
  about:
    'A CSV file of a million items with labels in three locales, streamed through the gateway by a client that sends as fast as it is taken: into an empty list, and in the place of as many other items, which ' +
    'are compared. Against it: COPY by `pg-copy-streams` alone, of the same rows, ready in a file, into a table like ours with its indexes; and of the CSV file itself into a bare table without any. ' +
    `Another list of ${cities.toLocaleString('en-US')} cities is searched ${searchesPerSecond} times a second: alone, beside that COPY, and beside both kinds of import, in turns. Then the service is killed in the middle of one.`,
  async watch(run) {
    const rows = run.options.rows ?? usualRows;
    const dir = path.join(localDir, 'bench', 'run', 'lists');
    mkdirSync(dir, { recursive: true });
    const files = { csv: path.join(dir, 'list.csv'), copy: path.join(dir, 'list.copy') };
    const other = path.join(dir, 'other.csv');
    const small = path.join(dir, 'cities.csv');
    const stack = await run.stack();
    const { gatewayUrl, demo } = stack.file;
    run.say(`Generating ${rows.toLocaleString('en-US')} items …`);
    await writeCsv(files.csv, rows, 1);
    await writeCsv(other, rows, 2);
    await writeCsv(small, Math.min(cities, rows), 3);
    await writeCopyFile(files.copy, { items: rows });
    const databaseUrl = await run.databaseUrlOf('datalists-svc');
    const alone = await copyAlone(databaseUrl, files);
    const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
    const lists = new ListClient(gatewayUrl, token);
    const memory = await watchMemory(run);
    try {
      const searched = await lists.create('Cities');
      await lists.import(searched, small);
      const timings: Record<'first' | 'replacing' | 'copy' | 'bare', number[]> = {
        first: [],
        replacing: [],
        copy: [],
        bare: [],
      };
      let list = '';
      for (let round = 1; round <= rounds; round++) {
        list = await lists.create(`Round ${round}`);
        timings.copy.push(rows / (await alone.intoItems()));
        timings.first.push(rows / (await lists.import(list, other)));
        timings.bare.push(rows / (await alone.intoBare()));
        timings.replacing.push(rows / (await lists.import(list, files.csv)));
        const told = Object.entries(timings).map(([name, rates]) => `${name} ${whole(rates.at(-1)!)}/s`);
        run.say(`  round ${round} of ${rounds}: ${told.join(', ')}`);
      }
      const searches = await searchMeanwhile(
        run,
        { id: searched, token },
        {
          copy: () => alone.intoItems(),
          first: async () => lists.import((list = await lists.create('Searched beside')), files.csv),
          replacing: () => lists.import(list, other),
        },
      );
      const peaks = memory.stop();
      run.say(`  most memory: ${peaks.map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`).join(', ')}`);
      run.say('Killing datalists-svc in the middle of an import …');
      const killed = await killInTheMiddle(run, lists, list, files.csv, databaseUrl);
      return reportOf(timings, searches, peaks, killed);
    } finally {
      memory.stop();
      await alone.end();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

const writeCsv = (file: string, items: number, seed: number): Promise<void> =>
  pipeline(Readable.from(generatedCsv({ items, seed })), createWriteStream(file));

/** The most resident memory of both processes in MB, until `stop`. */
async function watchMemory(run: BenchRun) {
  const watched = await Promise.all(
    (['gateway', 'datalists-svc'] as const).map((name) => run.watchedService(name)),
  );
  const most = new Map<string, number>();
  const look = () => {
    for (const { name, pid } of watched) {
      most.set(name, Math.max(most.get(name) ?? 0, residentBytes([pid]) / 1024 ** 2));
    }
  };
  const timer = setInterval(look, 100);
  return {
    stop(): [string, number][] {
      clearInterval(timer);
      return [...most];
    },
  };
}

interface Killed {
  same: boolean;
  leftOver: number;
}

/** Kills the service when half of the file is sent; the supervisor starts it again. */
async function killInTheMiddle(
  run: BenchRun,
  lists: ListClient,
  list: string,
  file: string,
  databaseUrl: string,
): Promise<Killed> {
  const stack = await run.stack();
  const before = await lists.hash(list);
  const { size } = statSync(file);
  let killed = false;
  const importing = lists.import(list, file, (sent) => {
    if (killed || sent < size / 2) return;
    killed = true;
    stack.kill('datalists-svc', 'SIGKILL');
  });
  await importing.then(
    () => Promise.reject(new Error('the import survived the kill')),
    () => undefined,
  );
  if (!killed) throw new Error('the import failed before the kill');
  const after = await eventually(() => lists.hash(list), { timeoutMs: 120_000 });
  const client = new Client({ connectionString: databaseUrl, statement_timeout: 0 });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from items i where list_id = $1 and not exists (
       select from data_list_versions v where v.tenant_id = i.tenant_id and v.list_id = i.list_id and v.items_version = i.version)`,
    [list],
  );
  await client.end();
  return { same: before === after, leftOver: rows[0]!.n };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function reportOf(
  timings: Record<'first' | 'replacing' | 'copy' | 'bare', number[]>,
  searches: Record<'alone' | 'copy' | 'first' | 'replacing', Searched>,
  peaks: readonly [string, number][],
  killed: Killed,
): Report {
  const verdict = (met: boolean) => (met ? 'met' : '**missed**');
  const ratio = (what: string, of: number[], to: number[], target?: number) => {
    const found = pairedRatio(of, to);
    const aim = target === undefined ? ['', ''] : [`≥ ${target}`, verdict(found >= target)];
    return [what, found.toFixed(2), ...aim];
  };
  const row = (name: string, what: string, rates: number[]) => [
    name,
    what,
    whole(median(rates)),
    `${whole(Math.min(...rates))} – ${whole(Math.max(...rates))}`,
  ];
  const searched = (name: string, beside: keyof typeof searches, what: keyof Searched) => [
    name,
    (searches[beside][what] / searches.alone[what]).toFixed(2),
    '',
    '',
  ];
  const told = (beside: keyof typeof searches) => {
    const { p50, p99, seconds } = searches[beside];
    const took = seconds > 0 ? ` (${seconds.toFixed(1)} s beside searches)` : '';
    return `${p50.toFixed(1)} and ${p99.toFixed(1)} ms${took}`;
  };
  const { first, replacing, copy, bare } = timings;
  return {
    ratios: [
      ['', 'Found', 'Target', ''],
      ratio('into an empty list ÷ COPY alone', first, copy, targets.ofCopy),
      ratio('replacing as many ÷ COPY alone', replacing, copy, targets.ofCopy),
      ratio('into an empty list ÷ COPY into a bare table', first, bare),
      ...peaks.map(([name, mb]) => [
        `${name}, most memory`,
        `${mb.toFixed(0)} MB`,
        `< ${targets.memoryMb} MB`,
        verdict(mb < targets.memoryMb),
      ]),
      ...(['p50', 'p99'] as const).flatMap((what) => [
        searched(`search ${what}, beside an import into an empty list ÷ alone`, 'first', what),
        searched(`search ${what}, beside an import replacing as many ÷ alone`, 'replacing', what),
        searched(`search ${what}, beside COPY alone ÷ alone`, 'copy', what),
      ]),
      [
        'killed in the middle: the items',
        killed.same ? 'the same' : 'differ',
        'the same',
        verdict(killed.same),
      ],
      ['killed in the middle: rows left over', String(killed.leftOver), '0', verdict(killed.leftOver === 0)],
    ],
    results: [
      ['', 'What', 'rows per second', 'spread of rounds'],
      row('into an empty list', 'gateway, datalists-svc: read, checked, written', first),
      row('replacing as many', 'the same, and compared with the items before', replacing),
      row('COPY alone', 'pg-copy-streams, ready rows, our table and indexes', copy),
      row('COPY into a bare table', 'pg-copy-streams, the CSV file, no index', bare),
    ],
    processes: [[]],
    notes: [
      `p50 and p99 of searches: alone ${told('alone')}; beside COPY alone ${told('copy')}; beside imports into an empty list ${told('first')}; beside imports that replace as many ${told('replacing')}.`,
    ],
    broken: !killed.same || killed.leftOver > 0,
  };
}
