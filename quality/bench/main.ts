import {
  endingSignals,
  localDir,
  lockHolder,
  parseOptions,
  runCommand,
  SetupError,
  tryLock,
  UsageError,
} from '@canvass/infra';
import { withRunDir } from '@canvass/stack';
import path from 'node:path';
import { Bench, type Options, type Scenario } from './bench';
import { record } from './record';
import { plainTable, tablesOf } from './report';
import { backfill } from './scenarios/backfill';
import { completeToDelivered } from './scenarios/complete-to-delivered';
import { createSubmission } from './scenarios/create-submission';
import { exportForm } from './scenarios/export';
import { fanOut, fanOutByTwo } from './scenarios/fan-out';
import { gateway, gatewayDelay } from './scenarios/gateway';
import { importList } from './scenarios/import';
import { outboxDrain } from './scenarios/outbox-drain';
import { search } from './scenarios/search';

/** In the order of `all`. */
const scenarios: readonly Scenario[] = [
  createSubmission,
  completeToDelivered,
  outboxDrain,
  fanOut,
  fanOutByTwo,
  gateway,
  gatewayDelay,
  exportForm,
  importList,
  backfill,
  search,
];

const command = 'npm run bench';
const usage = `npm run bench -- <scenario …|all> [options]

  --seconds N   measured seconds of each variant (30)
  --rows N      rows of "export", "import", "backfill" and "search" instead of their own number
  --replicas N  copies of every service of the stack (1)
  --rate N      submissions per second of "complete-to-delivered" (200)
  --record      write the result into docs/benchmarks.md
  --profile     write a CPU profile of each process (node --cpu-prof) to .local/bench/profiles

  scenarios: ${scenarios.map(({ name }) => name).join(', ')}`;

/** Reads the command line. Throws a SetupError, which is one sentence, for anything unknown. */
function parse(argv: string[]): Options & { chosen: readonly Scenario[]; record: boolean; help: boolean } {
  const { values, positionals } = parseOptions(command, {
    args: argv,
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '30' },
      rows: { type: 'string' },
      replicas: { type: 'string', default: '1' },
      rate: { type: 'string', default: '200' },
      record: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 600))
    throw new UsageError(command, '--seconds takes a number from 1 to 600.');
  const rows = values.rows === undefined ? null : Number(values.rows);
  if (rows !== null && !(Number.isInteger(rows) && rows >= 1_000 && rows <= 10_000_000))
    throw new UsageError(command, '--rows takes a whole number from 1,000 to 10,000,000.');
  const replicas = Number(values.replicas);
  if (!(Number.isInteger(replicas) && replicas >= 1 && replicas <= 9))
    throw new UsageError(command, '--replicas takes a whole number from 1 to 9.');
  const rate = Number(values.rate);
  if (!(rate >= 1 && rate <= 10_000))
    throw new UsageError(command, '--rate takes a number from 1 to 10,000.');
  const isChosen = ({ name }: Scenario) => positionals.includes('all') || positionals.includes(name);
  const unknown = positionals.filter(
    (word) => word !== 'all' && !scenarios.some(({ name }) => name === word),
  );
  if (unknown.length > 0) throw new UsageError(command, `There is no scenario "${unknown[0]}".`);
  return { ...values, seconds, rows, replicas, rate, chosen: scenarios.filter(isChosen) };
}

async function main(): Promise<number> {
  const wanted = parse(process.argv.slice(2));
  if (wanted.help || wanted.chosen.length === 0) {
    console.log(usage);
    return wanted.help ? 0 : 1;
  }
  const lock = path.join(localDir, 'run', 'bench.lock');
  const release = tryLock(lock);
  if (!release) throw new SetupError(`A bench already runs (process ${lockHolder(lock)?.pid ?? 'unknown'}).`);
  try {
    const statuses: number[] = [];
    for (const scenario of wanted.chosen)
      statuses.push(await withRunDir('bench', false, (dir) => measure(scenario, dir, wanted)));
    return Math.max(...statuses);
  } finally {
    release();
  }
}

async function measure(scenario: Scenario, dir: string, wanted: ReturnType<typeof parse>): Promise<number> {
  console.log(`\n${scenario.title} (${scenario.name})`);
  const bench = new Bench(dir, wanted);
  const interrupted = () => void bench.end().finally(() => process.exit(130));
  for (const signal of endingSignals) process.once(signal, interrupted);
  try {
    const report = await scenario.run(bench);
    for (const table of tablesOf(report)) console.log(`\n${plainTable(table)}`);
    for (const note of report.notes) console.log(`\n  ${note}`);
    if (wanted.record && !report.broken) {
      const rows = wanted.rows === null ? '' : ` --rows ${wanted.rows}`;
      const replicas = wanted.replicas === 1 ? '' : ` --replicas ${wanted.replicas}`;
      const rate = wanted.rate === 200 ? '' : ` --rate ${wanted.rate}`;
      const command = `npm run bench -- ${scenario.name} --seconds ${wanted.seconds}${rows}${replicas}${rate} --record`;
      await record(scenario, report, command, await bench.servers());
      console.log('\nRecorded in docs/benchmarks.md.');
    }
    return report.broken ? 1 : 0;
  } finally {
    for (const signal of endingSignals) process.removeAllListeners(signal);
    await bench.end();
  }
}

runCommand(main);
