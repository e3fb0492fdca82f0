import os from 'node:os';
import type { ChaosArguments } from '../arguments';
import { table } from '../markdown';
import type { Report } from '../report';
import type { Throughput } from './passages';
import type { IdleWriterResult } from './run-idle-writer';

const leastRatio = 0.9;
const longestBacklogMs = 60_000;

/** Delivered per second while somebody was idle, over the normal: of the whole time, and of its last fifth. */
function ratiosOf({ normal, idle, parts }: IdleWriterResult): { whole: number; end: number } {
  const ratio = (of: Throughput | undefined) => (of?.deliveredPerSecond ?? 0) / normal.deliveredPerSecond;
  return { whole: ratio(idle), end: ratio(parts.at(-1)) };
}

/** What is wrong with the result, in sentences; empty when all is well. */
export function faultsOf(result: IdleWriterResult): string[] {
  const { whole, end } = ratiosOf(result);
  const { backlogGoneMs, ownTooEarly, lost } = result;
  const faults: string[] = [];
  if (result.normal.deliveredPerSecond === 0) faults.push('nothing was delivered while all was normal');
  if (!(whole >= leastRatio)) faults.push(`throughput fell to ${whole.toFixed(2)} of normal`);
  if (!(end >= leastRatio)) faults.push(`in the last fifth throughput was ${end.toFixed(2)} of normal`);
  if (backlogGoneMs === null || backlogGoneMs > longestBacklogMs)
    faults.push(`the backlog was not gone ${longestBacklogMs / 1000} s after the commit`);
  if (ownTooEarly > 0) faults.push(`${ownTooEarly} events were delivered before they were committed`);
  if (lost > 0) faults.push(`${lost} events were lost`);
  return faults;
}

/** The report in Markdown, and its essence in a few lines. */
export function writeIdleWriterReport(wanted: ChaosArguments, result: IdleWriterResult): Report {
  const { normal, idle, parts, normalSeconds, idleSeconds, backlog, backlogGoneMs, own } = result;
  const { whole, end } = ratiosOf(result);
  const faults = faultsOf(result);
  const gone = backlogGoneMs === null ? 'never' : `${(backlogGoneMs / 1000).toFixed(1)} s after it`;
  const summary = [
    `idle in transaction for ${idleSeconds} s at ${wanted.rate} events/s: ${idle.deliveredPerSecond.toFixed(1)} delivered/s, normal ${normal.deliveredPerSecond.toFixed(1)}`,
    `ratio ${whole.toFixed(2)}, in the last fifth ${end.toFixed(2)} (at least ${leastRatio})`,
    `${backlog} events waited at the commit, gone ${gone} (at most ${longestBacklogMs / 1000} s); the idle writer's own ${own}: ${result.ownTooEarly} too early, the others after the commit`,
    `${result.acknowledged} acknowledged, ${result.failures} requests failed, lost ${result.lost}`,
    ...(faults.length === 0 ? ['all as promised'] : faults.map((fault) => `NOT AS PROMISED: ${fault}`)),
  ].join('\n');
  const row = (name: string, { acknowledgedPerSecond, deliveredPerSecond, p50, p99 }: Throughput) => [
    name,
    acknowledgedPerSecond.toFixed(1),
    deliveredPerSecond.toFixed(1),
    (deliveredPerSecond / normal.deliveredPerSecond).toFixed(2),
    `${p50} ms`,
    `${p99} ms`,
  ];
  const text = [
    '# Idle-writer report',
    '',
    `${new Date(result.startedAt).toISOString()}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'cpu'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}.`,
    `Again: \`npm run chaos -- --idle-writer --minutes ${wanted.seconds / 60} --rate ${wanted.rate}\``,
    '',
    '```',
    summary,
    '```',
    '',
    ...table(
      ['Span', 'Acknowledged/s', 'Delivered/s', 'Of normal', 'p50', 'p99'],
      [
        row(`normal, ${normalSeconds} s`, normal),
        row(`idle, ${idleSeconds} s`, idle),
        ...parts.map((part, at) => row(`idle, part ${at + 1} of ${parts.length}`, part)),
      ],
    ),
    '',
    'Latencies are from the acknowledgement to the whole request at the receiver.',
    '',
    ...table(['Rows dead and not removable at the commit', 'Number'], Object.entries(result.deadRows)),
    '',
  ].join('\n');
  return { text, summary };
}
