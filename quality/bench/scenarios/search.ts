import { Client } from 'pg';
import type { BenchRun } from '../bench-run';
import type { Child } from '../child';
import type { LoadApi } from '../processes/load';
import { residentBytes } from '../process-usage';
import type { Report, Scenario, Table } from '../scenario';
import { firstAnswer, ilikeMs, lengths, modes, searchedList, type SearchedList } from '../searched-list';
import { percentile } from '../statistics';

/** How many items, and what p99 at a steady rate must stay below. */
const sizes = [
  { items: 138_000, p99Ms: 50 },
  { items: 1_000_000, p99Ms: 100 },
];
const perSecond = 50;
const connections = 8;
const secondsEach = 4;
const startSeconds = 20;

export const search: Scenario = {
  name: 'search',
  title: 'Searching a data list',
  about:
    `Public searches through the gateway in lists with labels in three locales, for 1, 2, 3 and 8 letters of labels that the lists have (400 queries each, in turn): ${perSecond} a second whatever the answers take, and over ${connections} ` +
    `connections as fast as they are answered, and the longest turn of the service's event loop at the steady rate. After a start: datalists-svc is killed and started again, and from the moment it is ready asked ${perSecond} times a second for ${startSeconds} s, all lengths and modes mixed. Against it, in the same run: ILIKE over the jsonb of the labels with an exact ` +
    'count, on the same rows, one query at a time on a connection of its own.',
  async watch(run) {
    const stack = await run.stack();
    const { gatewayUrl } = stack.file;
    const load = await run.child<LoadApi>('load');
    const postgres = new Client({ connectionString: stack.file.databaseUrl });
    await postgres.connect();
    const report: Report = {
      ratios: [['', 'Found', 'Target', '']],
      results: [],
      processes: [],
      notes: [],
      broken: false,
    };
    report.results.push([
      '',
      'p50 ms',
      'p99 ms',
      'saturated per second',
      'p99 ms saturated',
      'event loop, longest ms',
      'ILIKE p50 ms',
      'ILIKE ÷ p50',
    ]);
    report.processes.push([
      '',
      'datalists-svc MB',
      'first answer after the import, ms',
      'ready after a start, ms',
      'longest answer after that, ms',
    ]);
    try {
      const wanted = run.options.rows;
      for (const { items, p99Ms } of wanted === null ? sizes : [{ items: wanted, p99Ms: 100 }]) {
        run.say(`Importing ${count(items)} items …`);
        const list = await searchedList(stack.file, items);
        const afterImport = await firstAnswer(gatewayUrl, list);
        await postgres.query('vacuum analyze datalists.items');
        const { worst, rows, errors, memoryMb } = await measured(run, load, postgres, gatewayUrl, list);
        report.results.push(...rows);
        stack.kill('datalists-svc', 'SIGKILL');
        const started = await searchesAfterStart(run, load, list);
        const verdict = (ms: number) => [
          `${ms.toFixed(1)} ms`,
          `< ${p99Ms} ms`,
          ms < p99Ms ? 'met' : '**missed**',
        ];
        report.ratios.push([`${count(items)} items, warm, worst p99 at ${perSecond}/s`, ...verdict(worst)]);
        report.ratios.push([
          `${count(items)} items, after a start, p99 at ${perSecond}/s`,
          ...verdict(started.p99),
        ]);
        report.processes.push([
          count(items),
          memoryMb.toFixed(0),
          afterImport.toFixed(0),
          started.readyMs.toFixed(0),
          started.longest.toFixed(0),
        ]);
        report.broken ||= errors + started.errors > 0;
      }
      return report;
    } finally {
      await postgres.end();
    }
  },
};

const count = (items: number) => items.toLocaleString('en-US');
async function measured(
  run: BenchRun,
  load: Child<LoadApi>,
  postgres: Client,
  origin: string,
  list: SearchedList,
): Promise<{ worst: number; rows: Table; errors: number; memoryMb: number }> {
  const rows: Table = [];
  let [worst, errors] = [0, 0];
  for (const mode of modes) {
    for (const length of lengths) {
      const request = {
        origin,
        method: 'GET' as const,
        paths: list.paths(mode, length),
        headers: list.headers,
        expect: 200,
      };
      await longestTurn(run);
      const steady = await load.call('open', request, perSecond, secondsEach);
      const turn = await longestTurn(run);
      const full = await load.call('closed', request, connections, secondsEach);
      const took = latenciesOf(steady);
      const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
      const plain = await ilikeMs(postgres, list, mode, length);
      worst = Math.max(worst, p99);
      errors += steady.errors + full.errors;
      rows.push([
        `${count(list.items)}, ${mode}, ${length} ${length === 1 ? 'letter' : 'letters'}`,
        p50.toFixed(1),
        p99.toFixed(1),
        count(Math.round(full.operations / full.seconds)),
        percentile(full.latenciesMs ?? [], 0.99).toFixed(1),
        turn.toFixed(0),
        plain.toFixed(0),
        (plain / p50).toFixed(0),
      ]);
      run.say(`  ${rows.at(-1)!.join('  ')}`);
    }
  }
  const { pid } = await run.watchedService('datalists-svc');
  return { worst, rows, errors, memoryMb: residentBytes([pid]) / 1024 ** 2 };
}

/** The longest that datalists-svc kept its event loop since the last call, as Node tells it (`monitorEventLoopDelay`). */
async function longestTurn(run: BenchRun): Promise<number> {
  const { metricsUrl } = (await run.stack()).file.services['datalists-svc'];
  const metrics = await (await fetch(metricsUrl)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(metrics) ?? [];
  // It looks every 10 ms, which are part of what it tells.
  return Math.max(0, Number(seconds) * 1000 - 10);
}

const latenciesOf = ({
  sentAt,
  answeredAt,
}: {
  sentAt: Float64Array;
  answeredAt: Float64Array;
}): Float64Array => answeredAt.map((at, n) => at - sentAt[n]!);

async function searchesAfterStart(
  run: BenchRun,
  load: Child<LoadApi>,
  list: SearchedList,
): Promise<{ readyMs: number; longest: number; p99: number; errors: number }> {
  const mixed = modes.flatMap((mode) => lengths.flatMap((length) => list.paths(mode, length).slice(0, 100)));
  const paths = mixed.map((_, n) => mixed[(n * 301) % mixed.length]!);
  const { gatewayUrl: origin, services } = (await run.stack()).file;
  const readyMs = await untilReady(services['datalists-svc'].url);
  const found = await load.call(
    'open',
    { origin, method: 'GET', paths, headers: list.headers, expect: 200 },
    perSecond,
    startSeconds,
  );
  const took = latenciesOf(found);
  return { readyMs, longest: Math.max(...took), p99: percentile(took, 0.99), errors: found.errors };
}

/** Milliseconds from the first answer of the process, which the supervisor starts again, until it says that it is ready. */
async function untilReady(service: string): Promise<number> {
  for (let answeredAt: number | null = null; ;) {
    const answer = await fetch(`${service}/ready`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer !== null) answeredAt ??= performance.now();
    if (answer?.ok === true) return performance.now() - answeredAt!;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
