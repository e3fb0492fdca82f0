import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, SetupError } from '@canvass/infra';
import { parseChaosArguments, usage, type ChaosArguments } from './arguments';
import { faultsOf, writeIdleWriterReport } from './idle-writer/report';
import { runIdleWriter } from './idle-writer/run-idle-writer';
import { writeReport, type Report } from './report';
import { runChaos } from './run-chaos';
import { isClean } from './verdict/verdict';

const say = (line: string) => console.log(line);

async function main(): Promise<number> {
  const wanted = parseChaosArguments(process.argv.slice(2));
  if (wanted.help) {
    say(usage);
    return 0;
  }
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interruption.abort(new SetupError('Interrupted.')));
  }
  if (wanted.idleWriter) {
    const result = await runIdleWriter(wanted, say, interruption.signal);
    leaveReport(wanted, writeIdleWriterReport(wanted, result));
    return faultsOf(result).length === 0 ? 0 : 1;
  }
  const result = await runChaos(wanted, say, interruption.signal);
  leaveReport(wanted, writeReport(wanted, result));
  if (!wanted.seeded) return isClean(result.verdict) ? 0 : 1;
  const caught = result.verdict.findings.lost.length > 0;
  say(caught ? `The bug ${wanted.seeded} was caught.` : `THE BUG ${wanted.seeded} WAS NOT CAUGHT.`);
  return caught ? 0 : 1;
}

/** Of what was found, at most this many lines are said; the report has more. */
const mostSaid = 40;

function leaveReport(wanted: ChaosArguments, report: Report): void {
  const file = path.resolve(checkoutDir, wanted.report);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, report.text);
  say(['', report.summary, ...(report.findings ?? []).slice(0, mostSaid)].join('\n'));
  say(`Report: ${path.relative(process.cwd(), file)}`);
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
