import os from 'node:os';
import { markdownTable, median } from '@canvass/testing';
import type { ChaosArguments } from './arguments';
import type { ChaosResult } from './run-chaos';
import { findingKinds, type Findings } from './verdict/evidence';
import { leastRatio, longestBacklogMs, type IdleWriterResult } from './verdict/idle-writer';
import type { Recovery } from './verdict/recovery';

/** At most this many findings of a kind are listed. */
const mostListed = 40;

/** Returns the report in Markdown. */
export function writeReport(wanted: ChaosArguments, result: ChaosResult): string {
  const { verdict, faults, startedAt } = result;
  const { counts, duplicates, idleWriter } = verdict;
  const timeline = faults.map(({ startedAt: at, description, backAt, error }) => [
    ((at - startedAt) / 1000).toFixed(1),
    description,
    backAt === null ? '' : `${backAt - at} ms`,
    error ?? '',
  ]);
  const [cpu, memory] = [os.cpus()[0]?.model ?? 'cpu', Math.round(os.totalmem() / 2 ** 30)];
  const seeded = `**This run had the bug \`${wanted.seeded}\` built in: it must be found.**`;
  return [
    '# Chaos report',
    `Seed \`${wanted.seed}\`, ${wanted.seconds} s, job queues ${wanted.jobQueue}, at most ${wanted.rate} changes/s by ${wanted.workers} clients.
${new Date(startedAt).toISOString()}, ${os.cpus().length} × ${cpu}, ${memory} GiB, Node ${process.versions.node}.
Again: \`${commandOf(wanted)}\``,
    ...(wanted.seeded ? [seeded] : []),
    '## Verdict',
    ['```', ...summaryOf(result), '```'].join('\n'),
    ...findingLines(verdict.findings),
    ...(idleWriter ? idleWriterSection(idleWriter) : []),
    '## Counts',
    markdownTable([['What', 'Number'], ...Object.entries(counts)]),
    '## Changes by operation',
    markdownTable([['Operation', 'Number'], ...Object.entries(verdict.operations).sort()]),
    '## Paths',
    'How often the run was on rare paths. Those that it must have been on have a least number.',
    markdownTable([
      ['Path', 'Times', 'At least'],
      ...verdict.reached.map(({ path, times, least }) => [path, times, least ?? '']),
    ]),
    '## Duplicates',
    'Same id and same bytes, as at-least-once allows; by the faults that were near the first delivery.',
    markdownTable([
      ['Cause', 'Webhooks delivered again'],
      ...Object.entries(duplicates.byCause).sort(([, a], [, b]) => b - a),
    ]),
    '## Faults',
    markdownTable([
      ['Kind', 'Times', 'Median down', 'Slowest recovery', 'Slowest undisturbed'],
      ...faultRows(result),
    ]),
    'Recovery: from the return of a component to the first delivery of a change made since its fault began; if another one is still down, from the return of that one. Undisturbed: no other fault at the same time.',
    '## Timeline',
    markdownTable([['Second', 'Fault', 'Back after', 'Note'], ...timeline]),
  ].join('\n\n');
}

function commandOf({ seed, seconds, rate, workers, ...wanted }: ChaosArguments): string {
  const which = wanted.idleWriter
    ? `--idle-writer --rate ${rate}`
    : `${wanted.failpoints ? '--failpoints ' : ''}--job-queue ${wanted.jobQueue} --target-rate ${rate}${wanted.seeded ? ` --seeded ${wanted.seeded}` : ''}`;
  return `npm run chaos -- --seed ${seed} --minutes ${seconds / 60} --workers ${workers} ${which}`;
}

