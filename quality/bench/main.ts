import path from 'node:path';
import { localDir, lockHolder, SetupError, tryLock } from '@canvass/infra';
import { parseBenchArguments, usage, type BenchArguments } from './arguments';
import { BenchRun, endLeftovers, profilesDir } from './bench-run';
import { conditionsOf } from './machine';
import { sectionOf } from './page';
import { record } from './record';
import { plainTable, reportOf } from './report';
import { planRounds, runRounds } from './rounds';
import type { Prepared, Report, Scenario } from './scenario';
import { scenarios } from './scenarios';

const say = (line: string) => console.log(line);
const lock = path.join(localDir, 'run', 'bench.lock');

async function main(): Promise<number> {
  const wanted = parseBenchArguments(
    process.argv.slice(2),
    scenarios.map(({ name }) => name),
  );
  if (wanted.help) {
    say(usage(scenarios.map(({ name }) => name)));
    return 0;
  }
  const release = tryLock(lock);
  if (!release) throw new SetupError(`A bench already runs (process ${lockHolder(lock)?.pid ?? 'unknown'}).`);
  try {
    // A bench that was killed leaves its stack; its data would be measured with ours.
    await endLeftovers();
    let worst = 0;
    for (const name of wanted.scenarios) {
      const scenario = scenarios.find((each) => each.name === name)!;
      worst = Math.max(worst, await runScenario(scenario, wanted));
    }
    return worst;
  } finally {
    release();
  }
}

async function runScenario(scenario: Scenario, wanted: BenchArguments): Promise<number> {
  say(`\n${scenario.title} (${scenario.name})`);
  const run = new BenchRun({ scenario: scenario.name, ...wanted }, say);
  const interrupted = onInterrupt(() => run.end());
  try {
    const report =
      'watch' in scenario ? await scenario.watch(run) : await compare(run, await scenario.prepare(run));
    for (const table of [report.ratios, report.results, report.processes])
      if (table.length > 1) say(`\n${plainTable(table)}`);
    say('');
    for (const note of report.notes) say(`  ${note}`);
    if (wanted.record && !report.broken) {
      const { databaseUrl, amqpUrl } = await run.addresses();
      const conditions = await conditionsOf(databaseUrl, amqpUrl);
      const rows = wanted.rows === null ? '' : ` --rows ${wanted.rows}`;
      const option = 'watch' in scenario ? rows : ` --seconds ${wanted.seconds}`;
      const command = `npm run bench -- ${scenario.name}${option} --record`;
      const date = new Date().toISOString().slice(0, 10);
      await record(sectionOf(scenario, report, { ...conditions, date, command }));
      say('Recorded in docs/benchmarks.md.');
    }
    return report.broken ? 1 : 0;
  } finally {
    interrupted();
    await run.end();
    if (wanted.profile) say(`CPU profiles: ${path.join(profilesDir, scenario.name)}`);
  }
}

async function compare(run: BenchRun, prepared: Prepared): Promise<Report> {
  try {
    const results = await runRounds(prepared, planRounds(run.options.seconds), say);
    return reportOf(results, prepared);
  } finally {
    await prepared.end();
  }
}

/** Ends everything on Ctrl-C and the like; gives the function that takes the listeners away. */
function onInterrupt(end: () => Promise<void>): () => void {
  let ending = false;
  const stop = (signal: NodeJS.Signals) => {
    if (ending) return;
    ending = true;
    say(`\n${signal}: stopping …`);
    void end().finally(() => process.exit(130));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  return () => signals.forEach((signal) => process.off(signal, stop));
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
