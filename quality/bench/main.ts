import os from 'node:os';
import { endingSignals, parseOptions, runCommand, UsageError } from '@canvass/infra';
import { withRunDir } from '@canvass/stack';
import { median, pairedRatio } from '@canvass/testing';
import { buildOf, type EarlierBuild } from '../earlier-build';
import { Bench, type Options, type Scenario } from './bench';
import { tableOf, type Figure, type Report } from './report';
import { createSubmission } from './scenarios/create-submission';
import { exportForm } from './scenarios/export';
import { fanOut } from './scenarios/fan-out';
import { importList } from './scenarios/import';
import { outboxDrain } from './scenarios/outbox-drain';
import { search } from './scenarios/search';

/** In the order of `all`. */
const scenarios: readonly Scenario[] = [
  createSubmission,
  outboxDrain,
  fanOut,
  exportForm,
  importList,
  search,
];

const command = 'npm run bench';
const usage = `npm run bench -- <scenario …|all> [options]

  --seconds N     measured seconds of each variant (30)
  --rows N        rows of "export", "import" and "search" instead of their own number
  --against REF   measure the build of that commit and this one in turns, three times each

  scenarios: ${scenarios.map(({ name }) => name).join(', ')}`;

const turns = 3;
const text = (value?: string) =>
  ({ type: 'string', ...(value === undefined ? {} : { default: value }) }) as const;
const flag = { type: 'boolean', default: false } as const;

/** Reads the command line. @throws {UsageError} for anything unknown */
function parse(args: string[]) {
  const { values, positionals } = parseOptions(command, {
    args,
    allowPositionals: true,
    options: {
      seconds: text('30'),
      rows: text(),
      against: text(),
      help: { ...flag, short: 'h' },
    },
  });
  const number = (name: 'seconds' | 'rows', min: number, max: number) => {
    const value = Number(values[name]);
    if (value >= min && value <= max) return value;
    throw new UsageError(command, `--${name} takes a number from ${min} to ${max}.`);
  };
  const names = scenarios.map(({ name }) => name);
  const unknown = positionals.find((word) => word !== 'all' && !names.includes(word));
  if (unknown !== undefined) throw new UsageError(command, `There is no scenario "${unknown}".`);
  return {
    ...values,
    seconds: number('seconds', 1, 600),
    rows: values.rows === undefined ? null : number('rows', 1_000, 10_000_000),
    chosen: scenarios.filter(({ name }) => positionals.includes('all') || positionals.includes(name)),
  };
}

async function main(): Promise<number> {
  const wanted = parse(process.argv.slice(2));
  if (wanted.help || wanted.chosen.length === 0) {
    console.log(usage);
    return wanted.help ? 0 : 1;
  }
  const earlier = wanted.against === undefined ? null : buildOf(wanted.against);
  let isBroken = false;
  for (const scenario of wanted.chosen) {
    console.log(`\n${scenario.name}`);
    const { figures, notes, broken } = earlier
      ? await inTurns(scenario, wanted, earlier)
      : await measure(scenario, wanted, null);
    const day = new Date().toISOString().slice(0, 10);
    const machine = `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} cores, Node ${process.versions.node}`;
    const { title, about } = scenario;
    console.log(['', `## ${title}`, about, tableOf(figures), ...notes, `${day}, ${machine}`].join('\n\n'));
    isBroken ||= broken;
  }
  return isBroken ? 1 : 0;
}

const measure = (scenario: Scenario, wanted: Options, build: EarlierBuild | null) =>
  withRunDir('bench', false, async (dir): Promise<Report> => {
    const bench = new Bench(dir, wanted, build);
    const interrupted = () => void bench.end().finally(() => process.exit(130));
    for (const signal of endingSignals) process.once(signal, interrupted);
    try {
      return await scenario.run(bench);
    } finally {
      for (const signal of endingSignals) process.removeListener(signal, interrupted);
      await bench.end();
    }
  });

/** Measures both builds in turns. The figures are the medians, and the ratios of this build to the earlier one. */
async function inTurns(scenario: Scenario, wanted: Options, earlier: EarlierBuild): Promise<Report> {
  const before: Report[] = [];
  const now: Report[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    console.log(`turn ${turn} of ${turns}: ${earlier.commit.slice(0, 12)}, then this checkout`);
    before.push(await measure(scenario, wanted, earlier));
    now.push(await measure(scenario, wanted, null));
  }
  const valuesOf = (reports: readonly Report[], what: string) =>
    reports.map(({ figures }) => figures.find((figure) => figure.what === what)?.value ?? NaN);
  const figures = now[0]!.figures.flatMap(({ what, unit }): Figure[] => {
    const [was, is] = [valuesOf(before, what), valuesOf(now, what)];
    return [
      { what: `${what}, before`, value: median(was), unit },
      { what: `${what}, now`, value: median(is), unit },
      { what: `${what}, now ÷ before`, value: pairedRatio(is, was), unit: '' },
    ];
  });
  const reports = [...before, ...now];
  return {
    figures,
    notes: reports.flatMap(({ notes }) => notes),
    broken: reports.some(({ broken }) => broken),
  };
}

runCommand(main);
