import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, endingSignals, killRunning, runCommand, SetupError } from '@canvass/infra';
import { withRunDir } from '@canvass/stack';
import { parseChaosArguments, usage } from './arguments';
import { findingLines, summaryOf, writeReport } from './report';
import { runChaos } from './run-chaos';
import { isClean } from './verdict/evidence';

/** At most this many lines of findings are printed; the report has more. */
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
  const file = path.join(checkoutDir, '.local/chaos/report.md');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, writeReport(wanted, result));
  const { findings } = result.verdict;
  console.log(['', ...summaryOf(result), ...findingLines(findings).slice(0, maxPrinted)].join('\n'));
  console.log(`Report: ${path.relative(process.cwd(), file)}`);
  return isClean(findings) ? 0 : 1;
}

runCommand(main);
