import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Asker, isMet, limitMs, perSecond, type Answered } from '../growth/measure';
import { PlanLog, planText } from '../growth/plans';
import { plotOf, type Panel } from '../growth/plot';
import { notAsked, questionsOf, statistics, type ApiDocument } from '../growth/questions';
import { besideReader } from '../growth/reader';
import { sizesUpTo } from '../growth/sizes';
import { createTenant, fillTenant } from '../growth/world';
import type { LoadApi } from '../processes/load';
import { row, whole, type Report } from '../report';

const usualRows = 10_000_000;
/** The page of the record shows this file. */
const plotFile = 'docs/benchmarks/growth.svg';

/** A question with its answers by size; the plan is that of the largest. */
interface Found {
  list: string;
  what: string;
  bySize: Answered[];
}

export const growth: Scenario = {
  name: 'growth',
  title: 'Reading a tenant that grows',
  about:
    `One tenant of 10,000, 1,000,000 and 10,000,000 submissions (of them four fifths in one form), a tenth as many submitters, and up to a ` +
    `million webhook deliveries, recorded actions and items of a data list, made by a generator. Each list is asked through the gateway ` +
    `for its first, middle and last page and with every documented filter: alone, and then ${perSecond} times a second. An answer has to ` +
    `come within ${limitMs} ms (p99), or the request has to be refused with the sentence that names the parameters that help. The plan is ` +
    `the one that Postgres used (\`auto_explain\`).`,
  async run(bench) {
    const stack = await bench.stack();
    const load = await bench.child<LoadApi>('load');
    const database = await bench.database();
    const tenant = await createTenant(bench);
    const plans = await PlanLog.open(database, path.join(bench.dir, 'logs/postgres.log'));
    const asker = new Asker(bench, load, plans);
    const sizes = sizesUpTo(bench.options.rows ?? usualRows);
    const secondsEach = bench.options.seconds / 6;
    const found = new Map<string, Found>();
    const document = (await (await fetch(`${stack.file.gatewayUrl}/api/openapi.json`)).json()) as ApiDocument;
    let missing: string[] = [];
    let broken = false;
    let beside: Awaited<ReturnType<typeof besideReader>> | undefined;
    for (const size of sizes) {
      const started = performance.now();
      console.log(`Filling ${whole(size)} submissions …`);
      const world = await fillTenant(bench, database, tenant, size);
      console.log(`  filled after ${whole((performance.now() - started) / 1000)} s`);
      const questions = questionsOf(world);
      missing = notAsked(document, questions);
      for (const question of questions) {
        const { list, what } = question;
        const answered = await asker.ask(question, secondsEach);
        const key = `${list}: ${what}`;
        const entry = found.get(key) ?? { list, what, bySize: [] };
        entry.bySize.push(answered);
        found.set(key, entry);
        broken ||= answered.failure !== null;
        if (!isMet(answered) || answered.statement === null) console.log(`  ${key}: ${lineOf(answered)}`);
      }
      if (size === sizes.at(-1)) beside = await besideReader(bench, load, world, bench.options.seconds);
    }
    return reportOf([...found.values()], sizes, missing, broken, beside!, await sizeOnDisk(bench));
  },
};

const lineOf = ({ p50, p99, refusal, errors, failure, statement }: Answered): string =>
  failure ??
  (refusal === null
    ? `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${errors} errors; ${statement === null ? 'no plan' : planText(statement)}`
    : `refused after ${whole(p50)} ms: ${refusal}`);

async function sizeOnDisk(bench: Bench): Promise<string> {
  const database = await bench.database();
  const { rows } = await database.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  return rows[0]!.size;
}

function reportOf(
  found: readonly Found[],
  sizes: readonly number[],
  missing: readonly string[],
  broken: boolean,
  beside: Awaited<ReturnType<typeof besideReader>>,
  onDisk: string,
): Report {
  const last = ({ bySize }: Found) => bySize.at(-1)!;
  const isStatistic = ({ list }: Found) => list === statistics;
  const refused = found.filter((each) => last(each).refusal !== null);
  const met = found.filter((each) => isMet(last(each)) && last(each).refusal === null);
  const slow = found.filter((each) => !isMet(last(each)));
  const slowLists = slow.filter((each) => !isStatistic(each));
  const worst = Math.max(...met.map((each) => last(each).p99));
  const all = `${found.length} questions, ${whole(sizes.at(-1)!)} submissions`;
  return {
    findings: [
      row(
        `${all}: lists neither below ${limitMs} ms nor refused`,
        String(slowLists.length),
        '0',
        slowLists.length === 0,
      ),
      row(`${all}: statistics above ${limitMs} ms`, String(slow.length - slowLists.length)),
      row(`${all}: below ${limitMs} ms, their worst p99`, `${met.length}, ${worst.toFixed(1)} ms`),
      row(`${all}: refused with advice`, String(refused.length)),
      row('parameters of lists that no question uses', String(missing.length), '0', missing.length === 0),
      ...beside.findings,
    ],
    results: [
      [
        '',
        ...sizes.map((size) => `p99 ms, ${short(size)}`),
        ...sizes.map((size) => `statement ms, ${short(size)}`),
        `plan, ${short(sizes.at(-1)!)}`,
      ],
      ...found.map((each) => [
        `${each.list}: ${each.what}`.replaceAll('|', '\\|'),
        ...each.bySize.map(p99Text),
        ...each.bySize.map(({ statement }) => (statement === null ? '' : statement.ms.toFixed(2))),
        planOf(each),
      ]),
    ],
    notes: [
      `![Time per statement over the number of submissions](${path.relative('docs', plotFile)})`,
      `Slow means that single requests took that long, so that they were not asked ${perSecond} times a second. The database has ${onDisk}.`,
      ...beside.notes,
      ...(missing.length > 0 ? [`No question uses: ${missing.join(', ')}.`] : []),
    ],
    files: { [plotFile]: plotSvg(found, sizes) },
    broken: broken || beside.errors > 0,
  };
}

const p99Text = ({ p99, refusal, ...rest }: Answered): string => {
  if (refusal !== null) return 'refused';
  return isMet({ p99, refusal, ...rest }) ? p99.toFixed(1) : `**${whole(p99)}**`;
};

/** The plan of the largest size that has one. */
const planOf = ({ bySize }: Found): string => {
  const statement = bySize.map((each) => each.statement).findLast((each) => each !== null);
  return statement ? planText(statement) : '';
};

const short = (rows: number): string => (rows >= 1_000_000 ? `${rows / 1_000_000} M` : `${rows / 1_000} k`);

function plotSvg(found: readonly Found[], sizes: readonly number[]): string {
  const panels = new Map<string, Panel>();
  for (const { list, what, bySize } of found) {
    const panel = panels.get(list) ?? { title: list, lines: [] };
    const points = bySize.map(({ statement }, n) => ({ rows: sizes[n]!, ms: statement?.ms ?? null }));
    panel.lines.push({ name: what, points });
    panels.set(list, panel);
  }
  return plotOf([...panels.values()], limitMs);
}
