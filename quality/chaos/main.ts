import { endingSignals, killRunning, runCommand, SetupError } from '@canvass/infra';
import { withRunDir } from '@canvass/stack';
import { parseChaosArguments, usage } from './arguments';
import { runChaos, type ChaosResult } from './run-chaos';
import { findingKinds, isClean } from './verdict/evidence';

/** At most this many findings of a kind are printed. */
const maxPrinted = 40;

async function main(): Promise<number> {
  const wanted = parseChaosArguments(process.argv.slice(2));
  if (wanted.help) {
    console.log(usage);
    return 0;
  }
  const interruption = new AbortController();
  for (const signal of endingSignals)
    process.on(signal, () => {
      killRunning(); // the build
      interruption.abort(new SetupError('Interrupted.'));
    });
  const result = await withRunDir('chaos', wanted.keep, (dir) =>
    runChaos(dir, wanted, (line) => console.log(line), interruption.signal),
  );
  console.log(['', ...summaryOf(result)].join('\n'));
  return isClean(result.verdict.findings) ? 0 : 1;
}

/** The result as lines; the last one must be all zero. */
function summaryOf({ verdict, faults, startedAt, endedAt }: ChaosResult): string[] {
  const { findings, counts, waitedMs } = verdict;
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  const times = kinds.map((kind) => `${kind} ${faults.filter((fault) => fault.kind === kind).length}`);
  const failed = faults.filter(({ error }) => error !== null).length;
  const found = (Object.entries(findings) as [keyof typeof findings, string[]][]).map(
    ([kind, list]) => [findingKinds[kind], list] as const,
  );
  return [
    ...found.flatMap(([name, list]) => list.slice(0, maxPrinted).map((finding) => `${name}: ${finding}`)),
    ...Object.entries(counts).map(([what, count]) => `${what}: ${count}`),
    `${faults.length} faults, ${failed} could not be carried out: ${times.join(', ')}`,
    `drained after ${seconds(waitedMs)}; ${seconds(endedAt - startedAt)} in all`,
    found.map(([name, list]) => `${name} ${list.length}`).join(', '),
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

runCommand(main);