/** Returns the result in a few lines; the first one must be all zero. */
export function summaryOf({ verdict, faults, startedAt, endedAt }: ChaosResult): string[] {
  const { findings, counts, duplicates, recoveries, interruptions, reached, idleWriter, waitedMs } = verdict;
  const times = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
  const failed = faults.filter(({ error }) => error !== null).length;
  const acknowledged = counts['Changes acknowledged'];
  const rate = (acknowledged / ((endedAt - startedAt - waitedMs) / 1000)).toFixed(0);
  const undisturbed = recoveries.filter(({ disturbed }) => !disturbed);
  return [
    Object.entries(findingKinds)
      .map(([kind, name]) => `${name} ${findings[kind as keyof Findings].length}`)
      .join(', '),
    `${acknowledged} changes acknowledged (${rate}/s), ${counts['Changes refused (4xx): none had an effect']} refused, ` +
      `${counts['Changes without an answer']} unknown; ${counts['Events received by the checker']} events, ` +
      `${counts['Deliveries expected']} deliveries expected, ${counts['Deliveries accepted by receivers']} accepted`,
    `duplicates: ${duplicates.hooks} webhooks, ${duplicates.events} events`,
    `${faults.length} faults: ${times('kill')} process kills, ${times('pause')} pauses, ${times('rabbitmq-restart')} RabbitMQ and ${times('postgres-restart')} Postgres restarts` +
      (failed > 0 ? `; ${failed} could not be carried out (see the timeline)` : ''),
    `longest recovery ${recoveryText(recoveries)}; of faults with no other near ${recoveryText(undisturbed)}`,
    interruptions.longestMs === null
      ? 'no killed relay had deliveries in flight'
      : `${interruptions.deliveries} deliveries in flight at ${interruptions.kills} kills of their relay, all sent again within ${seconds(interruptions.longestMs)}`,
    `${counts['Creates repeated with their Idempotency-Key']} creates repeated with their key, ` +
      `${counts['… of which the first had been carried out']} of them had been carried out; ` +
      `${counts['Webhooks sent again because staff requested it']} webhooks resent on request`,
    ...(idleWriter ? idleWriterSummary(idleWriter) : []),
    `${reached.filter(({ times }) => times > 0).length} of ${reached.length} rare paths reached`,
    `drained after ${seconds(waitedMs)}; ${seconds(endedAt - startedAt)} in all`,
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const slowestOf = (recoveries: readonly Recovery[]): Recovery | undefined =>
  [...recoveries].sort((a, b) => (b.recoveryMs ?? -1) - (a.recoveryMs ?? -1))[0];

function recoveryText(recoveries: readonly Recovery[]): string {
  const slowest = slowestOf(recoveries);
  return slowest ? `${seconds(slowest.recoveryMs ?? 0)} (${slowest.description})` : 'unknown';
}

function idleWriterSummary({ spans, backlog, drainedMs }: IdleWriterResult): string[] {
  const ratio = (at: number) => spans.at(at)!.ofNormal.toFixed(2);
  const drained = drainedMs === null ? 'never drained' : `drained ${seconds(drainedMs)} after it`;
  return [
    `throughput while the writer was idle ${ratio(1)} of normal, in the last fifth ${ratio(-1)} (at least ${leastRatio})`,
    `${backlog} events waited at the commit, ${drained} (at most ${seconds(longestBacklogMs)})`,
  ];
}

function idleWriterSection({ spans, deadRows }: IdleWriterResult): string[] {
  const rows = spans.map(({ span, acknowledgedPerSecond, deliveredPerSecond, ofNormal, p50, p99 }) => {
    const numbers = [acknowledgedPerSecond.toFixed(1), deliveredPerSecond.toFixed(1), ofNormal.toFixed(2)];
    return [span, ...numbers, `${p50} ms`, `${p99} ms`];
  });
  return [
    '## Idle writer',
    markdownTable([['Span', 'Acknowledged/s', 'Delivered/s', 'Of normal', 'p50', 'p99'], ...rows]),
    'Latencies are from the acknowledgement to the whole request at the receiver.',
    markdownTable([['Rows dead and not removable at the commit', 'Number'], ...Object.entries(deadRows)]),
  ];
}

/** Returns the findings as Markdown, one section per kind. */
export function findingLines(findings: Findings): string[] {
  const found = Object.entries(findings).filter(([, list]) => list.length > 0);
  return found.flatMap(([kind, list]) => [
    `### ${findingKinds[kind as keyof Findings]}: ${list.length}`,
    ...list.slice(0, mostListed).map((finding) => `- ${finding}`),
    ...(list.length > mostListed ? [`- … and ${list.length - mostListed} more`] : []),
  ]);
}

function faultRows({ faults, verdict }: ChaosResult): (string | number)[][] {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => {
    const recoveries = verdict.recoveries.filter((recovery) => recovery.kind === kind);
    const down = median(recoveries.map(({ downMs }) => downMs));
    const slowest = (list: readonly Recovery[]) => {
      const found = slowestOf(list);
      return found ? `${found.recoveryMs ?? '?'} ms` : '';
    };
    return [
      kind,
      faults.filter((fault) => fault.kind === kind).length,
      Number.isNaN(down) ? '' : `${Math.round(down)} ms`,
      slowest(recoveries),
      slowest(recoveries.filter(({ disturbed }) => !disturbed)),
    ];
  });
}
